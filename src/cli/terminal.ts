// What can be shown where the data of a command goes.
import type { System } from "../system/system.ts";

/** Whether stdout may have colours: a terminal that knows them, and nobody who has switched them off. */
export function hasColor(system: System): boolean {
  return system.isTerminal("stdout") && !system.env("NO_COLOR") && system.env("TERM") !== "dumb";
}

/** Columns of a line: the terminal's; no limit (Infinity) in a file or a pipe, unless COLUMNS says otherwise. */
export function roomOf(system: System): number {
  return system.isTerminal("stdout") ? system.columns() : Number(system.env("COLUMNS")) || Infinity;
}

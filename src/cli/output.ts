// Data to stdout, everything else to stderr.
import type { System } from "../system/system.ts";

/** Prints one object with the schema number first, as one indented JSON document. */
export function printJson(system: System, value: Record<string, unknown>): void {
  system.stdout(`${JSON.stringify({ schema: 1, ...value }, null, 2)}\n`);
}

/** One line for a person who ran the command. */
export function say(system: System, text: string): void {
  system.stderr(`tmuxclaude: ${text}\n`);
}

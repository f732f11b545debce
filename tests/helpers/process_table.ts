// Processes written down by hand, for the code that reads them through the System.
import type { Process, Processes } from "../../src/system/system.ts";

/** One process of a table; what is left out is what an ordinary foreground program in a terminal has. */
export interface Row extends Partial<Process> {
  pid: number;
  argv?: string[];
  executable?: string | null;
}

/** The terminal that rows have unless they say otherwise. */
export const TTY = 34816;

export function toProcess(row: Row): Process {
  return {
    parent: 1,
    group: row.pid,
    session: row.pid,
    terminal: TTY,
    foreground: 0,
    state: "S",
    started: String(row.pid * 10),
    name: "sh",
    ...row,
  };
}

/** The table as the kernel would answer. */
export function processTable(rows: Row[]): Processes {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const read = (pid: number) => {
    const row = byPid.get(pid);
    return row ? toProcess(row) : null;
  };
  return {
    read,
    all: () => rows.map(toProcess),
    argv: (pid) => byPid.get(pid)?.argv ?? [],
    executable: (pid) => byPid.get(pid)?.executable ?? null,
    variable: () => null,
    owner: () => null,
    startedAt: () => null,
    exists: (pid) => byPid.has(pid),
  };
}

// Parents and children in a list of processes. Pure.
import type { Process } from "../system/system.ts";

/** More parents than any real chain has: a loop in a torn reading ends here. */
const DEPTH = 64;

interface Index {
  byPid: Map<number, Process>;
  children: Map<number, Process[]>;
}

/** One reading of the process table is indexed once, whatever the number of panes that are looked up in it. */
const indexes = new WeakMap<Process[], Index>();

function indexOf(all: Process[]): Index {
  const known = indexes.get(all);
  if (known) return known;
  const index = {
    byPid: new Map(all.map((process) => [process.pid, process])),
    children: Map.groupBy(all, (process) => process.parent),
  };
  indexes.set(all, index);
  return index;
}

/** The process with that id, null when it is not in the list. */
export function findProcess(all: Process[], pid: number): Process | null {
  return indexOf(all).byPid.get(pid) ?? null;
}

/** The parents of a process, nearest first, without itself, as far as they are in the list. */
export function ancestors(all: Process[], pid: number): Process[] {
  return climb((parent) => findProcess(all, parent), pid);
}

/** The parents of a process, nearest first, without itself, each read in turn. */
export function climb(read: (pid: number) => Process | null, pid: number): Process[] {
  const found: Process[] = [];
  let at = read(pid);
  while (at && at.parent > 0 && found.length < DEPTH) {
    at = read(at.parent);
    if (at) found.push(at);
  }
  return found;
}

/** All processes below one, nearest generation first, without itself. */
export function descendants(all: Process[], pid: number): Process[] {
  const { children } = indexOf(all);
  const found: Process[] = [];
  const seen = new Set([pid]);
  for (let generation = [pid]; generation.length > 0;) {
    const next = generation.flatMap((parent) => children.get(parent) ?? []).filter(({ pid }) =>
      !seen.has(pid)
    );
    next.forEach((process) => seen.add(process.pid));
    found.push(...next);
    generation = next.map((process) => process.pid);
  }
  return found;
}

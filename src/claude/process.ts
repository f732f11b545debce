// Claude among processes: the one that holds a pane, and the chain above a hook.
import type { ClaudeProcess } from "../binding.ts";
import type { ChainLink } from "../identity/owner.ts";
import type { Process, Processes, System } from "../system/system.ts";
import {
  baseName,
  isClaude,
  isForkOf,
  isShell,
  kindOf,
  launches,
  type ProcessFacts,
  scriptIndex,
  versionOf,
} from "./program.ts";

export { isClaude } from "./program.ts";

/** A live Claude in a pane. */
export interface ClaudeFound {
  process: Process;
  argv: string[];
  /** Only from the executable's path; the registry knows more. */
  version: string | null;
  kind: ClaudeProcess["kind"];
  /** What the user's shell started that then started Claude without exec, e.g. "myclaude", else null. */
  wrapper: string | null;
}

/** A process proven to be Claude in another way (registry, an earlier binding), whatever it is called. */
export interface KnownClaude {
  pid: number;
  started: string;
}

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

/** The parents of a process, nearest first, without itself. */
export function ancestors(processes: Process[], pid: number): Process[] {
  const { byPid } = indexOf(processes);
  return climb((parent) => byPid.get(parent) ?? null, pid);
}

/** All processes below one, nearest generation first, without itself. */
export function descendants(all: Process[], pid: number): Process[] {
  const { children } = indexOf(all);
  const seen = new Set([pid]);
  const found: Process[] = [];
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

function climb(read: (pid: number) => Process | null, pid: number): Process[] {
  const found: Process[] = [];
  let at = read(pid);
  while (at && at.parent > 0 && found.length < DEPTH) {
    at = read(at.parent);
    if (at) found.push(at);
  }
  return found;
}

function factsOf(processes: Processes, process: Process): ProcessFacts {
  return { process, argv: processes.argv(process.pid), executable: processes.executable(process.pid) };
}

/** The chain above a process (a hook: `system.pid`), nearest first, ending with `until` when it is met. */
export function chainAbove(processes: Processes, pid: number, until?: number): ChainLink[] {
  const parents = climb((parent) => processes.read(parent), pid);
  const end = parents.findIndex((process) => process.pid === until);
  const facts = (end < 0 ? parents : parents.slice(0, end + 1)).map((process) => factsOf(processes, process));
  return facts.map((item, index) => toLink(item, facts.slice(0, index), facts[index + 1]));
}

function toLink(facts: ProcessFacts, nearer: ProcessFacts[], parent?: ProcessFacts): ChainLink {
  const { pid, started, name, terminal, session } = facts.process;
  const launcher = nearer.some((inner) => looksLikeClaude(inner) && launches(facts, inner));
  const fork = parent !== undefined && isForkOf(facts, parent);
  return {
    pid,
    started,
    name,
    terminal,
    session,
    isClaude: looksLikeClaude(facts) && !launcher && !fork,
    kind: kindOf(facts.argv),
    readable: facts.argv.length > 0,
  };
}

function looksLikeClaude({ process, argv, executable }: ProcessFacts): boolean {
  return isClaude(process, argv, executable);
}

/**
 * The Claude that holds a pane: its process or a descendant, stopped ones too (C-z), with the pane's terminal.
 * The one closest to the pane's process; among equals the one in the foreground, then the youngest.
 */
export function liveClaude(
  system: Pick<System, "processes">,
  all: Process[],
  pane: { pid: number },
  known: KnownClaude[] = [],
): ClaudeFound | null {
  const top = indexOf(all).byPid.get(pane.pid);
  if (!top || top.terminal === 0) return null;
  const onTerminal = [[top], descendants(all, top.pid)].flat().filter((process) =>
    process.terminal === top.terminal && process.state !== "Z" && process.state !== "X"
  );
  const claudes = onTerminal.map((process) => factsOf(system.processes, process))
    .filter((facts) => looksLikeClaude(facts) || known.some((entry) => isSame(entry, facts.process)));
  const holder = outermost(claudes, all);
  return holder && found(system.processes, all, holder, top);
}

function isSame(known: KnownClaude, process: Process): boolean {
  return known.pid === process.pid && known.started === process.started;
}

function outermost(claudes: ProcessFacts[], all: Process[]): ProcessFacts | null {
  const own = claudes.filter((outer) => !claudes.some((inner) => isLauncherOf(outer, inner, all)));
  const depth = (facts: ProcessFacts) => ancestors(all, facts.process.pid).length;
  const ranked = own.map((facts) => ({ facts, rank: [depth(facts), ...rankOf(facts.process)] }));
  ranked.sort((a, b) =>
    a.rank.map((value, index) => value - b.rank[index]).find((order) => order !== 0) ?? 0
  );
  return ranked[0]?.facts ?? null;
}

function isLauncherOf(outer: ProcessFacts, inner: ProcessFacts, all: Process[]): boolean {
  if (outer === inner || !launches(outer, inner)) return false;
  return ancestors(all, inner.process.pid).some(({ pid }) => pid === outer.process.pid);
}

function rankOf(process: Process): number[] {
  const background = process.group === process.foreground ? 0 : 1;
  const stopped = process.state === "T" ? 1 : 0;
  return [background, stopped, -process.pid];
}

function found(processes: Processes, all: Process[], facts: ProcessFacts, top: Process): ClaudeFound {
  return {
    process: facts.process,
    argv: facts.argv,
    version: versionOf(facts.executable),
    kind: kindOf(facts.argv),
    wrapper: wrapperOf(processes, all, facts.process, top),
  };
}

/** The outermost program between the pane's shell and Claude: what the user's command line started. */
function wrapperOf(processes: Processes, all: Process[], claude: Process, top: Process): string | null {
  const above = claude.pid === top.pid ? [] : ancestors(all, claude.pid);
  const within = above.slice(0, above.findIndex(({ pid }) => pid === top.pid) + 1);
  const names = within.map((process) => wrapperName(process, processes.argv(process.pid)));
  return names.findLast((name) => name !== null) ?? null;
}

/** A script by its file, a program by its name, null for a shell that runs no script. */
function wrapperName(process: Process, argv: string[]): string | null {
  const script = scriptIndex(argv);
  if (script > 0) return baseName(argv[script]);
  return isShell(argv) ? null : process.name;
}

// Claude among processes: the one that holds a pane, and the chain above a hook.
import { type ClaudeProcess, sameProcess } from "../binding.ts";
import type { ChainLink } from "../identity/owner.ts";
import { baseName } from "../path.ts";
import type { Process, Processes, System } from "../system/system.ts";
import {
  isClaude,
  isForkOf,
  isShell,
  kindOf,
  launches,
  type ProcessFacts,
  scriptIndex,
  versionOf,
} from "./program.ts";
import { ancestors, climb, descendants, findProcess } from "./process_tree.ts";

export { isClaude } from "./program.ts";
export { ancestors, descendants } from "./process_tree.ts";

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
  const top = findProcess(all, pane.pid);
  if (!top || top.terminal === 0) return null;
  const tree = [top, ...descendants(all, top.pid)];
  const onTerminal = tree.filter(({ terminal, state }) => terminal === top.terminal && !"ZX".includes(state));
  const claudes = onTerminal.map((process) => factsOf(system.processes, process))
    .filter((facts) => looksLikeClaude(facts) || known.some((entry) => sameProcess(entry, facts.process)));
  const holder = outermost(claudes, tree);
  return holder && found(system.processes, tree, holder);
}

/** `tree`: the pane's process and all below it. */
function outermost(claudes: ProcessFacts[], tree: Process[]): ProcessFacts | null {
  const own = claudes.filter((outer) => !claudes.some((inner) => isLauncherOf(outer, inner, tree)));
  const depth = (facts: ProcessFacts) => ancestors(tree, facts.process.pid).length;
  const ranked = own.map((facts) => ({ facts, rank: [depth(facts), ...rankOf(facts.process)] }));
  ranked.sort((a, b) =>
    a.rank.map((value, index) => value - b.rank[index]).find((order) => order !== 0) ?? 0
  );
  return ranked[0]?.facts ?? null;
}

function isLauncherOf(outer: ProcessFacts, inner: ProcessFacts, tree: Process[]): boolean {
  if (outer === inner || !launches(outer, inner)) return false;
  return ancestors(tree, inner.process.pid).some(({ pid }) => pid === outer.process.pid);
}

function rankOf(process: Process): number[] {
  const background = process.group === process.foreground ? 0 : 1;
  const stopped = process.state === "T" ? 1 : 0;
  return [background, stopped, -process.pid];
}

function found(processes: Processes, tree: Process[], facts: ProcessFacts): ClaudeFound {
  return {
    process: facts.process,
    argv: facts.argv,
    version: versionOf(facts.executable),
    kind: kindOf(facts.argv),
    wrapper: wrapperOf(processes, ancestors(tree, facts.process.pid)),
  };
}

/** The outermost program between the pane's shell and Claude: what the user's command line started. */
function wrapperOf(processes: Processes, above: Process[]): string | null {
  const names = above.map((process) => wrapperName(process, processes.argv(process.pid)));
  return names.findLast((name) => name !== null) ?? null;
}

/** A script by its file, a program by its name, null for a shell that runs no script. */
function wrapperName(process: Process, argv: string[]): string | null {
  const script = scriptIndex(argv);
  if (script > 0) return baseName(argv[script]);
  return isShell(argv) ? null : process.name;
}

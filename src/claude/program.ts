// Is this program Claude, and for whom does it work? Decided from what the kernel tells about one process; pure.
import type { ClaudeProcess } from "../binding.ts";
import { SHELL_NAMES } from "../line/shell.ts";
import { baseName } from "../path.ts";
import type { Process } from "../system/system.ts";

/** A process with the two things that are read beside its stat line. */
export interface ProcessFacts {
  process: Process;
  argv: string[];
  executable: string | null;
}

const SHELLS = new Set(SHELL_NAMES);
const SCRIPT_RUNNERS = new Set(["node", "nodejs", "bun", "deno"]);
const INTERPRETERS = new Set([...SHELLS, ...SCRIPT_RUNNERS, "python", "ruby", "perl"]);
/** Options of interpreters that take the next word: `node -r hook.js cli.js`. */
const TAKES_NEXT = new Set([
  "-r",
  "--require",
  "--import",
  "--loader",
  "-C",
  "-o",
  "+o",
  "-O",
  "-W",
  "--rcfile",
]);
const BARE_VERSION = /^\d+\.\d+\.\d+(?:[-+.][0-9A-Za-z.]+)?$/;
const CLI_SCRIPT = /\/claude-code(?:[-@][^/]*)?\/(?:[^/]+\/)*cli(?:-[a-z]+)?\.[cm]?js$/;
/** Subcommands that hold or show background sessions, the daemon's own processes included. */
const BACKGROUND = /^(daemon|bg-[a-z-]+|attach|agents)$/;
const TOOLS =
  /^(mcp|plugin|plugins|doctor|install|update|upgrade|auth|setup-token|config|purge|rm|stop|kill)$/;

/** `-bash` (a login shell) and `claude` padded with blanks (2.0.76) by their plain names. */
function programName(argv: string[]): string {
  return baseName((argv[0] ?? "").trim().replace(/^-/, ""));
}

/** `python3.11` as python, `zsh-5.9` as zsh. */
function withoutVersion(name: string): string {
  return name.replace(/-?[\d.]+$/, "") || name;
}

/** The interpreter's plain name when argv starts with one, else null. */
function interpreterOf(argv: string[]): string | null {
  const name = withoutVersion(programName(argv));
  return INTERPRETERS.has(name) ? name : null;
}

/** True for a shell whatever it runs. */
export function isShell(argv: string[]): boolean {
  return SHELLS.has(interpreterOf(argv) ?? "");
}

/** Where in argv the interpreter's script stands, -1 without one (`bash`, `bash -c "claude"`, `node -e …`). */
export function scriptIndex(argv: string[]): number {
  const interpreter = interpreterOf(argv);
  if (interpreter === null) return -1;
  let index = 1;
  if (interpreter === "busybox") index = 2;
  for (; index < argv.length; index++) {
    const word = argv[index];
    if (takesCode(word)) return -1;
    if (TAKES_NEXT.has(word)) index++;
    else if (!/^[-+]/.test(word) && !(word === "run" && SCRIPT_RUNNERS.has(interpreter))) return index;
  }
  return -1;
}

/** `-c`, also within `-lc`; `-e`, `-p`, `-m`; `--eval`, `--print`, `--command`. */
function takesCode(word: string): boolean {
  return /^-[a-z]*c[a-z]*$/i.test(word) && word !== "-C" ||
    /^(-e|-p|-pe|-m|-s|--eval|--print|--command|--command=.*|--eval=.*)$/.test(word);
}

function isClaudeScript(path: string): boolean {
  return baseName(path) === "claude" || CLI_SCRIPT.test(path);
}

/**
 * True when the process is Claude by its kernel name, its own name, its script or its executable. Claude shows
 * as `claude`, `node`, a bare version number or a shell script (public reports: agent-deck#1786, claude-code#49852).
 * `vim claude` and `bash -c claude` are not. A renamed executable is not seen here: the registry proves it.
 */
export function isClaude(process: Process, argv: string[], executable: string | null): boolean {
  if (process.name === "claude" || programName(argv) === "claude") return true;
  const script = scriptIndex(argv);
  if (script > 0 && isClaudeScript(argv[script])) return true;
  if (executable === null) return false;
  if (executable.includes("/claude/versions/")) return true;
  const versioned = BARE_VERSION.test(process.name) || BARE_VERSION.test(programName(argv));
  return versioned && executable.includes("claude");
}

/** The arguments after the program, or after the script when an interpreter runs it. */
export function argumentsOf(argv: string[]): string[] {
  return argv.slice(Math.max(scriptIndex(argv), 0) + 1);
}

/** For whom a Claude works, from its arguments. */
export function kindOf(argv: string[]): ClaudeProcess["kind"] {
  const words = argumentsOf(argv);
  if (words.some((word) => /^--agent-(id|name)(=|$)/.test(word))) return "teammate";
  if (BACKGROUND.test(words[0] ?? "") || words.some((word) => /^--(bg|background)$/.test(word))) {
    return "background";
  }
  if (TOOLS.test(words[0] ?? "") || words.some((word) => /^(-c?p[a-z]*|--print)$/.test(word))) {
    return "headless";
  }
  return "interactive";
}

/** The version in the path of an installed executable (`…/claude/versions/2.1.34`), else null. Never runs it. */
export function versionOf(executable: string | null): string | null {
  const name = /\/versions\/([^/]+)/.exec(executable ?? "")?.[1] ?? "";
  return BARE_VERSION.test(name) ? name : null;
}

/**
 * True when `outer` only starts `inner` and waits: a shell or Python script called claude, or the script of the
 * npm package that hands its arguments to the native program. Both then look like Claude; `inner` is the one.
 */
export function launches(outer: ProcessFacts, inner: ProcessFacts): boolean {
  if (!isTogether(outer, inner) || isSameProgram(outer, inner)) return false;
  if (!isRuntime(outer)) return isScript(outer);
  const same = argumentsOf(outer.argv).join("\0") === argumentsOf(inner.argv).join("\0");
  return same && inner.process.parent === outer.process.pid;
}

/** True when `copy` is a fork of `original` that runs no other program (yet): a subshell of a script. */
export function isForkOf(copy: ProcessFacts, original: ProcessFacts): boolean {
  const isChild = copy.process.parent === original.process.pid;
  return isChild && isTogether(original, copy) && isSameProgram(original, copy);
}

function isTogether(a: ProcessFacts, b: ProcessFacts): boolean {
  return a.process.group === b.process.group && a.process.terminal === b.process.terminal;
}

function isSameProgram(a: ProcessFacts, b: ProcessFacts): boolean {
  return a.executable === b.executable && a.argv.join("\0") === b.argv.join("\0");
}

function isScript(facts: ProcessFacts): boolean {
  return scriptIndex(facts.argv) > 0;
}

function isRuntime(facts: ProcessFacts): boolean {
  return SCRIPT_RUNNERS.has(interpreterOf(facts.argv) ?? "");
}

// The launch arguments that still apply when a conversation is resumed. An allow-list: what is not known is
// dropped. Read as Claude's own parser (commander) reads them; written so that no flag can swallow its neighbour.
import { argumentsOf } from "./program.ts";

/**
 * How Claude reads a flag: `none` has no value, `one` takes the next word whatever it is, `maybe` takes it unless
 * it begins with a dash, `many` takes all words up to the next dash, `each` is `one` that may be repeated.
 */
type Arity = "none" | "one" | "maybe" | "many" | "each";

/** From `claude --help` and the program text of 2.1.197 and 2.1.332. */
const KEPT: Record<string, Arity> = {
  "--add-dir": "many",
  "--advisor": "one",
  "--agent": "one",
  "--agents": "one",
  "--allow-dangerously-skip-permissions": "none",
  "--allowedTools": "many",
  "--append-system-prompt": "one",
  "--append-system-prompt-file": "one",
  "--autocompact": "one",
  "--ax-screen-reader": "none",
  "--bare": "none",
  "--betas": "many",
  "--brief": "none",
  "--channels": "many",
  "--chrome": "none",
  "--dangerously-load-development-channels": "many",
  "--dangerously-skip-permissions": "none",
  "--debug": "maybe",
  "--debug-file": "one",
  "--disable-slash-commands": "none",
  "--disallowedTools": "many",
  "--effort": "one",
  "--enable-auto-mode": "none",
  "--exclude-dynamic-system-prompt-sections": "none",
  "--fallback-model": "one",
  "--ide": "none",
  "--max-thinking-tokens": "one",
  "--mcp-config": "many",
  "--model": "one",
  "--no-chrome": "none",
  "--permission-mode": "one",
  "--plugin-dir": "each",
  "--plugin-dir-no-mcp": "each",
  "--plugin-url": "each",
  "--restricted": "none",
  "--safe-mode": "none",
  "--setting-sources": "one",
  "--settings": "one",
  "--strict-mcp-config": "none",
  "--system-prompt": "one",
  "--system-prompt-file": "one",
  "--system-prompt-snapshot": "one",
  "--teammate-mode": "one",
  "--thinking": "one",
  "--tools": "many",
  "--verbose": "none",
};

/** Never replayed, but their value must not be read as a flag of its own (`-n --verbose`). */
const DROPPED_WITH_VALUE = new Set(
  ("--name --session-id --agent-id --agent-name --agent-color --agent-type --team-name --parent-session-id " +
    "--input-format --output-format --json-schema --max-budget-usd --max-turns --permission-prompt-tool " +
    "--permission-prompts --prefill --prefill-b64 --resume-session-at --rewind-files --environment --sdk-url " +
    "--task-budget --workload --managed-settings --remote-control-session-name-prefix --inherit-permission-mode")
    .split(" "),
);

const ALIASES: Record<string, string> = {
  "--allowed-tools": "--allowedTools",
  "--disallowed-tools": "--disallowedTools",
};
const SHORT: Record<string, string> = {
  c: "--continue",
  d: "--debug",
  h: "--help",
  n: "--name",
  p: "--print",
  r: "--resume",
  v: "--version",
  w: "--worktree",
};
const SHORT_WITH_VALUE = "dnrw";
/** Flags that set one thing: the last one given counts. */
const SAME_THING: Record<string, string> = { "--no-chrome": "--chrome" };

interface Given {
  flag: string;
  value: string | null;
}

/**
 * The arguments of a Claude that apply again on a resume, each once, in the order given. Takes a whole argv (with
 * program or interpreter) or its own output: doing it twice changes nothing. A title that hides the arguments
 * (2.0.76) gives [].
 */
export function launchArguments(argv: string[]): string[] {
  const kept = new Map<string, string>();
  for (const given of read(stripInterpreter(argv))) {
    const arity = KEPT[given.flag];
    const key = arity === "many" || arity === "each" ? `${given.flag}=${given.value}` : given.flag;
    kept.set(SAME_THING[key] ?? key, given.value === null ? given.flag : `${given.flag}=${given.value}`);
  }
  return [...kept.values()];
}

/** argv without the program, or without interpreter and script: `node --inspect cli.js -c` gives `-c`. */
export function stripInterpreter(argv: string[]): string[] {
  return argv[0]?.startsWith("--") ? argv : argumentsOf(argv);
}

function read(words: string[]): Given[] {
  const found: Given[] = [];
  const rest = expandShort(words);
  for (let index = 0; index < rest.length; index++) {
    const { flag, value } = split(rest[index]);
    if (flag === "--") break;
    const taken = value === null ? taking(flag, rest.slice(index + 1)) : [value];
    if (value === null) index += taken.length;
    if (Object.hasOwn(KEPT, flag)) found.push(...toGiven(flag, taken));
  }
  return found;
}

function toGiven(flag: string, values: string[]): Given[] {
  const arity = KEPT[flag];
  if (arity === "none") return values.length === 0 ? [{ flag, value: null }] : [];
  if (values.length > 0) return values.map((value) => ({ flag, value }));
  return arity === "maybe" ? [{ flag, value: null }] : [];
}

/** `--flag=value` in two, under the flag's first name. Anything but a long flag has no flag. */
function split(word: string): Given {
  if (!word.startsWith("--")) return { flag: "", value: null };
  const equals = word.indexOf("=");
  const flag = equals < 0 ? word : word.slice(0, equals);
  return { flag: ALIASES[flag] ?? flag, value: equals < 0 ? null : word.slice(equals + 1) };
}

/** The words behind a flag that are its values. */
function taking(flag: string, next: string[]): string[] {
  const arity = Object.hasOwn(KEPT, flag) ? KEPT[flag] : DROPPED_WITH_VALUE.has(flag) ? "one" : "none";
  if (arity === "one" || arity === "each") return next.slice(0, 1);
  const words = next.findIndex((word) => word.length > 1 && word.startsWith("-"));
  const plain = words < 0 ? next : next.slice(0, words);
  if (arity === "many") return [...next.slice(0, 1), ...(plain.length > 0 ? plain.slice(1) : [])];
  return arity === "maybe" ? plain.slice(0, 1) : [];
}

/** `-dw` and `-nNAME` as long flags, as commander takes them apart. The value of a short flag stays with it. */
function expandShort(words: string[]): string[] {
  return words.flatMap((word) => /^-[a-z]/.test(word) ? expandCluster(word.slice(1)) : [word]);
}

function expandCluster(letters: string): string[] {
  const flag = SHORT[letters[0]];
  if (!flag) return [];
  const rest = letters.slice(1);
  if (rest === "") return [flag];
  return SHORT_WITH_VALUE.includes(letters[0]) ? [`${flag}=${rest}`] : [flag, ...expandCluster(rest)];
}

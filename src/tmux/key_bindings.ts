// Key bindings of the prefix table: as the running server prints them, or as a tmux.conf says them. Pure but for one
// question to the server.
import { runTmux, type Tmux } from "./client.ts";

export interface KeyBinding {
  /** As tmux prints it: `r`, `M-r`, `\;`. */
  key: string;
  /** -r: the key may be repeated. */
  repeat: boolean;
  /** The command, in tmux's own quoting, ready to be written behind another bind-key. */
  command: string;
}

/**
 * The prefix table of a running server. Asked for as a whole (3.7c prints nothing when asked for one key) and through
 * if-shell (list-keys alone would start a server). Throws TmuxError.
 */
export async function readBindings(tmux: Tmux, limitMs: number): Promise<KeyBinding[]> {
  return parseBindings(await runTmux(tmux, [["if-shell", "-F", "1", "list-keys -T prefix"]], limitMs));
}

const PRINTED = /^bind-key\s+(-r\s+)?-T\s+prefix\s+(\S+)\s+(.*)$/;

/** What list-keys printed, line by line. */
export function parseBindings(text: string): KeyBinding[] {
  return text.split("\n").flatMap((line) => {
    const found = PRINTED.exec(line);
    return found ? [{ key: found[2], repeat: found[1] !== undefined, command: found[3].trimEnd() }] : [];
  });
}

/** The bindings of the prefix table that a tmux.conf makes, the last one of a key only. */
export function bindingsInConf(text: string): KeyBinding[] {
  const byKey = new Map<string, KeyBinding>();
  for (const line of logicalLines(text)) {
    const unbound = /^\s*unbind(?:-key)?\s+(\S+)\s*$/.exec(line)?.[1];
    if (unbound) byKey.delete(unbound);
    const binding = parseWritten(line);
    if (binding) byKey.set(binding.key, binding);
  }
  return [...byKey.values()];
}

const WORD = /^(?:"[^"]*"|'[^']*'|\S+)\s*/;

/** One `bind [-r] [-T prefix] [-N note] key command` line, null for anything else. */
function parseWritten(line: string): KeyBinding | null {
  let rest = /^\s*bind(?:-key)?\s+(.*)$/s.exec(line)?.[1] ?? "";
  const next = () => {
    const word = WORD.exec(rest)?.[0] ?? "";
    rest = rest.slice(word.length);
    return word.trim().replace(/^(["'])(.*)\1$/s, "$2");
  };
  let repeat = false;
  let key = next();
  while (/^-[A-Za-z]/.test(key)) {
    const [, letters, valued, attached] = /^-([^TN]*)([TN]?)(.*)$/s.exec(key)!;
    const value = valued && (attached || next());
    if (letters.includes("n") || (valued === "T" && value !== "prefix")) return null;
    repeat ||= letters.includes("r");
    key = next();
  }
  return key === "" || rest === "" ? null : { key, repeat, command: rest.trim() };
}

/** Lines joined where a backslash or an open brace lets them go on; comments left out. */
function logicalLines(text: string): string[] {
  const lines: string[] = [];
  let open = "";
  for (const raw of text.replaceAll("\r\n", "\n").split("\n")) {
    if (open === "" && /^\s*#/.test(raw)) continue;
    const joined = open + raw;
    const goesOn = /(^|[^\\])(\\\\)*\\$/.test(joined);
    if (goesOn) open = joined.slice(0, -1);
    else if (openBraces(joined) > 0) open = `${joined}\n`;
    else {
      lines.push(joined);
      open = "";
    }
  }
  return lines;
}

/** How many braces of command blocks are open: `{` at a line's end, `}` at a line's start. */
function openBraces(text: string): number {
  const lines = text.split("\n");
  const opened = lines.filter((line) => /(^|\s)\{\s*(#.*)?$/.test(line)).length;
  return opened - lines.filter((line) => /^\s*\}/.test(line)).length;
}

/** Whether a command loads a tmux configuration again, by itself or through a shell. */
export function isReload(command: string): boolean {
  return /\bsource(-file)?\b.*conf/is.test(command);
}

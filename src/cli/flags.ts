// The flags that more than one command has, so that they read the same everywhere.
import { ExitCode, UserError } from "../errors.ts";
import { isKey } from "../install/key_names.ts";

export const json = {
  kind: "boolean",
  brief: "Print one JSON object and nothing else",
  optional: true,
  withNegated: false,
} as const;
export const dryRun = {
  kind: "boolean",
  brief: "Say what would be done, do nothing",
  optional: true,
  withNegated: false,
} as const;
export const socket = text("Socket of the tmux server (default: the one you are in)", "PATH");
export const pane = text("The pane, by its id", "%ID");

/** A flag with a text value. */
export function text(brief: string, placeholder: string) {
  return { kind: "parsed", parse: String, brief, placeholder, optional: true } as const;
}

/** A switch that is off unless given. */
export function toggle(brief: string) {
  return { kind: "boolean", brief, optional: true, withNegated: false } as const;
}

/** A flag with one of some values. */
export function choice<T extends string>(brief: string, values: readonly T[]) {
  return { kind: "enum", values, brief, optional: true } as const;
}

/** A flag with a whole number that is not negative. */
export function count(brief: string, placeholder = "N") {
  const parse = (value: string) => {
    if (!/^\d+$/.test(value)) throw new SyntaxError(`"${value}" is not a whole number`);
    return Number(value);
  };
  return { kind: "parsed", parse, brief, placeholder, optional: true } as const;
}

/** A flag with a key as tmux's bind-key takes it. */
export function key(brief: string) {
  const parse = (value: string) => {
    if (!isKey(value)) throw new SyntaxError(`"${value}" is no key of tmux such as g, M-r or F5`);
    return value;
  };
  return { kind: "parsed", parse, brief, placeholder: "KEY", optional: true } as const;
}

/** A flag with a size such as 16G, 512M or a plain number of bytes. */
export function size(brief: string) {
  return { kind: "parsed", parse: parseSize, brief, placeholder: "SIZE", optional: true } as const;
}

/** Bytes of "16G", "512M", "1.5GiB", "1048576". Throws SyntaxError. Pure. */
function parseSize(value: string): number {
  const found = /^(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?$/i.exec(value.trim());
  if (!found) throw new SyntaxError(`"${value}" is not a size such as 16G or 512M`);
  const power = " KMGT".indexOf(found[2].toUpperCase() || " ");
  return Math.round(Number(found[1]) * 1024 ** power);
}

/**
 * Milliseconds since the epoch of an ISO time or "YYYY-MM-DD HH:MM" (local). Throws UserError, which shows the flag as
 * it is to be given.
 */
export function parseTime(value: string, example = '--at "2026-11-30 09:15"'): number {
  const time = Date.parse(value.trim().replace(/^(\d{4}-\d\d-\d\d) (\d)/, "$1T$2"));
  if (!Number.isNaN(time)) return time;
  const what = `Cannot read the time "${value}"`;
  throw new UserError(what, "it is no date and time", `Give it like ${example}`, ExitCode.usage);
}

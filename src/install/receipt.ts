// What install did on this machine, written down in our data folder so that uninstall can take exactly that back.
import { toRecord, toText, toTexts } from "../from_disk.ts";
import { reasonOf, UserError } from "../errors.ts";
import { writeAtomic } from "../state/atomic.ts";
import { readPlainText } from "../system/plain_file.ts";
import type { System } from "../system/system.ts";
import type { Change, Outcome } from "./edit.ts";
import { type Step, undo } from "./steps.ts";

/** One foreign file that install changed. */
export interface FileReceipt {
  path: string;
  /** There was no such file before. */
  created: boolean;
  /** There was no such folder either. */
  made_folder: boolean;
  steps: Step[];
  made: string[];
  /** SHA-256 of the file as it was before the first change, while nobody else changed it since; null for none. */
  before: string | null;
  /** SHA-256 of the file as we left it. */
  after: string;
  backups: string[];
}

/** What the keys did before, in tmux's own words (a command as list-keys prints it), null for nothing. */
export interface KeyReceipt {
  key: string;
  menu_key: string | null;
  /** The key that the reload binding moved to, and its command. */
  moved_to: string | null;
  moved: string | null;
  /** What `key` did, when that was something else than reloading. */
  before: string | null;
  /** Whether it was bound with -r. */
  repeat: boolean;
}

/** The tmux.conf that install wrote to, null when it wrote to none. */
export function registeredConf(receipt: Receipt | null): string | null {
  return receipt?.files.find((file) => !file.path.endsWith("/settings.json"))?.path ?? null;
}

export interface Receipt {
  schema: 1;
  program: string;
  files: FileReceipt[];
  keys: KeyReceipt | null;
}

/** Our data folder: `$XDG_DATA_HOME/tmuxclaude` (if absolute), else `~/.local/share/tmuxclaude`. Throws UserError. */
export function dataFolder(system: System): string {
  const xdg = system.env("XDG_DATA_HOME") ?? "";
  return `${xdg.startsWith("/") ? xdg.replace(/\/+$/, "") : `${homeFolder(system)}/.local/share`}/tmuxclaude`;
}

/** The user's home. Throws UserError when HOME is not an absolute path. */
export function homeFolder(system: System): string {
  const home = system.env("HOME") ?? "";
  if (home.startsWith("/")) return home.replace(/(?<=.)\/+$/, "");
  const why = home === "" ? "the variable HOME is not set" : `HOME is "${home}", not an absolute path`;
  throw new UserError("Cannot find your configuration", why, "Set HOME to your home folder, then try again");
}

/** Where the receipt is. Throws UserError as dataFolder does. */
export function receiptPath(system: System): string {
  return `${dataFolder(system)}/install.json`;
}

/**
 * The receipt, null when there is none or it says nothing (then files are taken back by structure). Throws UserError when
 * the disk does not give it: it may be there the next time, and without it nothing is taken back byte for byte.
 */
export function readReceipt(system: System): Receipt | null {
  const path = receiptPath(system);
  try {
    return system.files.stat(path) ? parseReceipt(readPlainText(system, path)) : null;
  } catch (error) {
    const next = "Check its permissions, then try again";
    throw new UserError(`Cannot read "${path}"`, reasonOf(error), next, undefined, { cause: error });
  }
}

function parseReceipt(text: string): Receipt | null {
  try {
    return toReceipt(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The receipt in a value from disk. Unknown or broken parts are left out. */
export function toReceipt(value: unknown): Receipt | null {
  const found = toRecord(value);
  if (!found || found.schema !== 1) return null;
  const files = Array.isArray(found.files) ? found.files.map(toFile).filter((file) => file !== null) : [];
  return { schema: 1, program: toText(found.program) ?? "", files, keys: toKeys(found.keys) };
}

function toFile(value: unknown): FileReceipt | null {
  const found = toRecord(value);
  const path = toText(found?.path);
  if (!found || path === null) return null;
  return {
    path,
    created: found.created === true,
    made_folder: found.made_folder === true,
    steps: (Array.isArray(found.steps) ? found.steps : []).map(toStep).filter((step) => step !== null),
    made: toTexts(found.made),
    before: toText(found.before),
    after: toText(found.after) ?? "",
    backups: toTexts(found.backups),
  };
}

function toStep(value: unknown): Step | null {
  const found = toRecord(value);
  const [before, removed, inserted] = [found?.before, found?.removed, found?.inserted].map(toText);
  if (before === null || removed === null || inserted === null) return null;
  return { at: Number.isInteger(found?.at) ? found!.at as number : -1, before, removed, inserted };
}

function toKeys(value: unknown): KeyReceipt | null {
  const found = toRecord(value);
  const key = toText(found?.key);
  if (!found || key === null) return null;
  const [menu_key, moved_to, moved, before] = [found.menu_key, found.moved_to, found.moved, found.before].map(
    toText,
  );
  return { key, menu_key, moved_to, moved, before, repeat: found.repeat === true };
}

/** Makes our data folder. Throws UserError when it cannot be used. */
export function prepareData(system: System): void {
  const folder = dataFolder(system);
  try {
    if (!system.files.stat(folder)) system.files.makeDir(folder, 0o700);
  } catch (error) {
    const next = "Check its permissions and the free space, or set XDG_DATA_HOME to a folder of your own";
    throw new UserError(`Cannot use "${folder}"`, reasonOf(error), next, undefined, { cause: error });
  }
}

/** Writes the receipt into our data folder. Throws UserError. */
export function writeReceipt(system: System, receipt: Receipt): void {
  prepareData(system);
  writeAtomic(system, receiptPath(system), JSON.stringify(receipt, null, 2) + "\n");
}

/** The receipt of a file after one more change of ours. */
export async function noteChange(
  known: FileReceipt | undefined,
  outcome: Pick<Extract<Outcome, { outcome: "changed" }>, "path" | "change" | "backup">,
): Promise<FileReceipt> {
  const { change, backup, path } = outcome;
  const before = change.before === null ? null : await sha256(change.before);
  // Somebody may have put back a text without our entries: then what was noted about them says nothing any more.
  const earlier = known && undo(change.before ?? "", known.steps) !== null ? known : null;
  return {
    path,
    created: known?.created ?? change.before === null,
    made_folder: known?.made_folder ?? change.madeFolder,
    steps: [...earlier?.steps ?? [], ...change.steps],
    made: [...new Set([...earlier?.made ?? [], ...change.made])],
    before: earlier === null ? before : earlier.after === before ? earlier.before : null,
    after: await sha256(change.after ?? ""),
    backups: [...known?.backups ?? [], ...(backup ? [backup] : [])],
  };
}

/** Whether the change gave the file back exactly as it was before install. */
export async function isExact(known: FileReceipt | undefined, change: Change): Promise<boolean> {
  if (!known) return false;
  if (change.after === null) return known.created;
  return known.before === await sha256(change.after);
}

/** The digest of a text's UTF-8 bytes, in hexadecimal. */
export async function sha256(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toHex();
}

// Whole files, replaced in one step: a reader, a crash or kill -9 sees the old text or the new one, never a third.
import { reasonOf, UserError } from "../errors.ts";
import { folderOf } from "../path.ts";
import { plan } from "../system/dry_run.ts";
import type { System } from "../system/system.ts";

const TEMP = /^\.tmuxclaude-[0-9a-f]+\.tmp$/;
/** Temporary files older than this (ms) were left by a process that was killed. */
export const TEMP_AGE_MS = 3_600_000;

export interface WriteOptions {
  mode?: number;
  /** The last moment at which the old file may be looked at; what it throws stops the write. */
  beforeRename?: () => void;
}

const encoder = new TextEncoder();

/**
 * Replaces a file: a new temporary file beside it, synced, renamed over it, folder synced. A link at the path is
 * replaced, not followed. Throws UserError naming the file; then the old text is still there and no temporary file.
 */
export function writeAtomic(
  system: System,
  path: string,
  text: string | Uint8Array,
  options: WriteOptions = {},
): void {
  if (system.dryRun) return plan(system, `write ${path}`);
  const folder = folderOf(path);
  const temp = `${folder}/.tmuxclaude-${system.randomHex(8)}.tmp`;
  try {
    writeTemp(system, temp, text, options.mode);
    options.beforeRename?.();
    system.files.rename(temp, path);
  } catch (error) {
    removeQuietly(system, temp);
    const next = "Check the folder's permissions and the free space, then try again";
    throw new UserError(`Cannot write "${path}"`, reasonOf(error), next, undefined, { cause: error });
  }
  syncFolder(system, folder);
}

function writeTemp(system: System, temp: string, text: string | Uint8Array, mode?: number): void {
  using file = system.files.open(temp, { write: true, createNew: true, mode: 0o600 });
  // The umask took bits away at creation; a mode that was asked for is meant exactly.
  if (mode !== undefined) system.files.chmod(temp, mode);
  file.write(typeof text === "string" ? encoder.encode(text) : text);
  // Errors of a full disk may show up only here.
  file.sync();
}

/** Makes the rename itself durable. The new text is in place already, so a file system that refuses is no failure. */
function syncFolder(system: System, folder: string): void {
  try {
    using opened = system.files.open(folder, { read: true });
    opened.sync();
  } catch {
    // Some file systems cannot sync a folder.
  }
}

/** Removes what is at the path if that can be done. */
export function removeQuietly(system: System, path: string): void {
  if (system.dryRun) return plan(system, `remove ${path}`);
  try {
    system.files.remove(path);
  } catch {
    // The next sweep tries again.
  }
}

/** Removes our temporary files older than an hour: their writers were killed. Never throws: the next sweep tries again. */
export function sweepTemps(system: System, folder: string): void {
  try {
    for (const name of system.files.list(folder)) {
      if (!TEMP.test(name)) continue;
      const facts = system.files.lstat(`${folder}/${name}`);
      if (facts && system.now() - facts.modified > TEMP_AGE_MS) removeQuietly(system, `${folder}/${name}`);
    }
  } catch {
    // A folder that cannot be looked into cannot be swept.
  }
}

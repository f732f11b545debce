// Changing a file that is not ours: read, plan, back up, write beside it, look again, rename. What can go wrong leaves
// the file as it was. The caller holds the install lock.
import { reasonOf, UserError } from "../errors.ts";
import { folderOf } from "../path.ts";
import { removeQuietly, sweepTemps, writeAtomic } from "../state/atomic.ts";
import { readPlainBytes } from "../system/plain_file.ts";
import type { FileFacts, System } from "../system/system.ts";
import { keepBackup } from "./backup.ts";
import { decode, encode, type TextKind } from "./bytes.ts";
import type { Edit, Outcome, PlanEdit } from "./edit.ts";
import { resolveTarget, type Target } from "./target.ts";

/** Larger than any configuration, in bytes. */
const LARGEST = 64 * 1024 * 1024;
/** How often we start again when somebody else writes the file meanwhile. */
const TRIES = 4;

/** Refused by somebody else's write between our read and our rename. */
class ChangedMeanwhile extends Error {}

/** Edits a foreign file by a plan made from its text. Never throws for what the file is or does. */
export async function editForeign(system: System, path: string, plan: PlanEdit): Promise<Outcome> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const outcome = await tryOnce(system, path, plan);
    if (outcome) return outcome;
  }
  return { outcome: "by_hand", path, target: null, reason: "another program keeps writing it" };
}

async function tryOnce(system: System, path: string, plan: PlanEdit): Promise<Outcome | null> {
  const resolved = resolveTarget(system, path);
  if ("reason" in resolved) return { outcome: "by_hand", path, target: null, reason: resolved.reason };
  const { target } = resolved;
  const read = readTarget(system, target);
  if ("reason" in read) return { outcome: "by_hand", path, target: target.path, reason: read.reason };
  const edit = await plan(read.text);
  if (edit.kind === "unchanged") return { outcome: "unchanged", path, target: target.path };
  if (edit.kind === "refused") return { outcome: "by_hand", path, target: target.path, reason: edit.reason };
  if (edit.kind === "removed") return remove(system, path, target, read);
  return write(system, path, target, read, edit);
}

interface ReadFile {
  text: string | null;
  bytes: Uint8Array | null;
  kind: TextKind;
}

function readTarget(system: System, target: Target): ReadFile | { reason: string } {
  if (!target.facts) return { text: null, bytes: null, kind: "utf-8" };
  try {
    const bytes = readPlainBytes(system, target.path, LARGEST);
    const decoded = decode(bytes);
    return "reason" in decoded ? decoded : { ...decoded, bytes };
  } catch (error) {
    return { reason: `it cannot be read: ${reasonOf(error)}` };
  }
}

type Changed = Extract<Edit, { kind: "changed" }>;

function write(system: System, path: string, target: Target, read: ReadFile, edit: Changed): Outcome | null {
  const bytes = encode(edit.text, read.kind);
  if (!bytes) return { outcome: "by_hand", path, target: target.path, reason: "it is not UTF-8 text" };
  let backup: string | null = null;
  let madeFolder = false;
  try {
    madeFolder = prepareFolder(system, target);
    // Left by an install that was killed.
    sweepTemps(system, folderOf(target.path));
    backup = read.bytes && keepBackup(system, target.path, read.bytes, target.facts!.mode);
    replace(system, target, read.bytes, bytes);
  } catch (error) {
    if (backup) removeQuietly(system, backup);
    if (isChanged(error)) return null;
    return { outcome: "by_hand", path, target: target.path, reason: writeReason(error) };
  }
  const change = { before: read.text, after: edit.text, steps: edit.steps, made: edit.made, madeFolder };
  return { outcome: "changed", path, target: target.path, change, backup: system.dryRun ? null : backup };
}

function remove(system: System, path: string, target: Target, read: ReadFile): Outcome | null {
  if (!isUnchanged(system, target, read.bytes)) return null;
  try {
    system.files.remove(target.path);
  } catch (error) {
    return {
      outcome: "by_hand",
      path,
      target: target.path,
      reason: `it cannot be removed: ${reasonOf(error)}`,
    };
  }
  const change = { before: read.text, after: null, steps: [], made: [], madeFolder: false };
  return { outcome: "changed", path, target: target.path, change, backup: null };
}

function replace(system: System, target: Target, old: Uint8Array | null, bytes: Uint8Array): void {
  const mode = target.facts?.mode ?? 0o600;
  writeAtomic(system, target.path, bytes, {
    mode,
    beforeRename: () => {
      if (!isUnchanged(system, target, old)) throw new ChangedMeanwhile("somebody else wrote it");
    },
  });
}

function prepareFolder(system: System, target: Target): boolean {
  const folder = folderOf(target.path);
  if (system.files.stat(folder)) return false;
  system.files.makeDir(folder, 0o700);
  return true;
}

/** Size, time and inode, and then the bytes themselves: a write within the clock's grain shows only there. */
function isUnchanged(system: System, target: Target, old: Uint8Array | null): boolean {
  const now = system.files.lstat(target.path);
  if (!now || !target.facts || !old) return !now && !target.facts;
  return sameFile(now, target.facts) && isEqual(readPlainBytes(system, target.path, LARGEST), old);
}

function sameFile(a: FileFacts, b: FileFacts): boolean {
  return a.size === b.size && a.modified === b.modified && a.inode === b.inode;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function isChanged(error: unknown): boolean {
  return error instanceof UserError && error.cause instanceof ChangedMeanwhile;
}

function writeReason(error: unknown): string {
  return error instanceof UserError
    ? `it cannot be written: ${error.why}`
    : `it cannot be written: ${reasonOf(error)}`;
}

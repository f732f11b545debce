// Opening files of ours: never through a planted link, never a FIFO, never another user's, never readable by others.
import { UserError } from "../errors.ts";
import type { FileFacts, OpenFile, System } from "../system/system.ts";
import { FILE_MODE, isForeign, refusal, tighten, unusable } from "./paths.ts";

export interface OwnFlags {
  read?: boolean;
  write?: boolean;
  append?: boolean;
}

/** What acts on a file of ours throw becomes a UserError that names it. */
export function naming<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof UserError ? error : unusable(path, error);
  }
}

/** Facts about a file of ours, null when it is missing. Throws UserError when something else is there. */
export function ownFacts(system: System, path: string): FileFacts | null {
  const facts = naming(path, () => system.files.lstat(path));
  if (!facts) return null;
  if (facts.kind !== "file") throw refusal(path, `it is ${KIND[facts.kind]}, not a regular file`);
  if (isForeign(system, facts)) throw refusal(path, `it belongs to another user (id ${facts.owner})`);
  return facts;
}

const KIND = { file: "a file", directory: "a folder", link: "a symbolic link", other: "a device or pipe" };

/** Opens a file of ours for writing, makes it (0600) when it is missing. Throws UserError when it is not ours. */
export function openOwn(system: System, path: string, flags: OwnFlags): OpenFile {
  return naming(path, () => openExisting(system, path, flags) ?? openNew(system, path, flags));
}

/** Opens a file of ours for reading, null when it is missing. Throws UserError when it is not ours. */
export function openToRead(system: System, path: string): OpenFile | null {
  return ownFacts(system, path) && naming(path, () => system.files.open(path, { read: true }));
}

function openExisting(system: System, path: string, flags: OwnFlags): OpenFile | null {
  const facts = ownFacts(system, path);
  if (!facts) return null;
  if (facts.mode & 0o077) tighten(system, path, FILE_MODE);
  return system.files.open(path, flags);
}

function openNew(system: System, path: string, flags: OwnFlags): OpenFile {
  try {
    return system.files.open(path, { ...flags, createNew: true, mode: FILE_MODE });
  } catch (error) {
    // Another process was first: what it made is looked at like any other.
    const existing = error instanceof Deno.errors.AlreadyExists ? openExisting(system, path, flags) : null;
    if (existing) return existing;
    throw error;
  }
}

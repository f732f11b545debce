// A disk that fails: every act on files can be the one that does not work.
import type { Files, OpenFile, OpenFlags } from "../../src/system/system.ts";

const CHANGES = [
  "open",
  "write",
  "sync",
  "tryLock",
  "rename",
  "chmod",
  "makeDir",
  "remove",
  "symlink",
] as const;
/** What takes room on a disk. */
const SPACE = ["open", "write", "sync", "rename", "makeDir", "symlink"] as const;
const READS = ["stat", "lstat", "list", "readText", "readLink", "realPath", "openToRead", "read"] as const;

const KINDS = { changes: CHANGES, space: SPACE, reads: READS };

/** One act on files; the second group changes nothing. */
export type FileAct = (typeof CHANGES)[number] | (typeof READS)[number];

export interface Act {
  act: FileAct;
  path: string;
}

export interface Fault {
  /** The act that fails, counted from 1. */
  at: number;
  error: Error;
  /** What counts: acts that change something (the default), only those that take room, those that change nothing. */
  of?: keyof typeof KINDS;
  /** So does every one after it, as on a disk that stays full. */
  forever?: boolean;
  /** A write that fails has written a part before, as on a disk that has just become full. */
  torn?: boolean;
}

/** Reading is tried at every third act, unless FAULTS=all. */
export function nextAct({ of }: Pick<Fault, "of">, at: number): number {
  return of === "reads" && Deno.env.get("FAULTS") !== "all" ? at + 3 : at + 1;
}

export const DISK_FULL = new Error("No space left on device (os error 28)");
export const DENIED = new Deno.errors.PermissionDenied("Permission denied (os error 13)");
export const READ_ONLY = new Error("Read-only file system (os error 30)");
export const BROKEN = new Error("Input/output error (os error 5)");
export const CROSS_DEVICE = new Error("Invalid cross-device link (os error 18)");

/** Files with a fault. `acts` collects what counted, up to and after the one that failed. */
export function failingFiles(files: Files, fault: Fault, acts: Act[] = []): Files {
  const attempt: Attempt = (act, path, run, before = () => {}) => {
    if (!counts(fault, act)) return run();
    acts.push({ act, path });
    if (acts.length !== fault.at && !(fault.forever && acts.length > fault.at)) return run();
    before();
    throw told(fault.error, act, path);
  };
  return {
    stat: (path) => attempt("stat", path, () => files.stat(path)),
    lstat: (path) => attempt("lstat", path, () => files.lstat(path)),
    list: (path) => attempt("list", path, () => files.list(path)),
    readText: (path) => attempt("readText", path, () => files.readText(path)),
    readLink: (path) => attempt("readLink", path, () => files.readLink(path)),
    realPath: (path) => attempt("realPath", path, () => files.realPath(path)),
    open: (path, flags) => {
      const act = isWrite(flags) ? "open" : "openToRead";
      const file = attempt(act, path, () => files.open(path, flags));
      return failingFile(file, path, { attempt, torn: fault.torn ?? false });
    },
    makeDir: (path, mode) => attempt("makeDir", path, () => files.makeDir(path, mode)),
    rename: (from, to) => attempt("rename", to, () => files.rename(from, to)),
    remove: (path, options) => attempt("remove", path, () => files.remove(path, options)),
    chmod: (path, mode) => attempt("chmod", path, () => files.chmod(path, mode)),
    symlink: (target, path) => attempt("symlink", path, () => files.symlink(target, path)),
    makeTempDir: (prefix) => files.makeTempDir(prefix),
  };
}

/** Of acts on an open file the system does not say which file it was. */
const NAMELESS: FileAct[] = ["write", "sync", "tryLock", "read"];

function told(error: Error, act: FileAct, path: string): Error {
  if (NAMELESS.includes(act)) return error;
  const kind = error instanceof Deno.errors.PermissionDenied ? Deno.errors.PermissionDenied : Error;
  return new kind(`${error.message}: ${act} '${path}'`, { cause: error });
}

/** Whether an error is that fault, as it was thrown. */
export function isFault(error: unknown, fault: Error): boolean {
  return error === fault || (error instanceof Error && error.cause === fault);
}

type Attempt = <T>(act: FileAct, path: string, run: () => T, before?: () => void) => T;

function counts({ of = "changes" }: Fault, act: FileAct): boolean {
  return KINDS[of].some((kind) => kind === act);
}

function isWrite(flags: OpenFlags): boolean {
  return Boolean(flags.write || flags.append || flags.createNew);
}

function failingFile(file: OpenFile, path: string, how: { attempt: Attempt; torn: boolean }): OpenFile {
  const { attempt, torn } = how;
  const part = (bytes: Uint8Array) => () => torn && file.write(bytes.subarray(0, bytes.length >> 1));
  return {
    ...file,
    read: (into) => attempt("read", path, () => file.read(into)),
    write: (bytes) => attempt("write", path, () => file.write(bytes), part(bytes)),
    sync: () => attempt("sync", path, () => file.sync()),
    tryLock: (exclusive) => attempt("tryLock", path, () => file.tryLock(exclusive)),
  };
}

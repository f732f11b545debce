// Files through Deno's own calls, synchronous: the hook's time is mostly start-up, and promises add to it.
import type { FileFacts, Files, OpenFile } from "./system.ts";

function facts(info: Deno.FileInfo): FileFacts {
  const kind = info.isFile ? "file" : info.isDirectory ? "directory" : info.isSymlink ? "link" : "other";
  return {
    kind,
    size: info.size,
    modified: info.mtime?.getTime() ?? 0,
    mode: (info.mode ?? 0) & 0o7777,
    owner: info.uid ?? 0,
    inode: info.ino ?? 0,
  };
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += file.writeSync(bytes.subarray(done));
}

function openFile(file: Deno.FsFile): OpenFile {
  return {
    read: (into) => file.readSync(into) ?? 0,
    write: (bytes) => writeAll(file, bytes),
    seek: (offset) => void file.seekSync(offset, Deno.SeekMode.Start),
    size: () => file.statSync().size,
    sync: () => file.syncSync(),
    tryLock: (exclusive) => file.tryLockSync(exclusive),
    unlock: () => file.unlockSync(),
    [Symbol.dispose]: () => file.close(),
  };
}

function list(path: string): string[] {
  return orNull(() => [...Deno.readDirSync(path)].map((entry) => entry.name)) ?? [];
}

export const realFiles: Files = {
  stat: (path) => orNull(() => facts(Deno.statSync(path))),
  lstat: (path) => orNull(() => facts(Deno.lstatSync(path))),
  list,
  readText: (path) => Deno.readTextFileSync(path),
  readLink: (path) => Deno.readLinkSync(path),
  realPath: (path) => Deno.realPathSync(path),
  open: (path, flags) => openFile(Deno.openSync(path, flags)),
  makeDir: (path, mode) => Deno.mkdirSync(path, { recursive: true, mode }),
  rename: (from, to) => Deno.renameSync(from, to),
  remove: (path, options) => void orNull(() => Deno.removeSync(path, options)),
  chmod: (path, mode) => Deno.chmodSync(path, mode),
  symlink: (target, path) => Deno.symlinkSync(target, path),
  makeTempDir: (prefix) => Deno.makeTempDirSync({ prefix }),
};

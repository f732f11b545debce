// Whole files that others may have put something else in the place of. Opening a pipe would wait for its writer, and a
// file of any size would take any memory.
import { readFully } from "./bytes.ts";
import type { System } from "./system.ts";

type FilesOnly = Pick<System, "files">;

/** Larger than anything that is read whole, in bytes. */
const LIMIT = 8 * 1024 * 1024;

/** The bytes of a regular file. Throws for anything else, for a file of more than `limit` bytes, and what reading throws. */
export function readPlainBytes(system: FilesOnly, path: string, limit = LIMIT): Uint8Array {
  const kind = system.files.stat(path)?.kind;
  if (kind === undefined) throw new Deno.errors.NotFound(`there is no ${path}`);
  if (kind !== "file") throw new Error(`${path} is ${kind === "directory" ? "a folder" : "no regular file"}`);
  using file = system.files.open(path, { read: true });
  const size = file.size();
  if (size > limit) throw new Error(`${path} has ${size} bytes, more than ${limit}`);
  return readFully(file, new Uint8Array(size));
}

/** Its text; what is no UTF-8 is replaced. */
export function readPlainText(system: FilesOnly, path: string, limit = LIMIT): string {
  return new TextDecoder().decode(readPlainBytes(system, path, limit));
}

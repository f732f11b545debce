// Pieces of files that may be huge, half-written or no files at all.
import type { OpenFile, System } from "../system/system.ts";

/** Most files are short: clearing memory for the longest piece would cost more than reading them. */
const FIRST = 16 * 1024;

/** The text of at most `length` bytes from `offset`. Throws what opening throws; the caller made sure it is a file. */
export function readPiece(
  system: Pick<System, "files">,
  path: string,
  offset: number,
  length: number,
): string {
  using file = system.files.open(path, { read: true });
  if (offset > 0) file.seek(offset);
  const first = fill(file, new Uint8Array(Math.min(length, FIRST)), 0);
  if (first.length < FIRST || length <= FIRST) return new TextDecoder().decode(first);
  const bytes = new Uint8Array(length);
  bytes.set(first);
  return new TextDecoder().decode(fill(file, bytes, FIRST));
}

/** Reads on until the bytes are full or the file ends; what was read, with what stood before `from`. */
function fill(file: OpenFile, bytes: Uint8Array, from: number): Uint8Array {
  let size = from;
  for (let count = -1; size < bytes.length && count !== 0; size += count) {
    count = file.read(bytes.subarray(size));
  }
  return bytes.subarray(0, size);
}

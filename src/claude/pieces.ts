// Pieces of files that may be huge, half-written or no files at all.
import { readFully } from "../system/bytes.ts";
import type { System } from "../system/system.ts";

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
  const first = readFully(file, new Uint8Array(Math.min(length, FIRST)));
  if (first.length < FIRST || length <= FIRST) return new TextDecoder().decode(first);
  const bytes = new Uint8Array(length);
  bytes.set(first);
  return new TextDecoder().decode(readFully(file, bytes, FIRST));
}

// Pieces of files that may be huge, half-written or no files at all.
import type { System } from "../system/system.ts";

/** The text of at most `length` bytes from `offset`. Throws what opening throws; the caller made sure it is a file. */
export function readPiece(
  system: Pick<System, "files">,
  path: string,
  offset: number,
  length: number,
): string {
  using file = system.files.open(path, { read: true });
  if (offset > 0) file.seek(offset);
  const bytes = new Uint8Array(length);
  let size = 0;
  while (size < length) {
    const count = file.read(bytes.subarray(size));
    if (count === 0) break;
    size += count;
  }
  return new TextDecoder().decode(bytes.subarray(0, size));
}

// Bytes of files, which the kernel may give in any pieces.
import type { OpenFile } from "./system.ts";

/** Reads on until the bytes are full or the file ends; what was read, with what stood before `from`. */
export function readFully(file: Pick<OpenFile, "read">, into: Uint8Array, from = 0): Uint8Array {
  let size = from;
  for (let count = -1; size < into.length && count !== 0; size += count) {
    count = file.read(into.subarray(size));
  }
  return into.subarray(0, size);
}

/** The parts as one. */
export function concatenated(parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

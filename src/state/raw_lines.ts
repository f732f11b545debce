// Lines of a file that may be huge, torn or garbage, in bounded memory.
import type { OpenFile } from "../system/system.ts";

/** A longer line (bytes) is garbage and not kept in memory. */
const LINE_LIMIT = 256 * 1024;
const CHUNK = 1024 * 1024;
const NEWLINE = 10;
const NOTHING = new Uint8Array(0);

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The lines from an offset to the end, as text; null for one that is too long or no UTF-8. Blank ones are left out. */
export function* textLines(file: OpenFile, from = 0): Generator<string | null> {
  for (const bytes of rawLines(file, from)) {
    const text = bytes && decode(bytes);
    if (text !== "") yield text;
  }
}

/**
 * The lines of the last `window` bytes. A line that begins before them is left out: reading starts one byte
 * earlier, so that what is skipped is that line's rest, or nothing when a line begins just there.
 */
export function* lastTextLines(file: OpenFile, window: number): Generator<string | null> {
  const from = file.size() - window;
  if (from <= 0) return yield* textLines(file);
  const lines = rawLines(file, from - 1);
  lines.next();
  for (const bytes of lines) {
    const text = bytes && decode(bytes);
    if (text !== "") yield text;
  }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** The bytes are valid until the next line is asked for. */
function* rawLines(file: OpenFile, from: number): Generator<Uint8Array | null> {
  const chunk = new Uint8Array(CHUNK);
  let rest: Uint8Array | null = NOTHING;
  file.seek(from);
  for (let count = file.read(chunk); count > 0; count = file.read(chunk)) {
    const bytes = chunk.subarray(0, count);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      yield join(rest, bytes.subarray(start, end));
      rest = NOTHING;
      start = end + 1;
    }
    rest = join(rest, bytes.slice(start));
  }
  if (rest === null || rest.length > 0) yield rest;
}

/** Null stands for a line that has become too long. */
function join(rest: Uint8Array | null, more: Uint8Array): Uint8Array | null {
  if (rest === null || rest.length + more.length > LINE_LIMIT) return null;
  if (rest.length === 0) return more;
  const both = new Uint8Array(rest.length + more.length);
  both.set(rest);
  both.set(more, rest.length);
  return both;
}

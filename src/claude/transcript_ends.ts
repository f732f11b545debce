// The two ends of a transcript: where it began and where it went on last. The middle is never read.
import { parseRecord, toText } from "../from_disk.ts";
import { readFully } from "../system/bytes.ts";
import type { OpenFile, System } from "../system/system.ts";
import { hasMessage } from "./messages.ts";
import { titleIn } from "./titles.ts";

/** What one end tells; null where it does not. */
interface End {
  cwd: string | null;
  /** Milliseconds since the epoch. */
  time: number | null;
  /** `cli`, or `sdk-cli` and such where nobody sat at it. */
  entrypoint: string | null;
}

export interface TranscriptEnds {
  first: End;
  last: End;
  title: string | null;
  /** Without messages there is nothing to resume. */
  hasMessages: boolean;
}

/** The first folder mostly stands within the first 2 KB; a long first prompt may come before it. */
const HEADS = [8 * 1024, 96 * 1024];
/** New versions write lines of more than 60 KB. */
const TAILS = [16 * 1024, 160 * 1024];

/** Reads both ends. Throws what opening and reading throw. */
export function readEnds(system: Pick<System, "files">, path: string, size: number): TranscriptEnds {
  using file = system.files.open(path, { read: true });
  const head = firstThat(HEADS, size, (length) => headOf(read(file, 0, length)));
  const tail = size <= HEADS[0]
    ? tailOf(head.text)
    : firstThat(TAILS, size, (length) =>
      tailOf(withoutFirst(read(file, size - length, length), size > length)));
  const title = titleIn(tail.text) ?? titleIn(head.text);
  return {
    first: head.end,
    last: tail.end,
    title: title?.title ?? null,
    hasMessages: hasMessage(head.text) || hasMessage(tail.text) || size > HEADS[1] + TAILS[1],
  };
}

interface Piece {
  text: string;
  end: End;
  isWhole: boolean;
}

/** The first piece that tells all, else the longest. */
function firstThat(lengths: number[], size: number, look: (length: number) => Piece): Piece {
  const piece = look(Math.min(lengths[0], size));
  return piece.isWhole || size <= lengths[0] ? piece : look(Math.min(lengths[1], size));
}

function read(file: OpenFile, offset: number, length: number): string {
  file.seek(offset);
  return new TextDecoder().decode(readFully(file, new Uint8Array(length)));
}

/** A piece from the middle begins within a line. */
function withoutFirst(text: string, isCut: boolean): string {
  return isCut ? text.slice(text.indexOf("\n") + 1) : text;
}

function headOf(text: string): Piece {
  return collect(text, text.split("\n"));
}

function tailOf(text: string): Piece {
  return collect(text, text.split("\n").reverse());
}

/** Of each fact the first that stands in the lines. Lines that are cut off, or no objects, are passed over. */
function collect(text: string, lines: string[]): Piece {
  const end: End = { cwd: null, time: null, entrypoint: null };
  for (const line of lines) {
    if (end.cwd !== null && end.time !== null) break;
    const found = /"(cwd|timestamp)"/.test(line) ? parseRecord(line) : null;
    if (!found) continue;
    const time = Date.parse(toText(found.timestamp) ?? "");
    const cwd = toText(found.cwd);
    if (end.time === null && !Number.isNaN(time)) end.time = time;
    if (end.cwd === null && cwd?.startsWith("/")) {
      Object.assign(end, { cwd, entrypoint: toText(found.entrypoint) });
    }
  }
  return { text, end, isWhole: end.cwd !== null && end.time !== null };
}

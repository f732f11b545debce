// The append-only log of bindings. Appending is on the hook's path: a few synchronous calls, one write a line.
import { readFully } from "../system/bytes.ts";
import { plan } from "../system/dry_run.ts";
import type { OpenFile, System } from "../system/system.ts";
import { formatLine, type JournalLine, type NewJournalLine, parseLine, parseSeq } from "./journal_line.ts";
import { withLock } from "./lock.ts";
import { naming, openOwn, openToRead } from "./own_file.ts";
import { prepareState, type StatePaths, statePaths } from "./paths.ts";
import { lastTextLines } from "./raw_lines.ts";
import { placeBySeq, readSpool, type Spooled, spoolSeq, writeSpool } from "./spool.ts";

export type { JournalEvent, JournalLine, JournalPane, NewJournalLine } from "./journal_line.ts";
export { trimJournal } from "./trim.ts";

export interface Journal {
  /** Oldest first. */
  lines: JournalLine[];
  /** Lines that cannot be read. */
  bad: number;
  /** Lines of a newer tmuxclaude: left alone. */
  newer: number;
}

/** How long the hook waits for a trim, in milliseconds. */
const WAIT_MS = 300;
/** What a reader looks at, at most, from the end. */
const WINDOW = 8 * 1024 * 1024;
/** Where the last line is looked for, in bytes from the end; the longer ones for a very long one. */
const TAILS = [4 * 1024, 64 * 1024, 256 * 1024];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Adds a line. It is never lost for want of the lock: then it goes to a file of its own (spool). Throws when the
 * journal cannot be used (then the line is in the spool if that works) or nothing can be written at all.
 */
export async function appendJournal(system: System, line: NewJournalLine): Promise<void> {
  await appendJournalLines(system, [line]);
}

/** Adds lines in their order, each under the promise of `appendJournal`. The lock is taken once for all. */
export async function appendJournalLines(system: System, lines: NewJournalLine[]): Promise<void> {
  if (lines.length === 0) return;
  if (system.dryRun) return plan(system, `append to ${statePaths(system).journal}`);
  const paths = prepareState(system);
  const options = { exclusive: false, waitMs: WAIT_MS };
  const waiting = [...lines];
  try {
    await withLock(system, paths.journalLock, options, () => append(system, paths, waiting));
  } finally {
    for (const line of waiting) spool(system, paths, line);
  }
}

/** Takes out of `waiting` what is in the journal now. One write a line, so that lines of others stay whole. */
function append(system: System, paths: StatePaths, waiting: NewJournalLine[]): void {
  using file = openOwn(system, paths.journal, { read: true, append: true });
  naming(paths.journal, () => {
    const tail = readTail(file);
    // A writer that was killed left half a line: without a newline it would swallow this one too.
    let start = tail.torn ? "\n" : "";
    for (let seq = Math.max(tail.seq, spoolSeq(system, paths)) + 1; waiting.length > 0; seq++) {
      file.write(encoder.encode(`${start}${formatLine(waiting[0], seq)}\n`));
      waiting.shift();
      start = "";
    }
  });
}

function spool(system: System, paths: StatePaths, line: NewJournalLine): void {
  const seq = Math.max(journalSeq(system, paths), spoolSeq(system, paths)) + 1;
  writeSpool(system, paths, formatLine(line, seq), seq);
}

function journalSeq(system: System, paths: StatePaths): number {
  try {
    using file = openToRead(system, paths.journal);
    return file ? readTail(file).seq : 0;
  } catch {
    return 0;
  }
}

/** The seq of the last line that can be read, and whether the file ends within a line. */
function readTail(file: OpenFile): { seq: number; torn: boolean } {
  const size = file.size();
  let torn = false;
  for (const length of TAILS) {
    const bytes = readLast(file, Math.min(length, size), size);
    torn = bytes.length > 0 && bytes[bytes.length - 1] !== 10;
    const seq = lastSeq(decoder.decode(bytes));
    if (seq !== null) return { seq, torn };
    if (length >= size) break;
  }
  return { seq: 0, torn };
}

function readLast(file: OpenFile, length: number, size: number): Uint8Array {
  file.seek(size - length);
  return readFully(file, new Uint8Array(length));
}

function lastSeq(text: string): number | null {
  for (let end = text.length; end > 0;) {
    const start = text.lastIndexOf("\n", end - 1);
    const seq = start + 1 < end ? parseSeq(text.slice(start + 1, end)) : null;
    if (seq !== null) return seq;
    end = start;
  }
  return null;
}

/** The journal, oldest line first, in the order of the file (clocks jump). Reads at most its last 8 MB. */
export function readJournal(system: System): Journal {
  const paths = statePaths(system);
  // The spool first: a trim between the two reads moves lines from it into the journal.
  const spooled = readSpool(system, paths);
  const journal: Journal = { lines: [], bad: 0, newer: 0 };
  const merged = readFile(system, paths.journal, journal, spooled);
  const waiting: Journal = { lines: [], bad: 0, newer: 0 };
  for (const { texts } of spooled) {
    for (const text of texts) if (text === null || !merged.has(text)) count(waiting, text);
  }
  return {
    lines: placeBySeq(journal.lines, waiting.lines),
    bad: journal.bad + waiting.bad,
    newer: journal.newer + waiting.newer,
  };
}

/** Fills `into` and returns which spooled lines are in the file already. */
function readFile(system: System, path: string, into: Journal, spooled: Spooled[]): Set<string> {
  const known = new Set(spooled.flatMap(({ texts }) => texts));
  const merged = new Set<string>();
  using file = openToRead(system, path);
  if (!file) return merged;
  return naming(path, () => {
    for (const text of lastTextLines(file, WINDOW)) {
      if (text !== null && known.has(text)) merged.add(text);
      count(into, text);
    }
    return merged;
  });
}

function count(journal: Journal, text: string | null): void {
  const read = parseLine(text);
  if (read.kind === "line") journal.lines.push(read.line);
  else journal[read.kind]++;
}

// What one line of the journal says: its type, its text, and what is accepted back. Pure.
import { type Binding, type PaneAddress, type ServerLife, type SessionId, sessionId } from "../binding.ts";
import { parseRecord, toAddress, toBinding, toRecord, toServerLife, toText } from "../from_disk.ts";

/** The number of the shape that is written. */
export const JOURNAL_SCHEMA = 1;

const EVENTS = ["start", "rename", "end", "revive", "restore", "bind"] as const;
export type JournalEvent = (typeof EVENTS)[number];

/** Where a line was written from. */
export type JournalPane = ServerLife & PaneAddress & { pane_id: string };

/** A binding and what happened to it; `at` is the time of the line. */
export interface JournalLine extends Binding {
  schema: typeof JOURNAL_SCHEMA;
  /** Grows along the file; only a tie-breaker (two writers may take the same). */
  seq: number;
  event: JournalEvent;
  /** Of `start`: Claude's source; of `end`: its reason. */
  source: string | null;
  /** What this pane held before, when that changed. */
  previous_id: SessionId | null;
  tmux: JournalPane | null;
}

export type NewJournalLine = Omit<JournalLine, "schema" | "seq">;

/** A line as read: usable, written by a newer tmuxclaude, or bad. */
export type ReadLine = { kind: "line"; line: JournalLine } | { kind: "newer"; seq: number } | { kind: "bad" };

/** Longest line in bytes. */
export const LINE_BYTES = 64 * 1024;

const encoder = new TextEncoder();
const BAD: ReadLine = { kind: "bad" };

/** The line in a text of the journal. */
export function parseLine(text: string | null): ReadLine {
  const found = parseRecord(text);
  const seq = found && toSeq(found.seq);
  if (!found || seq === null) return BAD;
  if (isNewer(found.schema)) return { kind: "newer", seq };
  const line = found.schema === JOURNAL_SCHEMA ? toLine(found, seq) : null;
  return line ? { kind: "line", line } : BAD;
}

/** Whether a schema number is one that only a newer version can read. */
export function isNewer(schema: unknown): boolean {
  return typeof schema === "number" && schema > JOURNAL_SCHEMA;
}

/** The sequence number in a text of the journal, null when there is none to trust. */
export function parseSeq(text: string): number | null {
  return toSeq(parseRecord(text)?.seq);
}

function toSeq(value: unknown): number | null {
  return Number.isSafeInteger(value) && Number.isSafeInteger(value as number + 1) && value as number >= 0
    ? value as number
    : null;
}

function toLine(found: Record<string, unknown>, seq: number): JournalLine | null {
  const binding = toBinding(found);
  const event = EVENTS.find((known) => known === found.event);
  if (!binding || !event) return null;
  return {
    schema: JOURNAL_SCHEMA,
    seq,
    event,
    source: toText(found.source),
    previous_id: sessionId(found.previous_id),
    tmux: toPane(found.tmux),
    ...binding,
  };
}

function toPane(value: unknown): JournalPane | null {
  const life = toServerLife(value);
  const address = toAddress(value);
  const paneId = toText(toRecord(value)?.pane_id);
  return life && address && paneId !== null && /^%\d+$/.test(paneId)
    ? { ...life, ...address, pane_id: paneId }
    : null;
}

/** The text of a line, without its newline, at most 64 KB: what matters least goes first. */
export function formatLine(line: NewJournalLine, seq: number): string {
  let whole: JournalLine = { schema: JOURNAL_SCHEMA, seq, ...line };
  let text = JSON.stringify(whole);
  while (encoder.encode(text).length > LINE_BYTES) {
    const shorter = shorten(whole);
    if (!shorter) throw new RangeError(`Cannot write a journal line of more than ${LINE_BYTES} bytes`);
    whole = shorter;
    text = JSON.stringify(whole);
  }
  return text;
}

function shorten(line: JournalLine): JournalLine | null {
  if (line.names.length > 0) return { ...line, names: line.names.slice(1) };
  if (line.chain.length > 0) return { ...line, chain: line.chain.slice(0, -1) };
  if (line.arguments.length > 0) return { ...line, arguments: [] };
  if (line.name !== null || line.transcript !== null) return { ...line, name: null, transcript: null };
  return line.episode === null && line.reason === null ? null : { ...line, episode: null, reason: null };
}

// Keeps the journal short and merges the spool. Called by `manifest` alone, so that the hook's path stays short.
import type { System } from "../system/system.ts";
import { sweepTemps, writeAtomic } from "./atomic.ts";
import { type JournalLine, parseLine } from "./journal_line.ts";
import { withLock } from "./lock.ts";
import { naming, openToRead, ownFacts } from "./own_file.ts";
import { prepareState, type StatePaths, statePaths } from "./paths.ts";
import { textLines } from "./raw_lines.ts";
import { placeBySeq, readSpool, removeSpooled, type Spooled } from "./spool.ts";

/** Trimming starts above this many lines … */
const TRIM_ABOVE = 1_200;
/** … and leaves this many, plus what must not go. */
const KEEP = 1_000;
/** Not worth rewriting the file for fewer. */
const WORTH = 200;
/** A larger file (bytes) is rewritten for any line that can go. */
const LARGE = 8 * 1024 * 1024;

/** A line as the choice needs it: the text stays in the file until it is known what is kept. */
interface Entry {
  seq: number;
  /** Null: of a newer tmuxclaude, not ours to drop. */
  of: { session: string; folder: string } | null;
  /** The live pane it is about, null when it is about none. */
  live: string | null;
  /** The text of a spooled line; null for one in the journal. */
  text: string | null;
}

/** Names the live pane that a line is about, null when that pane is gone. */
export type LivePane = (line: JournalLine) => string | null;

interface Survey {
  entries: Entry[];
  bad: number;
  /** Spooled texts that an earlier merge, killed half-way, has put in the journal already. */
  merged: Set<string>;
}

/**
 * Trims the journal to about 1,000 lines when it has more than 1,200, and merges the spool. Never drops the newest
 * line of a conversation, of a folder or of a live pane. Skipped while anyone holds the lock. Returns how many lines
 * were dropped.
 */
export async function trimJournal(system: System, livePane: LivePane): Promise<number> {
  const { root } = statePaths(system);
  if (!naming(root, () => system.files.lstat(root))) return 0;
  const paths = prepareState(system);
  const options = { exclusive: true, waitMs: 0 };
  const work = () => naming(paths.journal, () => trim(system, paths, livePane));
  const done = await withLock(system, paths.journalLock, options, work);
  return done.held ? done.value : 0;
}

function trim(system: System, paths: StatePaths, livePane: LivePane): number {
  sweepTemps(system, paths.root);
  const spooled = readSpool(system, paths);
  const found = survey(system, paths, spooled, livePane);
  const all = placeBySeq(found.entries, spooledEntries(spooled, found.merged, livePane));
  const kept = isLong(system, paths, all.length + found.bad) ? choose(all) : new Set(all);
  const dropped = all.length - kept.size;
  if (spooled.length === 0 && !isWorthIt(system, paths, dropped + found.bad)) return 0;
  writeAtomic(system, paths.journal, collect(system, paths, all, kept));
  removeSpooled(system, spooled);
  return dropped;
}

function isLong(system: System, paths: StatePaths, lines: number): boolean {
  return lines > TRIM_ABOVE || isLarge(system, paths);
}

function isWorthIt(system: System, paths: StatePaths, gone: number): boolean {
  return gone >= WORTH || (gone > 0 && isLarge(system, paths));
}

function isLarge(system: System, paths: StatePaths): boolean {
  return (ownFacts(system, paths.journal)?.size ?? 0) > LARGE;
}

function survey(
  system: System,
  paths: StatePaths,
  spooled: Spooled[],
  livePane: LivePane,
): Survey {
  const known = new Set(spooled.flatMap(({ texts }) => texts));
  const found: Survey = { entries: [], bad: 0, merged: new Set() };
  using file = openToRead(system, paths.journal);
  if (!file) return found;
  for (const text of textLines(file)) {
    const entry = toEntry(text, livePane);
    if (!entry) found.bad++;
    else found.entries.push(entry);
    if (text !== null && known.has(text)) found.merged.add(text);
  }
  return found;
}

function spooledEntries(
  spooled: Spooled[],
  merged: Set<string>,
  livePane: LivePane,
): Entry[] {
  return spooled.flatMap(({ texts }) => texts).flatMap((text) => {
    const entry = text === null || merged.has(text) ? null : toEntry(text, livePane);
    return entry ? [{ ...entry, text }] : [];
  });
}

function toEntry(text: string | null, livePane: LivePane): Entry | null {
  const read = parseLine(text);
  if (read.kind === "bad") return null;
  if (read.kind === "newer") return { seq: read.seq, of: null, live: null, text: null };
  const { seq, session_id, cwd } = read.line;
  return { seq, of: { session: session_id, folder: cwd }, live: livePane(read.line), text: null };
}

/** The last 1,000, the newest of each conversation, of each folder and of each live pane, and what is not ours. */
function choose(all: Entry[]): Set<Entry> {
  const newest = new Map<string, Entry>();
  const kept = new Set(all.slice(-KEEP));
  for (const entry of all) {
    if (!entry.of) kept.add(entry);
    else for (const key of keysOf(entry.of, entry.live)) newest.set(key, entry);
  }
  for (const entry of newest.values()) kept.add(entry);
  return kept;
}

function keysOf({ session, folder }: { session: string; folder: string }, pane: string | null): string[] {
  return [`id ${session}`, `folder ${folder}`, ...(pane === null ? [] : [`pane ${pane}`])];
}

/** The text of the new journal: reads the old one again, which cannot have changed under the exclusive lock. */
function collect(system: System, paths: StatePaths, all: Entry[], kept: Set<Entry>): string {
  using file = openToRead(system, paths.journal);
  const texts = file ? usable(textLines(file)) : [].values();
  const lines: string[] = [];
  for (const entry of all) {
    const text = entry.text ?? texts.next().value;
    if (text && kept.has(entry)) lines.push(text);
  }
  return lines.map((line) => `${line}\n`).join("");
}

function* usable(texts: Iterable<string | null>): Generator<string> {
  for (const text of texts) if (text !== null && parseLine(text).kind !== "bad") yield text;
}

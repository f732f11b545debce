// The records of the past that can be read: manifests of ours, life by life, and tmux-resurrect's saves.
import { sameLife, type ServerLife } from "../binding.ts";
import { reasonOf } from "../errors.ts";
import type { Boot } from "../recover/boots.ts";
import type { EndedLife } from "../recover/crash.ts";
import { conversationsOf, withJournal } from "../recover/journal_record.ts";
import { isCredible, type LifeSpan, lived, serverLives } from "../recover/lives.ts";
import { fromManifest, fromSave, type PastRecord } from "../recover/past.ts";
import { type JournalLine, readJournal } from "../state/journal.ts";
import { countBindings } from "../state/manifest.ts";
import { listHeads, readWhole, type SnapshotHead } from "../state/snapshot_heads.ts";
import type { System } from "../system/system.ts";
import { currentSave, saveFolders } from "../tmux/resurrect.ts";
import { listSaves, readSave, type SaveFile } from "../tmux/saves.ts";

/** Where the past of one tmux server is kept. */
export interface Archive {
  system: System;
  socket: string;
  /** Newest first. */
  heads: SnapshotHead[];
  journal: JournalLine[];
  /** Newest first. */
  saves: SaveFile[];
  /** The save behind `last`, null when it leads nowhere. */
  pointed: string | null;
}

/** Saves that are read at most: a few days of them. */
const MOST_SAVES = 200;
/** Manifests of one life that are read at most to find one with conversations. */
const MOST_MANIFESTS = 100;

/** Opens the archive; nothing but names and heads is read yet. `option` is @resurrect-dir, "" when not set or known. */
export function openArchive(
  system: System,
  where: { socket: string; option: string; journal: JournalLine[] },
): Archive {
  const heads = listHeads(system, where.socket);
  const known = heads.length > 0 ? readWhole(system, heads[0])?.resurrect.folder ?? null : null;
  const folders = [...new Set([...saveFolders(system, where.option), ...(known === null ? [] : [known])])];
  const saves = folders.flatMap((folder) => listSaves(system, folder)).sort((a, b) => b.time - a.time);
  const pointed = currentSave(system, where.option).save;
  return { system, socket: where.socket, heads, journal: where.journal, saves, pointed };
}

/** The journal, oldest line first; where it cannot be read, nothing and the reason. */
export function journalOrNone(system: System): { lines: JournalLine[]; reason: string | null } {
  try {
    return { lines: readJournal(system).lines, reason: null };
  } catch (error) {
    return { lines: [], reason: reasonOf(error) };
  }
}

/** A life of the server with its last record. */
export interface RecordedLife extends EndedLife {
  record: PastRecord | null;
  isRunning: boolean;
}

/** All lives that left a trace, newest first, each read when it is asked for. */
export function* recordedLives(archive: Archive, running: ServerLife | null): Generator<RecordedLife> {
  const { system, heads, journal, socket } = archive;
  const records = heads.map(({ life, time }) => ({ life, time }));
  for (const span of serverLives({ records, journal, socket, now: system.now() })) {
    yield readLife(archive, span, running !== null && sameLife(span, running));
  }
}

function readLife(archive: Archive, span: LifeSpan, isRunning: boolean): RecordedLife {
  const record = lastRecord(archive, span);
  const rows = record?.panes.flatMap(({ row }) => row?.binding ? [row] : []) ?? [];
  const own = rows.filter(({ inherited, binding }) => !inherited && binding!.state !== "restored");
  const journal = conversationsOf(archive.journal, span);
  const ids = (of: typeof rows) => of.map(({ binding }) => binding!.session_id);
  const conversations = [...new Set([...ids(own), ...journal.held])];
  const known = [...new Set([...ids(rows), ...journal.known])];
  return { first: span.first, last: span.last, lived: lived(span), conversations, known, record, isRunning };
}

/** Its last record with conversations, else its last one with panes, else what the journal alone knows. */
function lastRecord(archive: Archive, span: LifeSpan): PastRecord | null {
  const now = archive.system.now();
  const own = archive.heads.filter(({ life }) => sameLife(life, span));
  const ordered = [true, false].flatMap((believed) =>
    own.filter(({ time }) => isCredible(time, now) === believed)
  );
  const found = firstWithConversations(archive, ordered);
  return withJournal(found, archive.journal, span);
}

/** The first of these records with conversations, else the first with panes. */
export function firstWithConversations(archive: Archive, heads: SnapshotHead[]): PastRecord | null {
  let fallback: PastRecord | null = null;
  for (const head of heads.filter(({ count }) => count > 0).slice(0, MOST_MANIFESTS)) {
    const manifest = readWhole(archive.system, head);
    if (!manifest) continue;
    if (countBindings(manifest) > 0) return fromManifest(manifest, savedWith(archive, manifest.resurrect));
    fallback ??= fromManifest(manifest, savedWith(archive, manifest.resurrect));
  }
  return fallback;
}

function savedWith({ system }: Archive, { folder, save }: { folder: string | null; save: string | null }) {
  return folder === null || save === null ? [] : readSave(system, `${folder}/${save}`);
}

/** The saves as lives: tmux-resurrect names no server, so what lies between two boots counts as one. */
export function* savedLives(
  archive: Archive,
  limits: { before: number | null; boots: Boot[] },
): Generator<EndedLife & { record: PastRecord }> {
  const usable = archive.saves.filter(({ time }) => limits.before === null || time <= limits.before);
  const bootOf = ({ time }: SaveFile) => limits.boots.findLastIndex(({ first }) => first <= time);
  for (const saves of Map.groupBy(usable.slice(0, MOST_SAVES), bootOf).values()) {
    const records = saves.map((save) => fromSave(save, readSave(archive.system, save.path)));
    const record = records.find(({ panes }) => panes.some(ranClaude)) ??
      records.find(({ panes }) => panes.length > 0);
    if (!record) continue;
    const [first, last] = [saves[saves.length - 1].time, saves[0].time];
    const conversations = record.panes.filter(ranClaude).map((pane) =>
      `${pane.tmux_session}\t${pane.window_index}\t${pane.pane_index}`
    );
    yield { first, last, lived: last - first, conversations, known: conversations, record };
  }
}

function ranClaude({ command, full_command }: { command: string; full_command: string }): boolean {
  return command === "claude" || /\bclaude\b/.test(full_command);
}

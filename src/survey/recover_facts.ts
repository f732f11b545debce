// The facts behind the candidates: transcripts of all config dirs, the journal, and who holds what now.
import type { SessionId } from "../binding.ts";
import { formatAddress } from "../binding.ts";
import { configDir } from "../claude/config.ts";
import { type IndexedTranscript, type TranscriptIndex } from "../claude/transcript_index.ts";
import { findTranscript } from "../claude/transcripts.ts";
import type { CandidateFacts } from "../recover/candidates.ts";
import { claims, type Witnesses } from "../recover/hints.ts";
import { isCredible } from "../recover/lives.ts";
import { looseFolder, type PastPane, type PastRecord } from "../recover/past.ts";
import { type TranscriptFacts, transcriptTable } from "../recover/transcripts.ts";
import type { JournalLine } from "../state/journal.ts";
import { realPathOf } from "../system/lenient.ts";
import type { System } from "../system/system.ts";
import { homeOf, type Survey } from "./survey.ts";

export interface FactSources {
  system: System;
  /** Null without a tmux server. */
  seen: Survey | null;
  record: PastRecord | null;
  journal: JournalLine[];
  /** Panes of the past, or those of now when there is no record. */
  panes: PastPane[];
  configDirs: string[];
  index: TranscriptIndex;
}

/** Everything that ranking asks for. */
export function candidateFacts(sources: FactSources): CandidateFacts {
  const { system, seen, record, journal, panes, configDirs, index } = sources;
  const key = folderKeys(system);
  const counts = Map.groupBy(panes, (pane) => key(pane.cwd));
  const witnesses: Witnesses = {
    record,
    journal,
    transcripts: transcriptTable(index.transcripts.map((one) => toFacts(one, key, system.now()))),
    key,
    sharing: (folder) => counts.get(folder)?.length ?? 0,
  };
  return {
    ...witnesses,
    claimed: claims(panes, witnesses),
    holders: seen ? holdersIn(seen) : new Map(),
    owns: ownsIn(system, configDirs),
    crash: crashBefore(seen, record),
    now: system.now(),
  };
}

/** When the life after the record's one began. */
function crashBefore(seen: Survey | null, record: PastRecord | null): number | null {
  if (!seen || record?.life?.pid === seen.server.pid) return null;
  return seen.server.started * 1_000;
}

/** One key for all spellings of a folder: links resolved, spaces as resurrect writes them. */
function folderKeys(system: System): (folder: string) => string {
  const known = new Map<string, string>();
  return (folder) => {
    const key = known.get(folder) ?? looseFolder(folder && realPathOf(system, folder));
    known.set(folder, key);
    return key;
  };
}

function toFacts(one: IndexedTranscript, key: (folder: string) => string, now: number): TranscriptFacts {
  const believed = [one.active, one.modified, one.began].find((time) =>
    time !== null && isCredible(time, now)
  );
  const { id, title, began } = one;
  return { id, title, folders: [...new Set(one.folders.map(key))], began, active: believed ?? 0 };
}

function holdersIn(seen: Survey): CandidateFacts["holders"] {
  const holders: CandidateFacts["holders"] = new Map();
  for (const { pane, binding } of seen.panes) {
    const place = { where: "bound", pane_id: pane.pane_id, address: formatAddress(pane) } as const;
    if (binding) holders.set(binding.session_id, place);
  }
  for (const [id, alive] of seen.alive) holders.set(id, alive);
  return holders;
}

function ownsIn(system: System, configDirs: string[]): (id: SessionId) => boolean {
  const known = new Map<SessionId, boolean>();
  return (id) => {
    const owns = known.get(id) ??
      configDirs.some((folder) => findTranscript(system, folder, id).state === "present");
    known.set(id, owns);
    return owns;
  };
}

/** Config dirs that may hold conversations: those given, the environment's, the default, those that were recorded. */
export function configDirsOf(
  system: System,
  given: string[],
  recorded: { journal: JournalLine[]; record: PastRecord | null },
): string[] {
  const home = homeOf(system);
  const rows = recorded.record?.panes.flatMap(({ row }) => row?.binding?.config_dir ?? []) ?? [];
  const lines = recorded.journal.flatMap(({ config_dir }) => config_dir ?? []);
  const here = given.map((value) => configDir(value, home, system.cwd()));
  const others = [system.env("CLAUDE_CONFIG_DIR"), null, ...rows, ...lines].map((value) =>
    configDir(value, home)
  );
  const all = [...new Set([...here, ...others])];
  const real = all.map((folder) => realPathOf(system, folder));
  return all.filter((_, index) => real.indexOf(real[index]) === index);
}

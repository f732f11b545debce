// The candidates of panes: for a whole recovery, and for one pane when a key was pressed.
import { addressOf, type ServerLife } from "../binding.ts";
import { indexNearby, indexTranscripts, type TranscriptIndex } from "../claude/transcript_index.ts";
import { repositoryOf } from "../ladder/folder.ts";
import { type Candidate, type CandidateFacts, candidates } from "../recover/candidates.ts";
import { difference, type PresentPane } from "../recover/difference.ts";
import type { PastPane } from "../recover/past.ts";
import { foldersAgree } from "../policy/agree.ts";
import type { JournalLine } from "../state/journal.ts";
import type { System } from "../system/system.ts";
import { claims } from "./age.ts";
import { candidateFacts, configDirsOf } from "./recover_facts.ts";
import { choosePast, type Past } from "./recover_past.ts";
import { journalOrNone, openArchive } from "./recover_records.ts";
import { isFolder } from "./resume_plan.ts";
import { homeOf, type Survey, type SurveyedPane } from "./survey.ts";

/** Transcripts that are looked into: all that anybody has, in bounded time. */
const MOST_TRANSCRIPTS = 10_000;
/** For a key press: of the pane's own project. */
const MOST_NEARBY = 200;

export interface CandidateSources {
  system: System;
  seen: Survey | null;
  past: Past;
  journal: JournalLine[];
  panes: PastPane[];
  /** Config dirs given by the person. */
  given: string[];
}

export interface AllFacts {
  facts: CandidateFacts;
  index: TranscriptIndex;
}

/** The facts for all panes. */
export function allFacts(sources: CandidateSources): AllFacts {
  const { past, given, system, journal } = sources;
  const configDirs = configDirsOf(system, given, { journal, record: past.record });
  const index = indexTranscripts(system, configDirs, { limit: MOST_TRANSCRIPTS });
  const facts = candidateFacts({ ...sources, record: past.record, configDirs, index });
  return { facts, index };
}

/**
 * The candidates of one pane, best first, for a menu: cheap enough for a key press (of the transcripts only those of
 * the pane's project are read, and nothing is asked of the machine's boots). [] for a pane that is not there.
 */
export function candidatesFor(system: System, seen: Survey, paneId: string): Candidate[] {
  const one = seen.panes.find(({ pane }) => pane.pane_id === paneId);
  if (!one) return [];
  const { lines: journal } = journalOrNone(system);
  const archive = openArchive(system, {
    socket: seen.server.socket,
    option: seen.server.resurrect_dir,
    journal,
  });
  const past = choosePast(archive, { running: seen.server, boots: [], at: null, others: 0 });
  const pane = pastOf(system, seen, one, past) ?? fromPresent(seen.server, one);
  const panes = past.record?.panes ?? seen.panes.map((other) => fromPresent(seen.server, other));
  const configDirs = configDirsOf(system, [], { journal, record: past.record });
  const index = indexNearby(system, configDirs, {
    folders: nearbyProjects([pane.cwd, one.pane.cwd]),
    limit: MOST_NEARBY,
  });
  const facts = candidateFacts({ system, seen, record: past.record, journal, panes, configDirs, index });
  return candidates({ pane, here: { pane_id: paneId, bound: one.binding?.session_id ?? null } }, facts);
}

/** The folders, and the repositories that they are worktrees of. */
function nearbyProjects(folders: string[]): string[] {
  return folders.flatMap((folder) => [folder, repositoryOf(folder) ?? folder]);
}

/** The pane of the past at its address, when this one can be the same: made by the restore, in the same folder. */
function pastOf(system: System, seen: Survey, one: SurveyedPane, { record }: Past): PastPane | null {
  if (!record || !claims(system, seen)(one.pane)) return null;
  const { here } = difference(record, presentPanes(seen), { pane_base_index: seen.server.pane_base_index });
  const found = [...here].find(([, now]) => now?.pane_id === one.pane.pane_id)?.[0] ?? null;
  if (!found || one.pane.dead) return found;
  const place = { ...found, binding: found.row?.binding ?? null };
  return foldersAgree(place, one.pane.cwd, homeOf(system), (folder) => !isFolder(system, folder))
    ? found
    : null;
}

/** The panes there are now, as far as comparing needs them. */
export function presentPanes(seen: Survey): PresentPane[] {
  return seen.panes.map(({ pane, binding }) => {
    const { pane_id, addresses, window_name, cwd } = pane;
    return { ...addressOf(pane), pane_id, addresses, window_name, cwd, bound: binding?.session_id ?? null };
  });
}

/** A pane of now as the question, where no record has it. */
export function fromPresent(server: ServerLife, { pane }: SurveyedPane): PastPane {
  const { addresses, window_name, title, command } = pane;
  return {
    ...addressOf(pane),
    addresses: addresses.map(addressOf),
    window_name,
    title,
    cwd: pane.cwd || pane.stamp?.cwd || "",
    command,
    full_command: "",
    active: pane.activity * 1_000 || null,
    pane_id: pane.pane_id,
    life: server,
    row: null,
  };
}

// A whole recovery: the record, the candidates of its panes, the difference to now.
import { sameLife, type SessionId } from "../binding.ts";
import { configDir } from "../claude/config.ts";
import { candidates, type Question } from "../recover/candidates.ts";
import { difference, type PresentPane } from "../recover/difference.ts";
import { strongHints } from "../recover/hints.ts";
import type { PastPane } from "../recover/past.ts";
import { narrowed, type Report, type ReportedPane, type Wanted } from "../recover/report.ts";
import { knownSockets, listHeads } from "../state/snapshot_heads.ts";
import { realPathOf } from "../system/lenient.ts";
import type { System } from "../system/system.ts";
import { socketFolder } from "../tmux/servers.ts";
import { readBoots } from "./recover_boots.ts";
import { type AllFacts, allFacts, fromPresent, presentPanes } from "./recover_candidates.ts";
import { choosePast, type OtherRecord } from "./recover_past.ts";
import { journalOrNone, openArchive } from "./recover_records.ts";
import { homeOf, type Survey } from "./survey.ts";

export interface RecoveryWanted {
  /** Socket that was named, or that TMUX names; null for tmux's own. */
  socket: string | null;
  /** Milliseconds, null to find the first crash. */
  at: number | null;
  /** Config dirs besides those that are known. */
  configDirs: string[];
  wanted: Wanted;
}

export interface Recovery {
  report: Report;
  others: OtherRecord[];
  hasServer: boolean;
  /** The record is of an earlier life of the running server. */
  isEarlier: boolean;
  /** Where a conversation is resumed without tmux. */
  place: (id: SessionId) => { cwd: string | null; configDir: string | null };
  /** What the person should know about the search. */
  notes: string[];
}

/** Other records that a list tells of. */
const MOST_OTHERS = 5;

/** Looks at everything there is. */
export async function recovery(
  system: System,
  seen: Survey | null,
  asked: RecoveryWanted,
): Promise<Recovery> {
  const { lines: journal, reason } = journalOrNone(system);
  const socket = seen?.server.socket ?? likelySocket(system, asked.socket);
  const archive = openArchive(system, { socket, option: seen?.server.resurrect_dir ?? "", journal });
  const boots = await readBoots(system);
  const past = choosePast(archive, {
    running: seen?.server ?? null,
    boots,
    at: asked.at,
    others: MOST_OTHERS,
  });
  const present = seen ? presentPanes(seen) : [];
  const differs = difference(past.record, present, { pane_base_index: seen?.server.pane_base_index ?? null });
  const questions = questionsOf(seen, past.record?.panes ?? null, differs.here, asked.wanted.paneId);
  const panes = past.record?.panes ?? questions.map(({ pane }) => pane);
  const all = allFacts({ system, seen, past, journal, panes, given: asked.configDirs });
  const report = {
    record: past.record,
    why: past.why,
    panes: questions.map((question) => answer(question, all)),
    difference: differs,
  };
  return {
    report: narrowed(report, asked.wanted, system.now()),
    others: past.others,
    hasServer: seen !== null,
    isEarlier: seen !== null && past.record?.life != null && !sameLife(past.record.life, seen.server),
    place: placeIn(system, all),
    notes: [
      ...(reason === null ? [] : [`the journal was left out: ${reason}`]),
      ...notesOf(seen, socket, asked, all),
    ],
  };
}

interface Asked {
  pane: PastPane;
  here: PresentPane | null;
}

/** The panes of the record; without one those of now; and a pane that was asked for in any case. */
function questionsOf(
  seen: Survey | null,
  past: PastPane[] | null,
  here: Map<PastPane, PresentPane | null>,
  paneId: string | undefined,
): Asked[] {
  const asked = (past ?? []).map((pane) => ({ pane, here: here.get(pane) ?? null }));
  if (!seen) return asked;
  const present = new Map(presentPanes(seen).map((pane) => [pane.pane_id, pane]));
  const others = seen.panes.filter(({ pane }) =>
    past === null || (pane.pane_id === paneId && !asked.some((one) => one.here?.pane_id === paneId))
  );
  return [
    ...asked,
    ...others.map((one) => ({ pane: fromPresent(seen.server, one), here: present.get(one.pane.pane_id)! })),
  ];
}

function answer({ pane, here }: Asked, { facts }: AllFacts): ReportedPane {
  const question: Question = { pane, here: here && { pane_id: here.pane_id, bound: here.bound } };
  const isKnown = (here?.bound ?? null) !== null || strongHints(pane, facts).length > 0;
  return { pane, here, candidates: candidates(question, facts), isKnown };
}

/** Without a server: the socket that was named, tmux's own when it has a history, else the one saved last. */
function likelySocket(system: System, named: string | null): string {
  const own = named ?? `${realPathOf(system, socketFolder(system))}/default`;
  if (named !== null || listHeads(system, own).length > 0) return own;
  return knownSockets(system)[0] ?? own;
}

function placeIn(system: System, { index }: AllFacts): Recovery["place"] {
  const byId = new Map(index.transcripts.map((one) => [one.id, one]));
  const usual = configDir(null, homeOf(system));
  return (id) => {
    const found = byId.get(id);
    const folder = found && found.config_dir !== usual ? found.config_dir : null;
    return { cwd: found?.folders[0] ?? null, configDir: folder };
  };
}

function notesOf(
  seen: Survey | null,
  socket: string,
  { socket: named }: RecoveryWanted,
  { index: { total, read } }: AllFacts,
): string[] {
  const notes: string[] = [];
  if (!seen) {
    notes.push(
      `no tmux server runs${named === null ? "" : ` at ${socket}`}: only listed, nothing can be bound`,
    );
  }
  if (read < total) notes.push(`only the newest ${read} of ${total} transcripts were looked at`);
  return notes;
}

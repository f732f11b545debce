// What a recovery tells: its JSON, and what a person may narrow it to. Pure.
import { addressOf, type PaneAddress, sameAddress, type SessionId } from "../binding.ts";
import { bindCommand, closeCommand, goCommand, makeCommand, remakeCommand } from "./advice.ts";
import type { Candidate } from "./candidates.ts";
import { type Difference, isWithin, type PresentPane } from "./difference.ts";
import type { PastPane, PastRecord } from "./past.ts";

export interface Report {
  record: PastRecord | null;
  why: string;
  panes: ReportedPane[];
  difference: Difference;
}

export interface ReportedPane {
  pane: PastPane;
  /** The pane at its address now, null when there is none. */
  here: PresentPane | null;
  candidates: Candidate[];
  /** Whether anything speaks of the pane itself, not only of its folder. */
  isKnown: boolean;
}

/** What the person wants to see; undefined means all. */
export interface Wanted {
  paneId?: string;
  tmuxSession?: string;
  /** Absolute folder: the panes in it and below it. */
  folder?: string;
  /** Only conversations that were active since, milliseconds. */
  since?: number;
}

/** The report narrowed to what is wanted. */
export function narrowed(report: Report, wanted: Wanted, now: number): Report {
  const isWanted = (pane: PaneAddress & { cwd: string }, paneId: string | null) =>
    (wanted.paneId === undefined || paneId === wanted.paneId) &&
    (wanted.tmuxSession === undefined || pane.tmux_session === wanted.tmuxSession) &&
    (wanted.folder === undefined || isWithin(pane.cwd, wanted.folder));
  const { here, missing, extra, moved } = report.difference;
  return {
    ...report,
    panes: report.panes.filter((one) => isWanted(one.pane, one.here?.pane_id ?? null))
      .map((one) => ({
        ...one,
        candidates: one.candidates.filter((candidate) => isSince(candidate, wanted, now)),
      })),
    difference: {
      here,
      missing: missing.filter((pane) => isWanted(pane, null)),
      extra: extra.filter((pane) => isWanted(pane, pane.pane_id)),
      moved: moved.filter(({ from, to }) => isWanted(from, to.pane_id)),
    },
  };
}

function isSince({ age_seconds }: Candidate, { since }: Wanted, now: number): boolean {
  return since === undefined || (age_seconds !== null && now - age_seconds * 1_000 >= since);
}

interface Reach {
  socket: string | null;
}

/** The JSON of the command, without its schema number. */
export function toJson({ record, why, panes, difference }: Report, reach: Reach): Record<string, unknown> {
  const { missing, extra, moved } = difference;
  return {
    snapshot: record && { at: new Date(record.time).toISOString(), save: record.save, why },
    panes: panes.map(({ pane, here, candidates }) => ({
      pane_id: here?.pane_id ?? null,
      ...addressOf(pane),
      candidates,
    })),
    missing: missing.map((pane) => ({
      pane_id: null,
      ...addressOf(pane),
      tmux_session_missing: pane.tmux_session_missing,
      window_name: pane.window_name,
      cwd: pane.cwd,
      command: makeCommand(pane, reach),
    })),
    extra: extra.map((pane) => ({
      pane_id: pane.pane_id,
      ...addressOf(pane),
      tmux_session_extra: pane.tmux_session_extra,
      window_name: pane.window_name,
      cwd: pane.cwd,
      session_id: pane.bound,
      command: closeCommand(pane, reach),
    })),
    moved: moved.map(({ session_id, from, to }) => ({
      session_id,
      from: { pane_id: null, ...addressOf(from) },
      to: { pane_id: to.pane_id, ...addressOf(to) },
      command: goCommand(to, reach),
    })),
  };
}

/** The command that gives a pane one of its candidates: made again first when it is missing. */
export function chooseCommand(
  one: ReportedPane,
  id: SessionId,
  { missing }: Difference,
  reach: Reach,
): string {
  if (one.here) return bindCommand(one.here.pane_id, id, reach);
  const gone = missing.find((pane) => sameAddress(pane, one.pane));
  return remakeCommand(gone ?? { ...one.pane, tmux_session_missing: true, opens_session: true }, id, reach);
}

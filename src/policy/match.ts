// Which pane of the restored layout is which row of the snapshot. Pure: a row that is not certain is not stamped.
import { type Binding, formatAddress, type PaneAddress } from "../binding.ts";
import { isUsers, lastKnown, type Owns } from "./later.ts";
import type { JournalLine } from "../state/journal.ts";
import type { Manifest, ManifestRow } from "../state/manifest.ts";
import { foldersAgree } from "./agree.ts";
import { placesOf } from "./belongs.ts";
import { type Layout, type LayoutFacts, layoutOf } from "./layout.ts";

/** A pane of the running server, as far as matching needs it. */
export interface RestoredPane {
  pane_id: string;
  addresses: PaneAddress[];
  cwd: string;
  window_name: string;
  automatic_rename: boolean;
  live: boolean;
  dead: boolean;
  stamp: Binding | null;
}

export interface MatchFacts extends LayoutFacts {
  manifest: Manifest;
  /** What happened before this life of the server. Oldest first. */
  journal: JournalLine[];
  /** What happened in this life. */
  since: JournalLine[];
  /** Whether an id can be resumed. */
  owns: Owns;
  pane_base_index: number;
  home: string;
  isGone: (folder: string) => boolean;
  /** Why a row may not be of the layout that was restored, null when it is. */
  doubt: (row: ManifestRow) => string | null;
}

/** What becomes of one row that holds a conversation. */
export interface Match {
  /** `stamp`: put back. `kept`: it is there already. `left`: not certain, so reported only. */
  verdict: "stamp" | "kept" | "left";
  row: ManifestRow;
  pane: RestoredPane | null;
  binding: Binding;
  /** Whether a Claude was alive in it when its server ended. */
  running: boolean;
  /** Why it is kept or left, null for a stamp. */
  reason: string | null;
}

/** One verdict for every row that holds a conversation; no conversation is put back twice. */
export function matchRows(facts: MatchFacts): Match[] {
  const layout = layoutOf(facts);
  const matches = facts.manifest.panes.flatMap((row) => {
    const known = lastKnown(row, facts.manifest, facts.journal, facts.owns);
    return known ? [matchRow(facts, layout, { row, ...known })] : [];
  });
  return matches.map((match) => {
    const rival = match.verdict === "stamp" ? matches.find((one) => outdoes(one, match)) : undefined;
    return rival ? { ...match, verdict: "left", reason: wentOnIn(rival.row) } : match;
  });
}

/** Whether another pane can be given the same conversation and held it after this one. */
function outdoes(rival: Match, match: Match): boolean {
  return rival !== match && rival.verdict !== "left" &&
    rival.binding.session_id === match.binding.session_id && rival.binding.at > match.binding.at;
}

function wentOnIn(place: PaneAddress): string {
  return `its conversation went on in ${formatAddress(place)}`;
}

type Known = Pick<Match, "row" | "binding" | "running">;

function matchRow(facts: MatchFacts, layout: Layout, known: Known): Match {
  const heir = layout.heirOf(known.binding.session_id);
  const pane = heir ?? layout.paneAt(placesOf(known.row));
  const verdict = (verdict: Match["verdict"], reason: string | null) => ({ ...known, pane, verdict, reason });
  if (!pane) return verdict("left", `pane ${formatAddress(known.row)} is not there`);
  if (pane.stamp?.session_id === known.binding.session_id) return verdict("kept", "already stamped");
  const reason = refusal(known.row, pane) ?? (heir ? null : objection(facts, known.row, pane)) ??
    (heir ? null : layout.doubt(pane)) ?? heldElsewhere(facts, known.binding, pane);
  return verdict(reason ? "left" : "stamp", reason);
}

/** Why nothing is put back into this pane, whoever's it is, or null. */
function refusal({ binding }: ManifestRow, pane: RestoredPane): string | null {
  if (!isUsers(binding?.claude ?? null)) return `it belongs to a ${binding?.claude?.kind} Claude`;
  if (pane.live) return "a Claude is running there";
  return pane.stamp ? `the pane holds another conversation (${pane.stamp.session_id})` : null;
}

/** Why this pane cannot be taken for the row's, or null. */
function objection(facts: MatchFacts, row: ManifestRow, pane: RestoredPane): string | null {
  const { manifest, pane_base_index } = facts;
  if (manifest.pane_base_index !== pane_base_index) {
    return `pane-base-index was ${manifest.pane_base_index} at the save and is ${pane_base_index} now`;
  }
  const doubt = facts.doubt(row);
  if (doubt) return doubt;
  if (!pane.dead && !isInFolder(facts, row, pane)) {
    return `its folder was ${row.cwd} and is ${pane.cwd} now`;
  }
  return isMovedWindow(row, pane, facts.panes)
    ? `its window "${row.window_name}" is at another place now`
    : null;
}

/** The first pane of a server was there before any restore: it is in its own folder, not in one that was lost. */
function isInFolder({ home, isGone }: MatchFacts, row: ManifestRow, { pane_id, cwd }: RestoredPane): boolean {
  return foldersAgree(row, cwd, pane_id === "%0" ? "" : home, isGone);
}

/** Within this life another pane had it: resumed by hand, or put back by an earlier restore. */
function heldElsewhere(
  { panes, since }: MatchFacts,
  { session_id }: Binding,
  { pane_id }: RestoredPane,
): string | null {
  const holder = panes.find((one) => one.pane_id !== pane_id && one.stamp?.session_id === session_id);
  if (holder) return wentOnIn(holder.addresses[0]);
  const line = since.findLast((one) =>
    one.session_id === session_id && one.event !== "revive" && one.event !== "restore" && one.tmux !== null &&
    one.tmux.pane_id !== pane_id
  );
  return line ? wentOnIn(line.tmux!) : null;
}

/** What tells one window from another. */
export type WindowFacts = Pick<RestoredPane, "addresses" | "window_name" | "automatic_rename">;

/**
 * Windows of one folder may have changed places since the record: when the row's window name stands on another
 * window of the tmux session, the pane at the old address is not the row's. Another name alone says nothing.
 */
export function isMovedWindow(row: ManifestRow, pane: WindowFacts, panes: WindowFacts[]): boolean {
  if (!row.deliberate || plain(row.window_name) === plain(pane.window_name)) return false;
  return panes.some((one) =>
    !one.automatic_rename && plain(one.window_name) === plain(row.window_name) && isIn(one, row.tmux_session)
  );
}

function isIn(pane: WindowFacts, session: string): boolean {
  return pane.addresses.some(({ tmux_session }) => tmux_session === session);
}

/** Names as far as a restore and our own naming leave them: letters and digits. */
function plain(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

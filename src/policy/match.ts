// Which pane of the restored layout is which row of the snapshot. Pure: a row that is not certain is not stamped.
import { type Binding, formatAddress, type PaneAddress } from "../binding.ts";
import { isUsers, lastKnown } from "./later.ts";
import type { JournalLine } from "../state/journal.ts";
import type { Manifest, ManifestRow } from "../state/manifest.ts";
import { foldersAgree } from "./agree.ts";

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

export interface MatchFacts {
  manifest: Manifest;
  panes: RestoredPane[];
  journal: JournalLine[];
  pane_base_index: number;
  home: string;
  isGone: (folder: string) => boolean;
  /** tmux sessions whose layout is known to be the snapshot's; null when there is nothing to compare with. */
  sessions: Set<string> | null;
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

/** One verdict for every row that holds a conversation. */
export function matchRows(facts: MatchFacts): Match[] {
  const paneOf = paneFinder(facts.panes);
  return facts.manifest.panes.flatMap((row) => {
    const known = lastKnown(row, facts.manifest, facts.journal);
    return known ? [matchRow(facts, { row, ...known, pane: paneOf(row) })] : [];
  });
}

function matchRow(facts: MatchFacts, known: Pick<Match, "row" | "pane" | "binding" | "running">): Match {
  const { pane } = known;
  const verdict = (verdict: Match["verdict"], reason: string | null) => ({ ...known, verdict, reason });
  if (!pane) return verdict("left", `pane ${formatAddress(known.row)} is not there`);
  if (pane.stamp?.session_id === known.binding.session_id) return verdict("kept", "already stamped");
  const reason = objection(facts, known.row, pane);
  return verdict(reason ? "left" : "stamp", reason);
}

/** Gives the first pane that has one of a row's addresses, or null. */
function paneFinder(panes: RestoredPane[]): (row: ManifestRow) => RestoredPane | null {
  const first = new Map<string, number>();
  for (const [index, { addresses }] of panes.entries()) {
    for (const key of addresses.map(keyOf)) if (!first.has(key)) first.set(key, index);
  }
  return (row) => {
    const found = [row, ...row.addresses].map((address) => first.get(keyOf(address)) ?? Infinity);
    return panes[Math.min(...found)] ?? null;
  };
}

function keyOf({ tmux_session, window_index, pane_index }: PaneAddress): string {
  return `${window_index}.${pane_index} ${tmux_session}`;
}

/** Why this pane cannot be taken for the row's, or null. */
function objection(facts: MatchFacts, row: ManifestRow, pane: RestoredPane): string | null {
  const { manifest, pane_base_index, sessions } = facts;
  if (!isUsers(row.binding?.claude ?? null)) return `it belongs to a ${row.binding?.claude?.kind} Claude`;
  if (pane.live) return "a Claude is running there";
  if (pane.stamp) return `the pane holds another conversation (${pane.stamp.session_id})`;
  if (manifest.pane_base_index !== pane_base_index) {
    return `pane-base-index was ${manifest.pane_base_index} at the save and is ${pane_base_index} now`;
  }
  if (sessions && !sessions.has(row.tmux_session)) {
    return "the record and the tmux save differ in this tmux session";
  }
  if (!pane.dead && !foldersAgree(row, pane.cwd, facts.home, facts.isGone)) {
    return `its folder was ${row.cwd} and is ${pane.cwd} now`;
  }
  return movedWindow(facts, row, pane);
}

function movedWindow({ panes }: MatchFacts, row: ManifestRow, pane: RestoredPane): string | null {
  return isMovedWindow(row, pane, panes) ? `its window "${row.window_name}" is at another place now` : null;
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

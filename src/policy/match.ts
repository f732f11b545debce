// Which pane of the restored layout is which row of the snapshot. Pure: a row that is not certain is not stamped.
import { type Binding, formatAddress, sameAddress } from "../binding.ts";
import { bindingOf, isUsers, laterLine } from "./later.ts";
import type { JournalLine } from "../state/journal.ts";
import type { Manifest, ManifestRow } from "../state/manifest.ts";
import { foldersAgree } from "./agree.ts";

/** A pane of the running server, as far as matching needs it. */
export interface RestoredPane {
  pane_id: string;
  addresses: { tmux_session: string; window_index: number; pane_index: number }[];
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

export type Match =
  | { verdict: "stamp"; row: ManifestRow; pane: RestoredPane; binding: Binding }
  | { verdict: "kept"; row: ManifestRow; pane: RestoredPane; binding: Binding; reason: string }
  | { verdict: "left"; row: ManifestRow; pane: RestoredPane | null; binding: Binding; reason: string };

/** One verdict for every row that holds a conversation. */
export function matchRows(facts: MatchFacts): Match[] {
  return facts.manifest.panes.flatMap((row) => {
    const later = laterLine(row, facts.manifest, facts.journal);
    const binding = later ? { ...bindingOf(later), restored_from: "journal" as const } : fromRow(row);
    return binding ? [matchRow(facts, row, binding)] : [];
  });
}

function fromRow(row: ManifestRow): Binding | null {
  return row.binding && { ...row.binding, restored_from: "manifest" };
}

function matchRow(facts: MatchFacts, row: ManifestRow, binding: Binding): Match {
  const pane = facts.panes.find((one) => isThere(one, row)) ?? null;
  if (!pane) return { verdict: "left", row, pane, binding, reason: `pane ${formatAddress(row)} is not there` };
  if (pane.stamp?.session_id === binding.session_id) {
    return { verdict: "kept", row, pane, binding: pane.stamp, reason: "already stamped" };
  }
  const reason = objection(facts, row, pane);
  return reason ? { verdict: "left", row, pane, binding, reason } : { verdict: "stamp", row, pane, binding };
}

function isThere(pane: RestoredPane, row: ManifestRow): boolean {
  return pane.addresses.some((address) => [row, ...row.addresses].some((known) => sameAddress(known, address)));
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
  if (sessions && !sessions.has(row.tmux_session)) return "the record and the tmux save differ in this tmux session";
  if (!pane.dead && !foldersAgree(row, pane.cwd, facts.home, facts.isGone)) {
    return `its folder was ${row.cwd} and is ${pane.cwd} now`;
  }
  return otherName(row, pane);
}

function otherName(row: ManifestRow, pane: RestoredPane): string | null {
  const named = row.deliberate && !pane.automatic_rename && pane.window_name !== "";
  const differs = named && plain(row.window_name) !== plain(pane.window_name);
  return differs ? `its window was named "${row.window_name}" and is "${pane.window_name}" now` : null;
}

/** Names as they come back from a restore: backslashes go, a trailing ";" is cut. */
function plain(name: string): string {
  return name.replaceAll("\\", "").replace(/;+$/, "").trim();
}

// What differs between a record and the panes there are now. Pure: nothing is closed or made, only told.
import { type PaneAddress, sameAddress, type SessionId } from "../binding.ts";
import { looseFolder, type PastPane, type PastRecord } from "./past.ts";

/** A pane of the running server, as far as comparing needs it. */
export interface PresentPane extends PaneAddress {
  pane_id: string;
  addresses: PaneAddress[];
  window_name: string;
  cwd: string;
  /** The conversation it is bound to, null for none. */
  bound: SessionId | null;
}

export interface MissingPane extends PastPane {
  tmux_session_missing: boolean;
  /** The first missing pane of a missing tmux session: the one whose making makes the session. */
  opens_session: boolean;
}

export interface Difference {
  /** The pane at each past pane's address now, null for those that are missing. */
  here: Map<PastPane, PresentPane | null>;
  missing: MissingPane[];
  extra: (PresentPane & { tmux_session_extra: boolean })[];
  moved: { session_id: SessionId; from: PastPane; to: PresentPane }[];
}

/** Compares by address; what is known of the conversations tells which of them moved. */
export function difference(
  record: PastRecord | null,
  present: PresentPane[],
  options: { pane_base_index: number | null },
): Difference {
  const past = record?.panes ?? [];
  const here = new Map(
    past.map((pane) => [pane, paneAt(present, pane, shiftOf(record, options.pane_base_index))]),
  );
  const taken = new Set(here.values());
  const now = new Set(present.flatMap(({ addresses }) => addresses.map((one) => one.tmux_session)));
  const then = new Set(past.flatMap(({ addresses }) => addresses.map((one) => one.tmux_session)));
  return {
    here,
    missing: toMissing(past.filter((pane) => !here.get(pane)), now),
    extra: record === null ? [] : present.filter((pane) => !taken.has(pane))
      .map((pane) => ({ ...pane, tmux_session_extra: !then.has(pane.tmux_session) })),
    moved: past.flatMap((pane) => movedTo(pane, here.get(pane) ?? null, present) ?? []),
  };
}

function toMissing(panes: PastPane[], now: Set<string>): MissingPane[] {
  const opened = new Set(now);
  return panes.map((pane) => {
    const opens_session = !opened.has(pane.tmux_session);
    opened.add(pane.tmux_session);
    return { ...pane, tmux_session_missing: !now.has(pane.tmux_session), opens_session };
  });
}

/** With another pane-base-index tmux counts the panes of each window from another number. */
function shiftOf(record: PastRecord | null, now: number | null): number {
  return record?.pane_base_index == null || now === null ? 0 : now - record.pane_base_index;
}

function paneAt(present: PresentPane[], pane: PastPane, shift: number): PresentPane | null {
  const known = pane.addresses.map((address) => ({ ...address, pane_index: address.pane_index + shift }));
  return present.find((one) => one.addresses.some((now) => known.some((then) => sameAddress(then, now)))) ??
    null;
}

function movedTo(
  pane: PastPane,
  here: PresentPane | null,
  present: PresentPane[],
): Difference["moved"][0] | null {
  const id = pane.row?.binding?.session_id;
  if (!id || here?.bound === id) return null;
  const to = present.find((one) => one.bound === id);
  return to ? { session_id: id, from: pane, to } : null;
}

/** Whether a pane is in a folder or below it. */
export function isWithin(cwd: string, folder: string): boolean {
  const [inner, outer] = [looseFolder(cwd), looseFolder(folder)];
  return inner === outer || inner.startsWith(outer === "/" ? outer : `${outer}/`);
}

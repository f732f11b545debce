// What the panes of the running server tell of themselves before any row is looked for among them. Pure.
import { formatAddress, type PaneAddress } from "../binding.ts";
import type { Manifest } from "../state/manifest.ts";
import { placesOf } from "./belongs.ts";
import type { RestoredPane } from "./match.ts";
import { outOfOrder } from "./order.ts";

export interface LayoutFacts {
  panes: RestoredPane[];
  /** Where the restored layout has panes. */
  places: PaneAddress[];
  /** The last record of the running server, null when there is none. */
  present: Manifest | null;
}

export interface Layout {
  /** The first pane that has one of the places. */
  paneAt: (places: PaneAddress[]) => RestoredPane | null;
  /** The pane that a save of this life already gave the conversation to, wherever it is now. */
  heirOf: (session: string) => RestoredPane | null;
  /** Why a pane cannot be taken for the one that was at its place, null when it can. */
  doubt: (pane: RestoredPane) => string | null;
}

/** Looks at all panes once. */
export function layoutOf(facts: LayoutFacts): Layout {
  const byId = new Map(facts.panes.map((pane) => [pane.pane_id, pane]));
  const heirs = (facts.present?.panes ?? []).flatMap(({ inherited, binding, pane_id }) =>
    inherited && binding && byId.has(pane_id) ? [[binding.session_id, byId.get(pane_id)!] as const] : []
  );
  const byConversation = new Map<string, RestoredPane>(heirs);
  return {
    paneAt: paneFinder(facts.panes),
    heirOf: (session) => byConversation.get(session) ?? null,
    doubt: doubter(facts),
  };
}

function paneFinder(panes: RestoredPane[]): Layout["paneAt"] {
  const first = new Map<string, number>();
  for (const [index, { addresses }] of panes.entries()) {
    for (const key of addresses.map(keyOf)) if (!first.has(key)) first.set(key, index);
  }
  return (places) => panes[Math.min(...places.map((place) => first.get(keyOf(place)) ?? Infinity))] ?? null;
}

function doubter({ panes, places, present }: LayoutFacts): Layout["doubt"] {
  const recorded = new Map(
    (present?.panes ?? []).flatMap((row) => placesOf(row).map((place) => [keyOf(place), row.pane_id])),
  );
  const ids = new Set(recorded.values());
  const moved = outOfOrder(panes);
  const extra = extraPanes(panes, places);
  return ({ pane_id, addresses }) => {
    const isStill = addresses.some((at) => recorded.get(keyOf(at)) === pane_id);
    if (ids.has(pane_id) && !isStill) return "it was moved since the last save";
    if (!isStill && recorded.has(keyOf(addresses[0]))) {
      return "another pane was at its place at the last save";
    }
    if (moved.has(pane_id)) return "it was moved or opened again since tmux came back";
    const place = addresses.map((at) => extra.get(windowOf(at))).find((found) => found);
    return place ? `there was no pane ${formatAddress(place)} at the save` : null;
  };
}

/**
 * A pane more in a window, or one before the first, moves the indexes of those behind it: a pane-base-index that one
 * window had for itself, a pane that was split off before the restore. By window.
 */
function extraPanes(panes: RestoredPane[], places: PaneAddress[]): Map<string, PaneAddress> {
  const known = new Set(places.map(keyOf));
  const extra = panes.flatMap(({ addresses }) => addresses).filter((at) => !known.has(keyOf(at)));
  return new Map(extra.map((at) => [windowOf(at), at]));
}

function windowOf({ tmux_session, window_index }: PaneAddress): string {
  return JSON.stringify([tmux_session, window_index]);
}

function keyOf(address: PaneAddress): string {
  return `${address.pane_index} ${windowOf(address)}`;
}

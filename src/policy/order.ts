// Panes that did not come into being in the order of their places. Pure.
// tmux numbers panes as they are made, and a restore makes them place by place: a pane that is out of this order was
// moved, or closed and opened again, since then. Only panes of one window, whose indexes move with each other, and panes
// of one folder can be taken for each other.
import type { PaneAddress } from "../binding.ts";

export interface OrderedPane {
  pane_id: string;
  addresses: PaneAddress[];
  cwd: string;
}

/** The ids of panes that are out of order in their window, or among those of their tmux session and folder. */
export function outOfOrder(panes: OrderedPane[]): Set<string> {
  const key = (...parts: unknown[]) => JSON.stringify(parts);
  const groups = new Map([
    ...Map.groupBy(panes, ({ addresses: [at], cwd }) => key(at.tmux_session, cwd)),
    ...Map.groupBy(panes, ({ addresses: [at] }) => key(at.tmux_session, at.window_index)),
  ]);
  return new Set([...groups.values()].flatMap(outOfOrderIn));
}

function outOfOrderIn(panes: OrderedPane[]): string[] {
  const found: string[] = [];
  for (let rest = panes.toSorted(byPlace);;) {
    const conflicts = rest.map((pane, at) => conflictsOf(pane, at, rest));
    const most = Math.max(...conflicts);
    if (most <= 0) return found;
    // Of two that changed places both go; of one that was made anew, only that one.
    found.push(...rest.filter((_pane, at) => conflicts[at] === most).map(({ pane_id }) => pane_id));
    rest = rest.filter((_pane, at) => conflicts[at] < most);
  }
}

function conflictsOf(pane: OrderedPane, at: number, all: OrderedPane[]): number {
  return all.filter((other, index) => (index < at) !== (numberOf(other) < numberOf(pane)) && index !== at)
    .length;
}

function numberOf({ pane_id }: OrderedPane): number {
  return Number(pane_id.slice(1));
}

function byPlace({ addresses: [a] }: OrderedPane, { addresses: [b] }: OrderedPane): number {
  return a.window_index - b.window_index || a.pane_index - b.pane_index;
}

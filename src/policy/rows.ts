// The rows of a manifest: one for every pane, bound or not. Pure.
import { addressOf, type Binding } from "../binding.ts";
import type { ManifestRow } from "../state/manifest.ts";
import type { Pane } from "../tmux/panes.ts";

export interface PaneFacts {
  pane: Pane;
  live: boolean;
  binding: Binding | null;
  evidence: string[];
  /** What the pane held in an earlier life of the server, when it has no stamp of its own. */
  earlier: Binding | null;
}

/** The row of one pane. A pane without a binding of its own inherits what it held before. */
export function toRow({ pane, live, binding, evidence, earlier }: PaneFacts): ManifestRow {
  const inherited = binding ? null : earlier;
  return {
    ...addressOf(pane),
    addresses: pane.addresses.map(addressOf),
    pane_id: pane.pane_id,
    window_id: pane.window_id,
    window_name: pane.window_name,
    deliberate: !pane.automatic_rename && pane.window_name !== "",
    title: pane.title,
    cwd: pane.cwd || pane.stamp?.cwd || "",
    command: pane.command,
    activity: pane.activity,
    live,
    inherited: inherited !== null,
    binding: binding ?? inherited,
    evidence: inherited ? ["inherited from an earlier save"] : evidence,
  };
}

/**
 * One conversation belongs to one pane: where several rows name it, the live one keeps it, else the one bound
 * last; the others lose it.
 */
export function oneHolderEach(rows: ManifestRow[]): ManifestRow[] {
  const holders = new Map<string, ManifestRow>();
  for (const row of rows) {
    if (!row.binding) continue;
    const rival = holders.get(row.binding.session_id);
    if (!rival || outranks(row, rival)) holders.set(row.binding.session_id, row);
  }
  const keeps = (row: ManifestRow) => !row.binding || holders.get(row.binding.session_id) === row;
  return rows.map((row) =>
    keeps(row) ? row : { ...row, binding: null, evidence: ["its conversation moved to another pane"] }
  );
}

function outranks(row: ManifestRow, rival: ManifestRow): boolean {
  if (row.live !== rival.live) return row.live;
  if (row.inherited !== rival.inherited) return rival.inherited;
  return row.binding!.at > rival.binding!.at;
}

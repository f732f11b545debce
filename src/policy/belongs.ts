// Whether a manifest's rows and a tmux-resurrect save describe one layout. Pure.
// Rows may be used for a restored layout only when they do: addresses of another layout name other panes.
import { type PaneAddress, sameAddress } from "../binding.ts";
import type { ManifestRow } from "../state/manifest.ts";

/** A pane of a save; its id in the life that was saved, null when that is not known. */
export interface SavedPlace extends PaneAddress {
  pane_id: string | null;
  cwd: string;
}

export interface PlacedRow extends PaneAddress {
  addresses: PaneAddress[];
  pane_id: string;
  cwd: string;
}

/** The panes of a save, and whether they were saved in the same life of the server as the rows were written. */
export interface SavedLayout {
  panes: SavedPlace[];
  sameLife: boolean;
}

/** True when every saved pane has its row and every row its saved pane, in the same folder. */
export function belongsTo(rows: PlacedRow[], saved: SavedLayout): boolean {
  if (saved.panes.length === 0 || rows.length === 0) return false;
  return saved.panes.every((pane) => rows.some((row) => isAt(row, pane, saved))) &&
    rows.every((row) => saved.panes.some((pane) => isAt(row, pane, saved)));
}

/** The tmux sessions of the save in which rows and save agree pane by pane. */
export function agreeingSessions(rows: PlacedRow[], saved: SavedLayout): Set<string> {
  const isIn = (name: string) => ({ tmux_session }: PaneAddress) => tmux_session === name;
  const agrees = (name: string) =>
    belongsTo(rows.filter((row) => placesOf(row).some(isIn(name))), {
      ...saved,
      panes: saved.panes.filter(isIn(name)),
    });
  return new Set(saved.panes.map(({ tmux_session }) => tmux_session).filter(agrees));
}

/** Grouped tmux sessions and linked windows show a pane more than once; a save may hold any of its places. */
export function placesOf(row: PaneAddress & { addresses: PaneAddress[] }): PaneAddress[] {
  return [row, ...row.addresses];
}

/**
 * The rows at the places their panes have in a save of the same life: the ids tell which is which, whatever was moved,
 * opened or closed between the save and the record. `saved`: those that the save holds.
 */
export function atSavedPlaces(
  rows: ManifestRow[],
  panes: SavedPlace[],
): { rows: ManifestRow[]; saved: Set<ManifestRow> } {
  const saved = new Set<ManifestRow>();
  const placed = rows.map((row) => {
    const pane = panes.find(({ pane_id }) => pane_id === row.pane_id);
    if (!pane) return row;
    const { tmux_session, window_index, pane_index } = pane;
    const cwd = asSaved(row.cwd) === asSaved(pane.cwd) ? row.cwd : pane.cwd;
    // The window may have been renamed: its name says nothing where the id speaks.
    const at = { ...row, tmux_session, window_index, pane_index, cwd, addresses: [], deliberate: false };
    saved.add(at);
    return at;
  });
  return { rows: placed, saved };
}

/**
 * The pane-base-index of a save: the recorded one, unless most of its windows begin with another (it was changed between
 * save and record). A window may have one of its own.
 */
export function paneBaseOf(panes: PaneAddress[], recorded: number): number {
  const windows = Map.groupBy(panes, (pane) => JSON.stringify([pane.tmux_session, pane.window_index]));
  const firsts = [...windows.values()].map((all) => Math.min(...all.map(({ pane_index }) => pane_index)));
  const agreeing = firsts.filter((first) => first === recorded).length;
  return agreeing * 2 >= firsts.length ? recorded : Math.min(...firsts);
}

/** Panes of one folder may have changed places: within one life of the server their ids tell. */
function isAt(row: PlacedRow, pane: SavedPlace, { sameLife }: SavedLayout): boolean {
  const here = placesOf(row).some((address) => sameAddress(address, pane));
  const same = !sameLife || pane.pane_id === null || pane.pane_id === row.pane_id;
  return here && same && asSaved(row.cwd) === asSaved(pane.cwd);
}

/**
 * Folders as resurrect writes them, repaired or not: a tab or a newline ends them, spaces collapse, backslashes go, "#"
 * may stand doubled.
 */
function asSaved(cwd: string): string {
  return cwd.replace(/[\t\n].*$/s, "").replaceAll("\\", "").replaceAll(/\s+/g, " ").replaceAll(/#+/g, "#")
    .trim();
}

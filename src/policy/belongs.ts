// Whether a manifest's rows and a tmux-resurrect save describe one layout. Pure.
// Rows may be used for a restored layout only when they do: addresses of another layout name other panes.
import { type PaneAddress, sameAddress } from "../binding.ts";

/** A pane of a save. */
export interface SavedPlace extends PaneAddress {
  cwd: string;
}

export interface PlacedRow extends PaneAddress {
  addresses: PaneAddress[];
  cwd: string;
}

/** True when every saved pane has its row and every row its saved pane, in the same folder. */
export function belongsTo(rows: PlacedRow[], saved: SavedPlace[]): boolean {
  if (saved.length === 0 || rows.length === 0) return false;
  return saved.every((pane) => rows.some((row) => isAt(row, pane))) &&
    rows.every((row) => saved.some((pane) => isAt(row, pane)));
}

/** The tmux sessions in which rows and save agree pane by pane. */
export function agreeingSessions(rows: PlacedRow[], saved: SavedPlace[]): Set<string> {
  const names = new Set(rows.map((row) => row.tmux_session));
  const of = <T extends PaneAddress>(list: T[], name: string) =>
    list.filter((one) => one.tmux_session === name);
  return new Set([...names].filter((name) => belongsTo(of(rows, name), of(saved, name))));
}

function isAt(row: PlacedRow, pane: SavedPlace): boolean {
  const here = [row, ...row.addresses].some((address) => sameAddress(address, pane));
  return here && asSaved(row.cwd) === asSaved(pane.cwd);
}

/** Folders as resurrect writes them: spaces collapse, backslashes go. */
function asSaved(cwd: string): string {
  return cwd.replaceAll("\\", "").replaceAll(/\s+/g, " ").trim();
}

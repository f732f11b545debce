// The layout of the past: the panes of one record, whether a manifest of ours or a save of tmux-resurrect. Pure.
import { type PaneAddress, sameAddress, type ServerLife } from "../binding.ts";
import type { Manifest, ManifestRow } from "../state/manifest.ts";
import type { SavedRow } from "../tmux/saves.ts";

/** One pane as it was. */
export interface PastPane extends PaneAddress {
  /** Every address it had. */
  addresses: PaneAddress[];
  window_name: string;
  title: string;
  cwd: string;
  /** Its foreground program, "" when unknown. */
  command: string;
  /** The command lines in it as resurrect saved them, "" when unknown. */
  full_command: string;
  /** Milliseconds since the epoch, null when unknown. */
  active: number | null;
  /** Its id, and the server life in which the id means something; null when unknown. */
  pane_id: string | null;
  life: ServerLife | null;
  /** Our own row of it, null for a pane that only a tmux save or the journal knows. */
  row: ManifestRow | null;
}

/** One record of all panes. */
export interface PastRecord {
  /** Milliseconds since the epoch. */
  time: number;
  /** File name of the tmux save it is, or belongs to; null when there is none. */
  save: string | null;
  life: ServerLife | null;
  /** Null when the record does not tell. */
  pane_base_index: number | null;
  panes: PastPane[];
  /** Our own record, null for a tmux save alone. */
  manifest: Manifest | null;
}

/** A manifest as a record, with the command lines of its tmux save where their folders agree. */
export function fromManifest(manifest: Manifest, saved: SavedRow[]): PastRecord {
  const { at, resurrect, server, pane_base_index, panes } = manifest;
  return {
    time: Date.parse(at),
    save: resurrect.save,
    life: server,
    pane_base_index,
    panes: panes.map((row) => fromRow(row, saved, server)),
    manifest,
  };
}

function fromRow(row: ManifestRow, saved: SavedRow[], life: ServerLife): PastPane {
  const { tmux_session, window_index, pane_index, addresses, window_name, title, cwd, command } = row;
  const own = saved.find((one) =>
    [row, ...addresses].some((address) => sameAddress(address, one)) &&
    looseFolder(one.cwd) === looseFolder(cwd)
  );
  return {
    tmux_session,
    window_index,
    pane_index,
    addresses,
    window_name,
    title,
    cwd,
    command,
    full_command: own?.full_command ?? "",
    active: row.activity > 0 ? row.activity * 1_000 : null,
    pane_id: row.pane_id,
    life,
    row,
  };
}

/** A tmux save as a record. */
export function fromSave(save: { name: string; time: number }, saved: SavedRow[]): PastRecord {
  const panes = saved.map(({ tmux_session, window_index, pane_index, ...rest }) => {
    const address = { tmux_session, window_index, pane_index };
    return { ...address, ...rest, addresses: [address], active: null, pane_id: null, life: null, row: null };
  });
  return { time: save.time, save: save.name, life: null, pane_base_index: null, panes, manifest: null };
}

/** Folders as resurrect writes them: spaces collapse, backslashes go; without a slash at the end. */
export function looseFolder(cwd: string): string {
  return cwd.replaceAll("\\", "").replaceAll(/\s+/g, " ").trim().replace(/(?<=.)\/+$/, "");
}

/** Whether Claude was in it, as far as its program tells: a shell, or a runtime under another name, leaves it open. */
export function ranSomethingElse(pane: PastPane): boolean {
  if (pane.row?.live || pane.row?.binding || /\bclaude\b/.test(pane.full_command)) return false;
  return pane.command !== "" && !MAYBE.test(pane.command);
}

const MAYBE = /^-?((ba|z|fi|da|k|mk|tc|c|a)?sh|nu|xonsh|elvish|claude|node|bun|deno|tmux|\d+\.\d+\.\d+.*)$/;

// Which record of the past a restore or a revive goes by.
import { type PaneAddress, sameAddress, sameLife, type ServerLife } from "../binding.ts";
import { rowAt } from "../ladder/offer.ts";
import { agreeingSessions, atSavedPlaces, paneBaseOf, placesOf } from "../policy/belongs.ts";
import { readJournal } from "../state/journal.ts";
import { countBindings, type Manifest, type ManifestRow } from "../state/manifest.ts";
import { listHeads, readWhole, type SnapshotHead } from "../state/snapshot_heads.ts";
import type { System } from "../system/system.ts";
import type { Server } from "../tmux/panes.ts";
import { type CurrentSave, restoredSave } from "./save.ts";

export interface ChosenSnapshot {
  manifest: Manifest;
  /** Why a row may not be of the layout that the save holds, null when it is or when there is no save. */
  doubt: (row: ManifestRow) => string | null;
  /** Where the layout has panes that the save, or without one the record, holds. */
  places: PaneAddress[];
  /** Lives of the server after this record's, which left no record, came back from this one. */
  isNewest: boolean;
  /** Why this one, for people. */
  why: string;
}

/**
 * The record of an earlier life of this server: the one that belongs to the save behind `last` (people re-point it),
 * else the newest with conversations. With `before` (milliseconds), the newest with conversations taken before it.
 * Null when there is none. Only the heads of a long history are read, and what is chosen.
 */
export function chooseSnapshot(system: System, server: Server, before?: number): ChosenSnapshot | null {
  const save = restoredSave(system, server);
  const heads = listHeads(system, server.socket)
    .filter((head) => head.count > 0 && !sameLife(head.life, server) && head.time < (before ?? Infinity));
  return (before === undefined ? ofSave(system, heads, save) : null) ??
    newestOne(system, heads, save, before);
}

/** The save's own record, also one without conversations: then the saved panes held none, whatever others say. */
function ofSave(system: System, heads: SnapshotHead[], { ref, saved }: CurrentSave): ChosenSnapshot | null {
  if (ref.save === null) return null;
  const manifest = readFirst(system, heads.filter((head) => head.save === ref.save));
  if (!manifest) return null;
  const isNewest = !heads.some((head) => isLater(head, manifest));
  const places = placesIn(manifest, saved);
  return { manifest, places, doubt: () => null, isNewest, why: `belongs to the tmux save ${ref.save}` };
}

/** Of a later life, or of another save: then people have pointed `last` back. */
function isLater({ time, life, save }: SnapshotHead, { at, server, resurrect }: Manifest): boolean {
  return time > Date.parse(at) && (!sameLife(life, server) || (save !== null && save !== resurrect.save));
}

function readFirst(system: System, heads: SnapshotHead[]): Manifest | null {
  for (const head of heads) {
    const manifest = readWhole(system, head);
    if (manifest) return manifest;
  }
  return null;
}

function newestOne(
  system: System,
  heads: SnapshotHead[],
  save: CurrentSave,
  before: number | undefined,
): ChosenSnapshot | null {
  const emptied: Manifest[] = [];
  for (const head of heads) {
    const manifest = readWhole(system, head);
    if (manifest && countBindings(manifest) === 0) emptied.push(manifest);
    else if (manifest) {
      const chosen = compared(system, manifest, save);
      const replaced = replacedIn(emptied, manifest);
      const doubt = (row: ManifestRow) => chosen.doubt(row) ?? replaced(row);
      const why = whyNewest(before, save.ref.dangling, save.ref.save);
      return { ...chosen, doubt, isNewest: before === undefined, why };
    }
  }
  return null;
}

/** The record as far as it speaks of the panes of a save that is not its own. */
function compared(
  system: System,
  manifest: Manifest,
  { saved, time }: CurrentSave,
): Pick<ChosenSnapshot, "manifest" | "doubt" | "places"> {
  const places = placesIn(manifest, saved);
  if (saved.length === 0) return { manifest, places, doubt: () => null };
  const life = time === null ? "another" : lifeOf(system, manifest, time);
  if (life === "same") {
    const placed = atSavedPlaces(manifest.panes, saved);
    const doubt = (row: ManifestRow) => placed.saved.has(row) ? null : "the tmux save does not have its pane";
    const pane_base_index = paneBaseOf(saved, manifest.pane_base_index);
    return { manifest: { ...manifest, panes: placed.rows, pane_base_index }, places, doubt };
  }
  const sessions = agreeingSessions(manifest.panes, { panes: saved, sameLife: life !== "another" });
  const agrees = (row: ManifestRow) => placesOf(row).some(({ tmux_session }) => sessions.has(tmux_session));
  return { manifest, places, doubt: (row) => agrees(row) ? null : DIFFER };
}

/** Followers of grouped tmux sessions are in the record only: a save holds the panes of the first. */
function placesIn({ panes }: Manifest, saved: PaneAddress[]): PaneAddress[] {
  const isSaved = (place: PaneAddress) => saved.some((known) => sameAddress(known, place));
  const rows = panes.map(placesOf).filter((places) => saved.length === 0 || places.some(isSaved));
  return [...saved, ...rows.flat()];
}

const DIFFER = "the record and the tmux save differ in this tmux session";

/**
 * In which life of the server a save was made: the record's when something of that life is later, another when that one
 * is older or left its traces. Else nobody knows: the record's life went on unrecorded, or a later one left nothing.
 */
function lifeOf(system: System, { at, server }: Manifest, time: number): "same" | "another" | "unknown" {
  if (time < server.started * 1_000) return "another";
  if (time <= Date.parse(at)) return "same";
  const places = readJournal(system).lines.flatMap(({ at, tmux }) =>
    tmux ? [{ at: Date.parse(at), tmux }] : []
  );
  const isLater = (life: ServerLife) => life.socket === server.socket && life.started > server.started;
  if (places.some(({ tmux }) => isLater(tmux) && tmux.started * 1_000 <= time)) return "another";
  return places.some(({ at, tmux }) => sameLife(tmux, server) && time <= at) ? "same" : "unknown";
}

/** Rows whose place had another pane by the end of their server, when all its conversations had been closed. */
function replacedIn(emptied: Manifest[], { server }: Manifest): ChosenSnapshot["doubt"] {
  const last = emptied.find((manifest) => sameLife(manifest.server, server));
  return (row) => {
    const pane = last && rowAt(last, row);
    return pane && pane.pane_id !== row.pane_id
      ? "another pane was at its place when the server ended"
      : null;
  };
}

function whyNewest(before: number | undefined, dangling: boolean, save: string | null): string {
  if (before !== undefined) return "is the last one before the given time";
  if (dangling) return "is the newest one (tmux-resurrect's `last` leads nowhere)";
  return save === null ? "is the newest one" : `is the newest one (none belongs to the tmux save ${save})`;
}

// tmux-resurrect's current save, read and repaired.
import { reasonOf } from "../errors.ts";
import { recordFailure } from "../state/failures.ts";
import { writeAtomic } from "../state/atomic.ts";
import { readPlainBytes } from "../system/plain_file.ts";
import type { System } from "../system/system.ts";
import { currentSave, type SaveRef } from "../tmux/resurrect.ts";
import { repairBytes, repairSave } from "../tmux/repair_save.ts";
import { type IdentifiedRow, listSaves, readSave, saveTime } from "../tmux/saves.ts";
import type { Survey } from "./survey.ts";

export interface CurrentSave {
  ref: SaveRef;
  saved: IdentifiedRow[];
  /** When it was made, milliseconds since the epoch, null when there is none. */
  time: number | null;
}

/** The save behind `last` with its panes; empty when there is none or it cannot be read. */
export function saveOf(system: System, server: { resurrect_dir: string }): CurrentSave {
  return read(system, currentSave(system, server.resurrect_dir));
}

/** The save that was restored, or would be: not the one that the running server has made since it started. */
export function restoredSave(
  system: System,
  server: { resurrect_dir: string; started: number },
): CurrentSave {
  const current = saveOf(system, server);
  const isBefore = (time: number | null) => time !== null && time < server.started * 1_000;
  const { folder } = current.ref;
  if (folder === null || current.time === null || isBefore(current.time)) return current;
  const earlier = listSaves(system, folder).find(({ time }) => isBefore(time));
  return read(system, { ...current.ref, save: earlier?.name ?? null, path: earlier?.path ?? null });
}

/** The first save that the running server has made, null when it has made none that is still there. */
export function firstSave(
  system: System,
  server: { resurrect_dir: string; started: number },
): IdentifiedRow[] | null {
  const { folder } = currentSave(system, server.resurrect_dir);
  const own = folder === null
    ? []
    : listSaves(system, folder).filter(({ time }) => time >= server.started * 1_000);
  const first = own.at(-1);
  return first ? readSave(system, first.path) : null;
}

function read(system: System, ref: SaveRef): CurrentSave {
  if (ref.path === null) return { ref, saved: [], time: null };
  return { ref, saved: readSave(system, ref.path), time: saveTime(system, ref.path) };
}

/** Repairs what resurrect would lose at a restore. The save stays as it is when it cannot be written. */
export function repairCurrentSave(system: System, seen: Survey): void {
  const { path } = currentSave(system, seen.server.resurrect_dir);
  const bytes = path === null ? null : readOrNull(system, path);
  if (path === null || bytes === null) return;
  const panes = seen.panes.flatMap(({ pane }) => pane.addresses.map((address) => ({ ...pane, ...address })));
  const repaired = repairBytes(bytes, (line) => repairSave(line, panes));
  if (repaired === null) return;
  try {
    writeAtomic(system, path, repaired, { mode: system.files.stat(path)?.mode ?? 0o644 });
  } catch (error) {
    recordFailure(system, { where: "manifest", reason: `cannot repair ${path}: ${reasonOf(error)}` });
  }
}

function readOrNull(system: System, path: string): Uint8Array | null {
  try {
    return readPlainBytes(system, path);
  } catch {
    return null;
  }
}

// tmux-resurrect's current save, read and repaired.
import { reasonOf } from "../errors.ts";
import { recordFailure } from "../state/failures.ts";
import { writeAtomic } from "../state/atomic.ts";
import type { System } from "../system/system.ts";
import { currentSave, type SaveRef } from "../tmux/resurrect.ts";
import { repairSave } from "../tmux/repair_save.ts";
import { type SavedRow, savedRows } from "../tmux/saves.ts";
import type { Survey } from "./survey.ts";

export interface CurrentSave {
  ref: SaveRef;
  saved: SavedRow[];
}

/** The save behind `last` with its panes; empty when there is none or it cannot be read. */
export function saveOf(system: System, server: { resurrect_dir: string }): CurrentSave {
  const ref = currentSave(system, server.resurrect_dir);
  return { ref, saved: savedRows(readSave(system, ref) ?? "") };
}

function readSave(system: System, { folder, save }: SaveRef): string | null {
  if (folder === null || save === null) return null;
  try {
    return system.files.readText(`${folder}/${save}`);
  } catch {
    return null;
  }
}

/** Repairs what resurrect would lose at a restore. The save stays as it is when it cannot be written. */
export function repairCurrentSave(system: System, seen: Survey): void {
  const ref = currentSave(system, seen.server.resurrect_dir);
  const text = readSave(system, ref);
  const panes = seen.panes.flatMap(({ pane }) => pane.addresses.map((address) => ({ ...pane, ...address })));
  const repaired = text === null ? null : repairSave(text, panes);
  if (repaired === null) return;
  const path = `${ref.folder}/${ref.save}`;
  try {
    writeAtomic(system, path, repaired, { mode: system.files.stat(path)?.mode ?? 0o644 });
  } catch (error) {
    recordFailure(system, { where: "manifest", reason: `cannot repair ${path}: ${reasonOf(error)}` });
  }
}

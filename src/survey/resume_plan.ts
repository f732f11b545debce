// Whether one binding can be brought back now, and as what. The same answer for revive, restore and list.
import type { Binding, SessionId } from "../binding.ts";
import { versionAtLeast } from "../claude/versions.ts";
import { CROSS_FOLDER_VERSION, nearbyFolders } from "../ladder/folder.ts";
import { type Alive, pick } from "../ladder/pick.ts";
import type { System } from "../system/system.ts";
import type { LineWanted } from "./line.ts";
import type { Survey } from "./survey.ts";

export type ResumePlan =
  | { can: true; wanted: LineWanted; note: string | null }
  /** `reason`: a word for programs. `message`: one line for the person, with the next step. */
  | { can: false; reason: string; message: string; id: SessionId };

/** Decides from the transcript, from who holds the conversation now, and from its folder. */
export function planResume(
  system: System,
  seen: Pick<Survey, "transcript" | "alive">,
  binding: Binding,
  options: { force: boolean; paneId: string },
): ResumePlan {
  const elsewhere = (id: SessionId): Alive | null => {
    const alive = seen.alive.get(id) ?? null;
    return alive?.where === "pane" && alive.pane_id === options.paneId ? null : alive;
  };
  const transcript = (id: SessionId, of: Binding) => seen.transcript(id, of).state;
  const picked = pick(binding, transcript, elsewhere, options);
  switch (picked.can) {
    case "resume":
      return inFolder(
        system,
        { id: picked.id, binding: picked.binding, form: "resume" },
        picked.id === picked.binding.session_id ? null : CLEARED,
      );
    case "fresh":
      return inFolder(
        system,
        { id: binding.session_id, binding: picked.binding, form: "fresh" },
        NEVER_PROMPTED,
      );
    case "gone":
      return no(
        binding.session_id,
        "transcript-gone",
        "its transcript is gone (Claude deletes old ones): claude --resume",
      );
    case "unknown":
      return no(
        picked.id,
        "transcript-unreadable",
        "its transcript cannot be read: tmuxclaude doctor says why",
      );
    case "alive":
      return no(picked.id, `alive-in-${picked.alive.where}`, aliveMessage(picked.id, picked.alive));
  }
}

const CLEARED = "nothing was said since /clear: it is what was there before";
const NEVER_PROMPTED = "never prompted, so a fresh start is offered";

function no(id: SessionId, reason: string, message: string): ResumePlan {
  return { can: false, reason, message, id };
}

function aliveMessage(id: SessionId, alive: Alive): string {
  if (alive.where === "pane") {
    return `its conversation is alive in pane ${alive.address} (${alive.pane_id}): go there`;
  }
  if (alive.where === "background") return `it runs in the background: claude attach ${id.slice(0, 8)}`;
  return `its conversation is alive elsewhere (process ${alive.pid}): end it there first`;
}

function inFolder(system: System, wanted: LineWanted, note: string | null): ResumePlan {
  const { cwd, claude } = wanted.binding;
  if (isFolder(system, cwd)) return { can: true, wanted, note };
  const folder = nearbyFolders(cwd).find((one) => isFolder(system, one));
  const works = wanted.form === "fresh" || versionAtLeast(claude?.version ?? null, CROSS_FOLDER_VERSION);
  if (!folder || !works) {
    return no(wanted.id, "folder-gone", `its folder ${cwd} is gone: make it again, then press the key again`);
  }
  return {
    can: true,
    wanted: { ...wanted, folder },
    note: `its folder ${cwd} is gone, so it is resumed in ${folder}`,
  };
}

/** Whether a folder is there. */
export function isFolder(system: System, path: string): boolean {
  try {
    return system.files.stat(path)?.kind === "directory";
  } catch {
    return false;
  }
}

// Whether one binding can be brought back now, and as what. The same answer for revive, restore and list.
import type { Binding, SessionId } from "../binding.ts";
import { versionAtLeast } from "../claude/versions.ts";
import { CROSS_FOLDER_VERSION, nearbyFolders } from "../ladder/folder.ts";
import { type Alive, pick } from "../ladder/pick.ts";
import { MESSAGE_COLUMNS, shortEnd, shortPath } from "../ladder/short.ts";
import type { System } from "../system/system.ts";
import type { LineWanted } from "./line.ts";
import { homeOf, type Survey } from "./survey.ts";

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
      return no(picked.id, `alive-in-${picked.alive.where}`, aliveMessage(picked.alive));
  }
}

const CLEARED = "nothing was said since /clear: it is what was there before";
const NEVER_PROMPTED = "never prompted, so a fresh start is offered";

function no(id: SessionId, reason: string, message: string): ResumePlan {
  return { can: false, reason, message, id };
}

function aliveMessage(alive: Alive): string {
  if (alive.where === "pane") {
    return `its conversation is alive in pane ${shortAddress(alive.address)} (${alive.pane_id}): go there`;
  }
  if (alive.where === "background") return `it runs in the background: claude attach ${alive.job}`;
  return `its conversation is alive elsewhere (pid ${alive.pid}): end it there`;
}

/** An address for a message: of a long name its end, which has the indices. */
export function shortAddress(address: string): string {
  return shortEnd(address, 20);
}

const GONE = "its folder is gone, make it again: ";

function inFolder(system: System, wanted: LineWanted, note: string | null): ResumePlan {
  const { cwd, claude } = wanted.binding;
  if (isFolder(system, cwd)) return { can: true, wanted, note };
  const folder = nearbyFolders(cwd).find((one) => isFolder(system, one));
  const works = wanted.form === "fresh" || versionAtLeast(claude?.version ?? null, CROSS_FOLDER_VERSION);
  const short = (path: string, room: number) => shortPath(path, homeOf(system), room);
  if (!folder || !works) {
    return no(wanted.id, "folder-gone", GONE + short(cwd, MESSAGE_COLUMNS - GONE.length));
  }
  const moved = `its folder ${short(cwd, 30)} is gone, so it is resumed in ${short(folder, 30)}`;
  return { can: true, wanted: { ...wanted, folder }, note: moved };
}

/** Whether a folder is there. */
export function isFolder(system: System, path: string): boolean {
  try {
    return system.files.stat(path)?.kind === "directory";
  } catch {
    return false;
  }
}

// Name pushes that wait for the next prompt. The folder is there only while one waits: the entry in Claude's
// settings tests for it in sh, so that a prompt costs nothing otherwise.
import { type SessionId, sessionId } from "../binding.ts";
import { toRecord, toText } from "../from_disk.ts";
import { reasonOf } from "../errors.ts";
import { sanitize } from "../names/sanitize.ts";
import { sameName } from "../names/free.ts";
import { isCollision } from "../names/title.ts";
import type { System } from "../system/system.ts";
import { writeAtomic } from "./atomic.ts";
import { recordFailure } from "./failures.ts";
import { naming, openToRead } from "./own_file.ts";
import { prepareFolder, prepareState, statePaths } from "./paths.ts";
import { textLines } from "./raw_lines.ts";

/** One push that could not be typed. */
export interface PendingPush {
  session_id: SessionId;
  name: string;
  window_id: string;
  /** The title the user had given the conversation when the push was left, null when it had none. */
  title: string | null;
  /** ISO time. */
  at: string;
}

/** What `pendingTitle` reads of a hook event. */
export interface PromptEvent {
  session_id: SessionId;
  session_title: string | null;
}

/** Leaves a push for the conversation's next prompt, in place of an older one. Throws UserError and file errors. */
export function putPending(system: System, push: PendingPush): void {
  const { pending } = prepareState(system);
  prepareFolder(system, pending);
  writeAtomic(system, fileOf(pending, push.session_id), `${JSON.stringify({ schema: 1, ...push })}\n`, {
    mode: 0o600,
  });
}

/** The push that waits for a conversation, null when there is none. Never throws for what a file may hold. */
export function peekPending(system: System, id: SessionId): PendingPush | null {
  try {
    using file = openToRead(system, fileOf(statePaths(system).pending, id));
    const [text] = file ? textLines(file) : [];
    return text ? toPending(JSON.parse(text)) : null;
  } catch {
    return null;
  }
}

/** Takes the push out: what is returned is waiting no more. */
export function takePending(system: System, id: SessionId): PendingPush | null {
  const push = peekPending(system, id);
  dropPending(system, id);
  return push;
}

/** Removes a conversation's push, and the folder when it was the last. */
export function dropPending(system: System, id: SessionId): void {
  const { pending } = statePaths(system);
  remove(system, fileOf(pending, id));
  removeWhenEmpty(system, pending);
}

function remove(system: System, path: string): void {
  naming(path, () => system.files.remove(path));
}

/**
 * The title that the answer to this event should carry (`hookSpecificOutput.sessionTitle`), or null. Costs one
 * stat when nothing waits, and never throws. A push is answered once. It is dropped unanswered when the title has
 * it already, or when the user has renamed the conversation since: a later name wins.
 */
export function pendingTitle(
  system: System,
  event: PromptEvent,
  binding: { chain: SessionId[] } | null,
): string | null {
  try {
    if (!system.files.stat(statePaths(system).pending)) return null;
    const ids = [event.session_id, ...(binding?.chain ?? [])];
    const pushes = ids.map((id) => takePending(system, id)).filter((push) => push !== null);
    return pushes.length > 0 ? answerOf(pushes[0], event.session_title) : null;
  } catch (error) {
    recordFailure(system, { where: "pending", reason: reasonOf(error) });
    return null;
  }
}

function answerOf(push: PendingPush, title: string | null): string | null {
  if (title === null) return push.name;
  if (sameName(title, push.name)) return null;
  const before = push.title;
  return before !== null && (sameName(title, before) || isCollision(before, title)) ? push.name : null;
}

/** Removes pushes of conversations that are not alive any more (a start asks the window instead). Returns how many. */
export function sweepPending(system: System, isAlive: (id: SessionId) => boolean): number {
  const { pending } = statePaths(system);
  const dead = naming(pending, () => system.files.list(pending))
    .map((file) => sessionId(file.replace(/\.json$/, "")))
    .filter((id) => id !== null)
    .filter((id) => !isAlive(id));
  for (const id of dead) remove(system, fileOf(pending, id));
  removeWhenEmpty(system, pending);
  return dead.length;
}

function fileOf(folder: string, id: SessionId): string {
  return `${folder}/${id}.json`;
}

/** Another process may put a file in between: then the folder is not empty, and stays. */
function removeWhenEmpty(system: System, folder: string): void {
  const isEmpty = () =>
    naming(folder, () => system.files.stat(folder) && system.files.list(folder).length === 0);
  if (!isEmpty()) return;
  try {
    remove(system, folder);
  } catch (error) {
    if (isEmpty()) throw error;
  }
}

/** The name is sanitized again: whoever wrote the file, nothing else may reach a title. */
function toPending(value: unknown): PendingPush | null {
  const found = toRecord(value);
  const id = sessionId(found?.session_id);
  const name = sanitize(toText(found?.name) ?? "");
  if (!found || !id || "error" in name) return null;
  return {
    session_id: id,
    name: name.name,
    window_id: toText(found.window_id) ?? "",
    title: toText(found.title),
    at: toText(found.at) ?? "",
  };
}

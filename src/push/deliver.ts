// Bringing a name into a conversation by the way that was decided, and the window to the name that it really has.
import { storedTitle } from "../claude/known_titles.ts";
import { freeName } from "../names/free.ts";
import { dropPending, putPending } from "../state/pending.ts";
import type { Tmux } from "../tmux/client.ts";
import { renameWindow } from "../tmux/rename.ts";
import type { Target } from "./target.ts";
import { typeName, untilTaken } from "./type_name.ts";

/** The window, its conversation, the name that is free for both, and the names that are not. */
export interface Push {
  window_id: string;
  /** What the window is called now. */
  windowName: string;
  target: Target;
  name: string;
  taken: readonly string[];
}

/** How a push ended. `name` is what the window is called now. */
export interface Delivered {
  outcome: "landed" | "pending" | "failed" | "superseded";
  /** `typed`, or `prompt` when the hook's answer to the next prompt carries it. */
  via: "typed" | "prompt" | null;
  name: string;
  reason: string | null;
}

/** Tries of our own numbers after Claude said that a name is held elsewhere on this machine. */
const WALK = 5;

/**
 * Types the name. When another live conversation holds it (Claude then adds two words), the next free number is
 * tried, a few times; at the end the window has the title that the conversation has. Throws TmuxError.
 */
export async function deliverTyped(tmux: Tmux, push: Push): Promise<Delivered> {
  let now = push;
  for (let round = 1;; round++) {
    if (!await renameTo(tmux, now, now.name)) return superseded(now);
    now = { ...now, windowName: now.name };
    const typed = await typeName(tmux, now.target, now.name);
    if (typed.outcome !== "collision") return await settle(tmux, now, typed.outcome);
    const taken = [...now.taken, now.name];
    if (round === WALK) return await keepTheirs(tmux, now, typed.title, push.name);
    await untilTaken(tmux, now.target, now.name);
    now = { ...now, name: freeName(push.name, taken), taken };
  }
}

type Ended = Exclude<Awaited<ReturnType<typeof typeName>>["outcome"], "collision">;

async function settle(tmux: Tmux, push: Push, outcome: Ended): Promise<Delivered> {
  const { name, target } = push;
  switch (outcome) {
    case "landed":
      if (target.id !== null) dropPending(tmux.system, target.id);
      return { outcome, via: "typed", name, reason: null };
    case "sent":
      return failed(name, "Claude has it queued: it cannot be confirmed yet");
    case "stray":
      return failed(name, `"/rename ${name}" was left in the input box of Claude`);
    default:
      return await deliverLater(
        tmux,
        push,
        outcome === "busy" ? "its input box is in use" : "it did not take it",
      );
  }
}

/** Leaves the name for the hook's answer to the next prompt. */
export async function deliverLater(tmux: Tmux, push: Push, because: string): Promise<Delivered> {
  const { name, target, window_id } = push;
  if (!await renameTo(tmux, push, name)) return superseded(push);
  if (target.id === null) return failed(name, because);
  const title = storedTitle(tmux.system, target);
  putPending(tmux.system, {
    session_id: target.id,
    name,
    window_id,
    title: title?.source === "custom" ? title.title : null,
    at: new Date(tmux.system.now()).toISOString(),
  });
  return { outcome: "pending", via: "prompt", name, reason: because };
}

/** All our numbers were held: the window says what the conversation is really called. */
async function keepTheirs(tmux: Tmux, push: Push, title: string, asked: string): Promise<Delivered> {
  await renameTo(tmux, push, title);
  return { outcome: "failed", via: "typed", name: title, reason: `other live conversations hold "${asked}"` };
}

/** False when the user has renamed the window meanwhile: that name has a push of its own. */
async function renameTo(tmux: Tmux, { window_id, windowName }: Push, name: string): Promise<boolean> {
  return windowName === name || await renameWindow(tmux, window_id, { from: windowName, to: name });
}

function superseded({ windowName }: Push): Delivered {
  return {
    outcome: "superseded",
    via: null,
    name: windowName,
    reason: "the window was renamed again meanwhile",
  };
}

function failed(name: string, reason: string): Delivered {
  return { outcome: "failed", via: null, name, reason };
}

// What to do about a window's name and a conversation's title. Pure tables.
import type { BoxState } from "../claude/input_box.ts";
import { sameName } from "./free.ts";
import { isCollision, type Titles } from "./title.ts";

/** What Claude in the window can take, null when there is no live Claude of the user's own. */
export interface PushTarget {
  /** Its hooks may answer with a title (2.1 and newer). */
  takesTitleFromHook: boolean;
  /** False before its SessionStart: it waits for trust, or has just been started. Its version is not known then. */
  conversationKnown: boolean;
  /** What it is called now. */
  titles: string[];
  box: BoxState;
}

export interface PushFacts {
  /** The window's own automatic-rename is off and its name is not empty. */
  deliberate: boolean;
  /** The sanitized name that is free in the project, or why there is none. */
  wanted: { name: string } | { error: string };
  target: PushTarget | null;
}

/**
 * `nothing`: there is nothing to do. `hook`: the answer to the coming SessionStart carries the name. `type`: the
 * input box is provably empty. `pending`: the answer to the next prompt carries it. `refuse`: it cannot be done.
 */
export type PushDecision =
  | { do: "nothing"; because: "not-named" | "no-claude" | "same" }
  | { do: "hook" | "type"; name: string }
  | { do: "pending"; name: string; because: BoxState }
  | { do: "refuse"; reason: string };

const WHY: Record<BoxState, string> = {
  "empty": "its input box is empty",
  "draft": "there is a draft in its input box",
  "shell-mode": "its input box is in shell mode",
  "dialog": "it shows a dialog",
  "suspended": "it is suspended",
  "mode": "the pane is in copy mode",
  "dead": "the pane is dead",
  "input-off": "the pane takes no input",
};

/** Why a box cannot be typed into, as the end of a sentence about Claude. */
export function whyNot(box: BoxState): string {
  return WHY[box];
}

/** The first row that fits wins. */
export function decidePush({ deliberate, wanted, target }: PushFacts): PushDecision {
  if (!deliberate) return { do: "nothing", because: "not-named" };
  if (!target) return { do: "nothing", because: "no-claude" };
  if ("error" in wanted) return { do: "refuse", reason: wanted.error };
  const { name } = wanted;
  if (target.titles.some((title) => sameName(title, name))) return { do: "nothing", because: "same" };
  if (target.box === "empty") return { do: "type", name };
  if (!target.conversationKnown && target.box === "dialog") return { do: "hook", name };
  if (!target.conversationKnown || !target.takesTitleFromHook) {
    return { do: "refuse", reason: whyNot(target.box) };
  }
  return { do: "pending", name, because: target.box };
}

/** What the titles say after a push. `waiting`: nothing yet; at the deadline that means it was swallowed. */
export type PushOutcome =
  | { outcome: "landed" }
  | { outcome: "collision"; title: string }
  | { outcome: "waiting" };

/**
 * Looks at the titles from before and after a push of `name`: a witness that says something new is believed. A title
 * that looked like a collision before already counts only when `final` says that no more time is left.
 */
export function decideOutcome(
  name: string,
  titles: { before: Titles; after: Titles },
  { final }: { final: boolean },
): PushOutcome {
  const { before, after } = titles;
  const news = WITNESSES.filter((witness) => after[witness] !== before[witness]).map((witness) =>
    after[witness]
  );
  if (news.some((title) => title !== null && sameName(title, name))) return { outcome: "landed" };
  const all = WITNESSES.map((witness) => after[witness]);
  const collided = (final ? all : news).find((title) => title !== null && isCollision(name, title));
  return collided == null ? { outcome: "waiting" } : { outcome: "collision", title: collided };
}

const WITNESSES = ["shown", "registry", "stored"] as const;

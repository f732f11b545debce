// Name first, launch whenever: which title a starting conversation is given by our answer to SessionStart. Pure.
import type { NameAt } from "../binding.ts";
import { sameName } from "./free.ts";
import { sanitize } from "./sanitize.ts";
import { isCollision } from "./title.ts";

export interface StartFacts {
  /** Claude's own word: startup, resume, clear, fork, compact. */
  source: string;
  /** Whether this version takes a title from a hook. */
  takesTitleFromHook: boolean;
  /** The pane is the lowest-index one with a Claude of the user's own in its window, and not a teammate's. */
  speaksForWindow: boolean;
  window: { name: string; deliberate: boolean };
  /** `session_title` of the event: the title the user, or a hook, gave this conversation; null when it has none. */
  sessionTitle: string | null;
  /** The binding's name history, oldest first. */
  names: readonly NameAt[];
}

/**
 * The title to answer with, or null to stay silent. The answer always wins over what the conversation is called,
 * also over the user's own /rename, so it is given only where the window was named on purpose and
 *
 * - the conversation has no title of its own yet: none, that of the one it was forked from, or the window's name
 *   with the two words that Claude adds when another running Claude holds it; or
 * - its title is one we know it by, and the window's name is not: the window was named later.
 *
 * A title that we have never seen (`-n name`, an old conversation brought back by the picker) stays, and so does
 * a /rename after the window's name was pushed: the window's name is older there. After `/compact` nothing is new.
 */
export function titleAtStart(facts: StartFacts): string | null {
  if (!facts.takesTitleFromHook || !facts.speaksForWindow || !facts.window.deliberate) return null;
  if (facts.source === "compact") return null;
  const wanted = sanitize(facts.window.name);
  if ("error" in wanted) return null;
  return hasItsOwn(facts, wanted.name) ? null : wanted.name;
}

function hasItsOwn({ source, sessionTitle, names }: StartFacts, wanted: string): boolean {
  if (sessionTitle === null) return false;
  if (sameName(sessionTitle, wanted)) return true;
  if (source === "fork" || isCollision(wanted, sessionTitle)) return false;
  const known = (name: string) => names.some((item) => sameName(item.name, name));
  return !known(sessionTitle) || known(wanted);
}

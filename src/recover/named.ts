// Whether a pane's names are a conversation's title. Pure.
import { sanitize } from "../names/sanitize.ts";
import { cleanTitle, isCollision } from "../names/title.ts";

/** Names that any number of windows and panes have. */
const GENERIC = /^(claude(-code)?|(ba|z|fi|da|k)?sh|nu|tmux|node|bun|deno|vim?|nvim|main|\d+([.-]\d+)*)$/i;
/** The shortest beginning of a title that tells something. */
const SHORTEST_CUT = 8;

/** What a name is looked up by, "" for one that says nothing. */
export function nameKey(name: string): string {
  const clean = sanitize(cleanTitle(name));
  return "error" in clean || GENERIC.test(clean.name) ? "" : clean.name.toLowerCase();
}

/** The reason in words when the window's name or the pane's title is this title, else null. */
export function matchedName(
  pane: { window_name: string; title: string },
  title: string | null,
): string | null {
  if (title === null) return null;
  if (isTitle(pane.window_name, title)) return `its window was named "${pane.window_name}"`;
  return isTitle(pane.title, title) ? `the pane showed "${cleanTitle(pane.title)}"` : null;
}

function isTitle(name: string, title: string): boolean {
  const wanted = nameKey(title);
  const has = nameKey(name);
  if (has === "" || wanted === "") return false;
  if (has === wanted || isCollision(has, wanted) || isCollision(wanted, has)) return true;
  // A name that tmux cut to its width ends with this character.
  return name.endsWith("…") && has.length >= SHORTEST_CUT && wanted.startsWith(has);
}

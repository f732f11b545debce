// Reading Claude's terminal titles. Pure.

/**
 * The title without what Claude puts before it: one glyph (✳, a spinner frame, `*` or `>` of its screen reader
 * mode) and blanks. Titles that begin with a letter or digit stay whole.
 */
export function cleanTitle(title: string): string {
  return title.trim().replace(/^[^\p{L}\p{N}\s]\ufe0f? +/u, "").trim();
}

/**
 * Whether a title is Claude's own answer to a name that another live conversation holds: the name, two random
 * words and sometimes a number (`name-toasty-bentley`; the pattern is the one in 2.1.332 itself).
 */
export function isCollision(wanted: string, title: string): boolean {
  return title.startsWith(`${wanted}-`) && /^[a-z]+-[a-z]+(-\d{1,4})?$/.test(title.slice(wanted.length + 1));
}

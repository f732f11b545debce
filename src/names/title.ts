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

/** What three witnesses say a conversation is called, null when one says nothing. */
export interface Titles {
  /** The pane's title, cleaned; null when Claude's titles are switched off. */
  shown: string | null;
  /** The name in Claude's registry that somebody gave. */
  registry: string | null;
  /** The title in the transcript. */
  stored: string | null;
}

/**
 * What the conversation is called now. A title in the pane that another witness (or our own record, `known`) confirms
 * is the newest: registry and transcript stay behind after a title that a hook gave at the start. Any other title in
 * the pane is Claude's own invention, or titles do not follow names (`terminalTitleFromRename`).
 */
export function currentTitles({ shown, registry, stored }: Titles, known: string | null): string[] {
  if (shown !== null && [registry, stored, known].includes(shown)) return [shown];
  return [registry, stored].filter((title) => title !== null);
}

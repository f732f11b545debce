// Which words tmux takes for a key. Pure. One that it does not know ends the reading of our file, and of the user's.

/** tmux's names (key-string.c), without those that no keyboard has; upper and lower case are the same to it. */
const NAMED = new RegExp(
  "^(?:F(?:[1-9]|1[0-2])|IC|Insert|DC|Delete|Home|End|NPage|PageDown|PgDn|PPage|PageUp|PgUp|Tab|BTab|Space|BSpace|" +
    "Enter|Escape|Up|Down|Left|Right|KP(?:[0-9/*+.-]|Enter))$",
  "i",
);
const MODIFIERS = /^(?:[CMS]-)+(?=.)/i;

/** Whether bind-key takes the word: one character or a name, C-, M- and S- before it; "^x" is C-x. */
export function isKey(word: string): boolean {
  const key = word.replace(MODIFIERS, "").replace(/^\^(?=.)/, "");
  return NAMED.test(key) || /^[^\p{C}\p{Z}\p{M}]$/u.test(key);
}

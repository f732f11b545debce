// What a name may look like so that it can be a window name, a conversation title and a tmux target alike. Pure.

/** Longest name in characters (code points). tmux has no limit of its own, Claude cuts at 200. */
export const NAME_LIMIT = 64;

// Invisible characters that Unicode counts as letters or marks (Hangul fillers, variation selectors) would make
// names that look empty, and Claude removes them, so that a title would never equal its window.
const LETTER = String.raw`[[\p{L}\p{N}]--\p{Default_Ignorable_Code_Point}]`;
const MARK = String.raw`[\p{M}--\p{Default_Ignorable_Code_Point}]`;
// Letters by category that Unicode's segmentation joins to what precedes: Thai and Lao AM, half-width sound marks.
const JOINS = String.raw`[\u0e33\u0eb3\uff9e\uff9f]`;
// A consonant, a virama and the next consonant are one character in these scripts (Unicode rule GB9c).
const VIRAMA = String.raw`[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d]`;
// Jamo that stand alone are joined as they are written: leading ones, a syllable, vowels, trailing ones.
const LEAD = String.raw`[\u1100-\u115e\ua960-\ua97c]`;
const AFTER = String.raw`[\u1161-\u11ff\ud7b0-\ud7fb]`;
const HANGUL = String.raw`(?:${LEAD}+[\uac00-\ud7a3]?|[\uac00-\ud7a3])${AFTER}*|${AFTER}+`;

const KEPT = new RegExp(`(?:${LETTER}${MARK}*|[_\\-])+`, "gv");
const CHARACTER = new RegExp(
  `(?:${HANGUL}|${LETTER}|[_\\-])(?:${MARK}|${JOINS}|(?<=${VIRAMA}${MARK}*)[\u0900-\u0dff])*`,
  "gv",
);

/**
 * The text as a name: letters and digits of any script with their combining marks, `_` and `-` stay, every run of
 * anything else becomes one dash, dashes collapse and are trimmed at both ends, at most 64 characters, none of
 * them cut. Idempotent. An error when nothing is left.
 */
export function sanitize(text: string): { name: string } | { error: string } {
  const dashed = (text.match(KEPT) ?? []).join("-");
  const name = trimDashes(cutName(dashed.replaceAll(/-+/g, "-").replace(/^-/, ""), NAME_LIMIT));
  return name === "" ? { error: "it holds no letter or digit" } : { name };
}

/** The name in at most `limit` code points, cut between characters as a reader sees them, without a dash at its end. */
export function cutName(name: string, limit: number): string {
  if (name.length <= limit) return name;
  let kept = "";
  let length = 0;
  for (const [character] of name.matchAll(CHARACTER)) {
    length += [...character].length;
    if (length > limit) break;
    kept += character;
  }
  return trimDashes(kept);
}

function trimDashes(text: string): string {
  return text.replace(/^-+/, "").replace(/-+$/, "");
}

// Columns that text takes on a terminal, and cutting it to fit. Pure. Without Intl.Segmenter: making one takes 10 ms.

/** Wide and fullwidth blocks of Unicode's East Asian Width; wide emoji are known by their property. */
const WIDE = new RegExp(
  "[\\u1100-\\u115f\\u2329\\u232a\\u2e80-\\u303e\\u3041-\\u3247\\u3250-\\u4dbf\\u4e00-\\ua4c6\\ua960-\\ua97c" +
    "\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe10-\\ufe19\\ufe30-\\ufe6b\\uff01-\\uff60\\uffe0-\\uffe6" +
    "\\u{16fe0}-\\u{1b2fb}\\u{1f200}-\\u{1f265}\\u{20000}-\\u{3fffd}]|\\p{Emoji_Presentation}",
  "u",
);
/** What stands on the character before it: accents, joiners, variation selectors, vowels of Hangul. */
const NO_COLUMN = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\u{1f3fb}-\u{1f3ff}]/u;
const FLAG_LETTER = /[\u{1f1e6}-\u{1f1ff}]/u;
const SOFT_HYPHEN = "\u00ad";
const JOINER = "\u200d";
const EMOJI_STYLE = "\ufe0f";

/** One character as a person sees it. */
interface Cell {
  text: string;
  columns: number;
}

/** Splits text into the characters a person sees: accents and joined emoji stay together. */
function cells(text: string): Cell[] {
  const found: Cell[] = [];
  for (const char of text) {
    const last = found.at(-1);
    if (last && belongs(last, char)) {
      last.text += char;
      if (char === EMOJI_STYLE) last.columns = 2;
    } else found.push({ text: char, columns: columnsOf(char) });
  }
  return found;
}

function belongs(cell: Cell, char: string): boolean {
  if (cell.text.endsWith(JOINER) || columnsOf(char) === 0) return true;
  return FLAG_LETTER.test(char) && FLAG_LETTER.test(cell.text) && [...cell.text].length === 1;
}

function columnsOf(char: string): number {
  if (char >= " " && char <= "~") return 1;
  if (NO_COLUMN.test(char) && char !== SOFT_HYPHEN) return 0;
  return WIDE.test(char) ? 2 : 1;
}

/** Columns the text takes on a terminal that knows wide characters. */
export function textWidth(text: string): number {
  return total(cells(text));
}

/** The text when it fits, else its start (or its end) with one `…` for what is left out. */
export function fit(text: string, columns: number, keep: "start" | "end" = "start"): string {
  const all = cells(text);
  if (total(all) <= columns) return text;
  if (columns < 1) return "";
  if (keep === "start") return `${joined(all.slice(0, countFitting(all, columns - 1)))}…`;
  return `…${joined(all.slice(all.length - countFitting(all.toReversed(), columns - 1)))}`;
}

function total(all: Cell[]): number {
  return all.reduce((sum, cell) => sum + cell.columns, 0);
}

function joined(all: Cell[]): string {
  return all.map((cell) => cell.text).join("");
}

/** How many cells from the start fit into so many columns. */
function countFitting(all: Cell[], columns: number): number {
  let left = columns;
  const end = all.findIndex((cell) => (left -= cell.columns) < 0);
  return end < 0 ? all.length : end;
}

/** The text with blanks up to so many columns. */
export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - textWidth(text)));
}

// deno-lint-ignore no-control-regex -- control characters are what is looked for
export const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text of others (titles, names, folders) without what a terminal would obey: control characters, and marks that turn
 * the direction of what follows.
 */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, "\ufffd");
}

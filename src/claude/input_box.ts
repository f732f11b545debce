// Is Claude's input box empty and focused? The gate before any keystroke: in a dialog an Enter would approve a
// command, over a draft it would send the draft. Pure. Every rule was measured on 2.1.332 and 2.1.197.
import { boxMarks } from "./versions.ts";

export interface BoxFacts {
  /** The line the cursor is on, as `capture-pane -p -e` prints it (with escape sequences). */
  row: string;
  /** The line below it, likewise. */
  below: string;
  cursorX: number;
  inMode: boolean;
  paneDead: boolean;
  inputOff: boolean;
  /** `status` of Claude's registry, null where there is none (2.0.76). */
  registryStatus: string | null;
  version: string | null;
}

/**
 * `empty` is the only state that may be typed into. `dialog` stands for everything else Claude may show: a
 * permission question, a picker, the transcript view, a search.
 */
export type BoxState = "empty" | "draft" | "shell-mode" | "dialog" | "mode" | "dead" | "input-off";

/** One character of a row and whether it is drawn dim. */
export interface Cell {
  char: string;
  dim: boolean;
}

/** What follows the prompt character in the box, never in dialogs, pickers and past messages (plain blanks there). */
const BLANK = "\u00a0";
const AFTER_PROMPT = 2;

/** The box's lower edge, a line from the first column on. A draft's second line is indented by two blanks. */
const EDGE = /^[\u2500-\u257f]/;

/** What the input box of Claude is doing, so far as a row and the registry can tell. */
export function inputBox(facts: BoxFacts): BoxState {
  if (facts.paneDead) return "dead";
  if (facts.inMode) return "mode";
  if (facts.inputOff) return "input-off";
  if (facts.registryStatus === "waiting") return "dialog";
  const cells = readCells(facts.row);
  const text = plain(facts.row);
  if (text.startsWith(`!${BLANK}`)) return "shell-mode";
  if (!boxMarks(facts.version).some((mark) => text.startsWith(mark + BLANK))) return "dialog";
  // A draft whose first line is empty, with the cursor on it, has the very row of an empty box (seen on both).
  const isOneLine = EDGE.test(plain(facts.below));
  return isOneLine && facts.cursorX === AFTER_PROMPT && isGhost(cells.slice(AFTER_PROMPT))
    ? "empty"
    : "draft";
}

/**
 * The text in the box that the cursor is in, without blanks, because a long one is wrapped; null when the cursor is
 * in no box. `rows` is the captured screen.
 */
export function boxText(rows: readonly string[], cursorY: number, version: string | null): string | null {
  const texts = rows.map(plain);
  const top = texts.slice(0, cursorY + 1).findLastIndex((text) =>
    boxMarks(version).some((mark) => text.startsWith(mark + BLANK))
  );
  const height = texts.slice(Math.max(top, 0)).findIndex((text) => EDGE.test(text));
  if (top < 0 || height < 0 || top + height <= cursorY) return null;
  return texts.slice(top, top + height).join("").slice(AFTER_PROMPT).replaceAll(/\s/g, "");
}

function plain(row: string): string {
  return readCells(row).map((cell) => cell.char).join("");
}

/**
 * Nothing, or a suggestion: its first character is under the (drawn) cursor, the rest is dim. A draft never is,
 * so a draft of one character with the cursor before it must not pass: it takes one dim character to be a ghost.
 */
function isGhost(cells: Cell[]): boolean {
  const shown = cells.filter((cell) => cell.char.trim() !== "");
  if (shown.length === 0) return true;
  const rest = cells.slice(1).filter((cell) => cell.char.trim() !== "");
  return rest.length > 0 && rest.every((cell) => cell.dim);
}

// CSI … final byte, OSC … BEL or ST, and the character set switches that tmux prints.
// deno-lint-ignore no-control-regex
const ESCAPE = /\x1b\[([0-9;:]*)([A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|[\x0e\x0f]/y;

/** A captured row as characters with their dimness. */
export function readCells(row: string): Cell[] {
  const cells: Cell[] = [];
  let dim = false;
  for (let at = 0; at < row.length;) {
    ESCAPE.lastIndex = at;
    const escape = ESCAPE.exec(row);
    if (escape?.[2] === "m") dim = dimAfter(escape[1], dim);
    if (escape) {
      at += escape[0].length;
      continue;
    }
    const char = String.fromCodePoint(row.codePointAt(at) as number);
    cells.push({ char, dim });
    at += char.length;
  }
  return cells;
}

/** SGR 2 is dim, 22 and 0 end it; the numbers of a colour (38;5;2, 48;2;r;g;b) are not attributes. */
function dimAfter(parameters: string, before: boolean): boolean {
  const codes = parameters.split(";").map((code) => code.includes(":") ? -1 : Number(code));
  let dim = before;
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index];
    if (code === 38 || code === 48 || code === 58) index += codes[index + 1] === 5 ? 2 : 4;
    else if (code === 2) dim = true;
    else if (code === 0 || code === 22) dim = false;
  }
  return dim;
}

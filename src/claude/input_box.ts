// Is Claude's input box empty and focused? The gate before any keystroke: in a dialog an Enter would approve a
// command, over a draft it would send the draft. Pure. Every rule was measured on 2.1.332, 2.1.197 and 2.0.76.
import { type Cell, readCells } from "./cells.ts";
import { boxMarks } from "./versions.ts";

export interface BoxFacts {
  /** The screen as `capture-pane -p -e` prints it (with escape sequences). */
  rows: readonly string[];
  cursorX: number;
  cursorY: number;
  inMode: boolean;
  paneDead: boolean;
  inputOff: boolean;
  /** False while Claude is suspended (C-z) or in the background: what is typed goes to a shell. */
  foreground: boolean;
  /** `status` of Claude's registry, null where there is none (2.0.76). */
  registryStatus: string | null;
  version: string | null;
}

/**
 * `empty` is the only state that may be typed into. `dialog` stands for everything else Claude may show: a
 * permission question, a picker, the transcript view, a search.
 */
export type BoxState =
  | "empty"
  | "draft"
  | "shell-mode"
  | "dialog"
  | "suspended"
  | "mode"
  | "dead"
  | "input-off";

/** What follows the prompt character in the box, never in dialogs, pickers and past messages (plain blanks there). */
const BLANK = "\u00a0";
const AFTER_PROMPT = 2;

/** The box's lower edge, a line from the first column on. A draft's second line is indented by two blanks. */
const EDGE = /^[\u2500-\u257f]/;

/** Most lines below the box of 2.0.76, which leaves the terminal's cursor under them. */
const FOOTER = 4;

/** What the input box of Claude is doing, so far as the screen and the registry can tell. */
export function inputBox(facts: BoxFacts): BoxState {
  if (facts.paneDead) return "dead";
  if (!facts.foreground) return "suspended";
  if (facts.inMode) return "mode";
  if (facts.inputOff) return "input-off";
  if (facts.registryStatus === "waiting") return "dialog";
  const text = plain(facts.rows[facts.cursorY]);
  if (text.startsWith(`!${BLANK}`)) return "shell-mode";
  if (isTop(text, facts.version)) return isEmpty(facts, facts.cursorY) ? "empty" : "draft";
  const old = oldBox(facts);
  return old === null ? "dialog" : isEmptyOld(facts, old) ? "empty" : "draft";
}

/**
 * The text in the box, without blanks, because a long one is wrapped; null when the cursor is in no box.
 */
export function boxText(facts: Pick<BoxFacts, "rows" | "cursorY" | "version">): string | null {
  const texts = facts.rows.map(plain);
  const top = texts.slice(0, facts.cursorY + 1).findLastIndex((text) => isTop(text, facts.version));
  const height = texts.slice(Math.max(top, 0)).findIndex((text) => EDGE.test(text));
  if (top < 0 || height < 0) return null;
  if (top + height <= facts.cursorY && oldBox(facts) === null) return null;
  return texts.slice(top, top + height).join("").slice(AFTER_PROMPT).replaceAll(/\s/g, "");
}

function isTop(text: string, version: string | null): boolean {
  return boxMarks(version).some((mark) => text.startsWith(mark + BLANK));
}

/** A draft whose first line is empty, with the cursor on it, has the very row of an empty box (seen on both). */
function isEmpty({ rows, cursorX }: BoxFacts, top: number): boolean {
  const isOneLine = EDGE.test(plain(rows[top + 1]));
  return isOneLine && cursorX === AFTER_PROMPT && isGhost(readCells(rows[top]).slice(AFTER_PROMPT));
}

/** 2.0.76 does not put the terminal's cursor into the box: the row of the box above it, null when there is none. */
function oldBox({ rows, cursorY, version }: Pick<BoxFacts, "rows" | "cursorY" | "version">): number | null {
  if (!boxMarks(version).includes(">")) return null;
  const above = rows.slice(0, cursorY + 1).map(plain);
  const edge = above.findLastIndex((text) => EDGE.test(text));
  const top = above.slice(0, Math.max(edge, 0)).findLastIndex((text) => text.startsWith(`>${BLANK}`));
  return top < 0 || cursorY - edge > FOOTER || above.slice(top, edge).some((text) => EDGE.test(text))
    ? null
    : top;
}

/** There only the drawn cursor tells: an inverse cell right after the prompt. */
function isEmptyOld({ rows }: BoxFacts, top: number): boolean {
  const cells = readCells(rows[top]).slice(AFTER_PROMPT);
  return EDGE.test(plain(rows[top + 1])) && cells[0]?.inverse !== false && isGhost(cells);
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

function plain(row: string | undefined): string {
  return readCells(row ?? "").map((cell) => cell.char).join("");
}

// What a pane shows, up to its cursor.
import type { Command } from "./client.ts";

export interface Screen {
  /** Line of the cursor counted from the start of the history: grows when the shell goes to a new line. */
  line: number;
  cursor_x: number;
  cursor_y: number;
  /** The visible rows as they are, without blanks at their ends. */
  rows: string[];
}

/** Commands that print a pane's screen for `parseScreen`. */
export function screenCommands(paneId: string): Command[] {
  return [
    ["display-message", "-p", "-t", paneId, "#{pane_id} #{history_size} #{cursor_x} #{cursor_y}"],
    ["capture-pane", "-p", "-t", paneId],
  ];
}

/** The screen in what `screenCommands` printed, null when the pane is not there. */
export function parseScreen(paneId: string, printed: string): Screen | null {
  const [first, ...rows] = printed.split("\n");
  const [id, ...numbers] = first.split(" ");
  const [history, cursor_x, cursor_y] = numbers.map(Number);
  if (id !== paneId || numbers.length !== 3) return null; // tmux answers for another pane when this one is gone
  return { line: history + cursor_y, cursor_x, cursor_y, rows };
}

/** Columns a text takes. Marks take none, wide characters two; good enough to find the cursor within a row. */
function columns(text: string): number {
  return [...text].reduce((sum, char) => sum + (NO_COLUMN.test(char) ? 0 : WIDE.test(char) ? 2 : 1), 0);
}

const NO_COLUMN = /[\p{M}\p{Cf}\p{Cc}]/u;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/**
 * Places where the cursor's row may be cut: the one that matches its column. Programs disagree about the width of
 * some characters, so each character that is not ASCII allows one column more or less.
 */
function cuts(row: string, column: number): string[] {
  const found: string[] = [];
  let head = "";
  for (const char of ["", ...row]) {
    head += char;
    // deno-lint-ignore no-control-regex
    const doubt = head.replaceAll(/[\x00-\x7f]/g, "").length;
    if (Math.abs(columns(head) - column) <= doubt) found.push(head);
  }
  return found.length > 0 ? found : [row.padEnd(column)];
}

/** The text on the screen up to the cursor, rows joined, ends as `cuts` allows. */
function textsToCursor(screen: Screen): string[][] {
  const above = screen.rows.slice(0, screen.cursor_y);
  const row = screen.rows[screen.cursor_y] ?? "";
  return cuts(row, screen.cursor_x).map((head) => [...above, head]);
}

/** The row of the cursor up to the cursor. */
export function cursorText(screen: Screen): string {
  return textsToCursor(screen).at(-1)!.at(-1)!;
}

/**
 * The text before the line in its first row when exactly this line ends at the cursor, else null. The line may be
 * wrapped; blanks at a wrap are lost on the screen, so they count for nothing there.
 */
export function textBefore(screen: Screen, line: string): string | null {
  for (const rows of textsToCursor(screen)) {
    const before = matchFromEnd(rows, line);
    if (before !== null) return before;
  }
  return null;
}

function matchFromEnd(rows: string[], line: string): string | null {
  const last = rows.at(-1)!;
  if (last.endsWith(line)) return last.slice(0, last.length - line.length);
  if (!line.endsWith(last)) return null;
  let rest = line.slice(0, line.length - last.length).trimEnd();
  for (const row of rows.slice(0, -1).reverse()) {
    const part = row.trimEnd();
    if (part.endsWith(rest)) return part.slice(0, part.length - rest.length);
    if (part === "" || !rest.endsWith(part)) return null;
    rest = rest.slice(0, rest.length - part.length).trimEnd();
  }
  return null;
}

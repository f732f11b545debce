// What a pane shows up to its cursor. What stands right of the cursor (a right prompt, a suggestion) is not typed.
import type { Command } from "./client.ts";

export interface Screen {
  /** Line of the cursor counted from the start of the history: grows when the shell goes to a new line. */
  line: number;
  cursor_x: number;
  /** The rows above the cursor's, with some history, without blanks at their ends. */
  above: string[];
  /** The whole row of the cursor. */
  row: string;
  /** Columns times rows of the pane. */
  cells: number;
  /** All that was read, for comparing. */
  text: string;
}

/** Rows of history that are read too: a long line in a small pane scrolls. */
const HISTORY_ROWS = 40;
const FIELDS = "#{pane_id} #{history_size} #{pane_width} #{pane_height} #{cursor_x} #{cursor_y}";

/** Commands that print a pane's screen for `parseScreen`. */
export function screenCommands(paneId: string): Command[] {
  return [
    ["display-message", "-p", "-t", paneId, FIELDS],
    ["capture-pane", "-p", "-S", String(-HISTORY_ROWS), "-t", paneId],
  ];
}

/** The screen in what `screenCommands` printed, null when the pane is not there. */
export function parseScreen(paneId: string, printed: string): Screen | null {
  const [first, ...rows] = printed.replace(/\n$/, "").split("\n");
  const [id, ...numbers] = first.split(" ");
  if (id !== paneId || numbers.length !== 5) return null; // tmux answers for another pane when this one is gone
  const [history, width, height, cursor_x, cursor_y] = numbers.map(Number);
  const at = rows.length - height + cursor_y;
  return {
    line: history + cursor_y,
    cursor_x,
    cells: width * height,
    above: rows.slice(0, at),
    row: rows[at] ?? "",
    text: rows.join("\n"),
  };
}

const NO_COLUMN = /[\p{M}\p{Cf}\p{Cc}]/u;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** Columns a text takes. Marks take none, wide characters two; good enough to find the cursor within a row. */
function columns(text: string): number {
  return [...text].reduce((sum, char) => sum + (NO_COLUMN.test(char) ? 0 : WIDE.test(char) ? 2 : 1), 0);
}

/**
 * The texts that may stand left of the cursor in its row. Programs disagree about the width of some characters, so
 * each one that is not ASCII allows its own length more or less; an ASCII row has one answer.
 */
function headsOf(screen: Screen): string[] {
  const found: string[] = [];
  let head = "";
  for (const char of ["", ...screen.row]) {
    head += char;
    // deno-lint-ignore no-control-regex
    const doubt = head.replaceAll(/[\x00-\x7f]/g, "").length;
    if (Math.abs(columns(head) - screen.cursor_x) <= doubt) found.push(head);
  }
  // Blanks before the cursor are not printed.
  return found.length > 0 ? found : [screen.row.padEnd(screen.cursor_x)];
}

/** The row of the cursor up to the cursor. */
export function cursorText(screen: Screen): string {
  return headsOf(screen).at(-1)!;
}

/**
 * The text before the line in its first row when exactly this line ends at the cursor, else null. The line may be
 * wrapped; blanks at a wrap are lost on the screen, so they count for nothing there.
 */
export function textBefore(screen: Screen, line: string): string | null {
  for (const head of headsOf(screen)) {
    const before = matchFromEnd([...screen.above, head], line);
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

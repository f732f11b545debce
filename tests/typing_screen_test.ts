// Reading a screen up to its cursor: wraps, wide characters, and what stands right of the cursor.
import assert from "node:assert/strict";
import { cursorText, parseScreen, textBefore } from "../src/tmux/screen.ts";

/** A pane of these rows, the cursor in the last of them. */
function screen(rows: string[], cursor: number, history: string[] = []) {
  const [height, width] = [rows.length + 2, 20];
  const fields = `%1 ${history.length} ${width} ${height} ${cursor} ${rows.length - 1}`;
  const found = parseScreen("%1", [fields, ...history, ...rows, "", ""].join("\n") + "\n");
  assert.ok(found);
  return found;
}

const CASES: [string, string[], number, string, string | null][] = [
  ["alone after the prompt", ["$ claude -c"], 11, "claude -c", "$ "],
  ["with an older row above", ["old", "$ claude"], 8, "claude", "$ "],
  ["nothing before it", ["claude"], 6, "claude", ""],
  ["cursor within it", ["$ claude"], 5, "claude", null],
  ["not there", ["$ "], 2, "claude", null],
  ["a letter lost", ["$ laude"], 7, "claude", null],
  ["a blank lost", ["$ claude-c"], 10, "claude -c", null],
  ["something after it, before the cursor", ["$ claude x"], 10, "claude", null],
  ["a suggestion right of the cursor", ["$ claude --more"], 8, "claude", "$ "],
  ["a right prompt", ["$ claude     [12:00]"], 8, "claude", "$ "],
  ["wrapped", ["$ cd /a && clau", "de -c"], 5, "cd /a && claude -c", "$ "],
  ["wrapped at a blank", ["$ cd /a &&", "claude -c"], 9, "cd /a && claude -c", "$ "],
  ["wrapped before a blank", ["$ cd /a &&", " claude -c"], 10, "cd /a && claude -c", "$ "],
  ["wrapped twice", ["$ aaaa", "bbbb", "cc"], 2, "aaaabbbbcc", "$ "],
  ["just full, cursor in the next row", ["$ claude -c", ""], 0, "claude -c", "$ "],
  ["an empty row within", ["$ cla", "", "ude"], 3, "claude", null],
  ["half of it above the pane", ["ude"], 3, "claude", null],
  ["wide characters", ["❯ claude '日本'"], 15, "claude '日本'", "❯ "],
  ["wide characters in the prompt", ["日本 🎉 $ claude"], 16, "claude", "日本 🎉 $ "],
  ["marks take no column", ["$ claude 'e\u0301'"], 12, "claude 'e\u0301'", "$ "],
  ["glued to other text", ["$ git claude"], 12, "claude", "$ git "],
];

for (const [name, rows, cursor, line, before] of CASES) {
  Deno.test(`the line on the screen: ${name}`, () =>
    assert.equal(textBefore(screen(rows, cursor), line), before));
}

Deno.test("a line that began in the history is found", () => {
  assert.equal(textBefore(screen(["bbbb", "cc"], 2, ["old", "$ aaaa"]), "aaaabbbbcc"), "$ ");
});

Deno.test("blanks before the cursor count as text", () => {
  assert.equal(cursorText(screen(["$"], 2)), "$ ");
});

Deno.test("tmux's answer for another pane is no screen", () => {
  assert.equal(parseScreen("%2", "%1 0 80 24 0 0\n"), null);
  assert.equal(parseScreen("%2", ""), null);
});

// What a restore says it did: what counts as revivable, and what does not.
import { strictEqual } from "node:assert/strict";
import { describe, summary } from "../src/cli/restore_text.ts";
import type { RestoredRow } from "../src/survey/restored_row.ts";

function row(action: RestoredRow["action"], more: Partial<RestoredRow> = {}): RestoredRow {
  const place = { pane_id: "%1", tmux_session: "work", window_index: 0, pane_index: 1 };
  const held = { session_id: "2c0aeeee-17a3-4f07-84bb-852346b2c8f9", name: null, cwd: "/work" };
  return { ...place, ...held, line: null, action, reason: null, ...more };
}

const LINE = { line: "claude --resume ID" };
const SUMMARIES: [why: string, rows: RestoredRow[], text: string][] = [
  ["stamped", [row("stamped", LINE), row("stamped", LINE)], "2 can be revived: prefix + g"],
  ["a job goes on with them", [row("stamped")], "1 can be revived: prefix + g"],
  ["stamped already", [row("skipped", { ...LINE, reason: "stamped" })], "1 can be revived: prefix + g"],
  ["Claude runs there", [row("skipped", { reason: "a Claude is running there" })], "1 stay as they are"],
  ["no transcript", [row("stamped", { reason: "its transcript is gone" })], "1 stay as they are"],
  [
    "some of each",
    [row("verified"), row("typed", LINE), row("stamped", LINE), row("skipped", { reason: "x" })],
    [
      "1 running again",
      "1 typed, press Enter in them",
      "1 can be revived: prefix + g",
      "1 stay as they are",
    ].join(", "),
  ],
  ["left", [row("left", { reason: "not there" })], "no pane fits the record, 1 left (tmuxclaude recover)"],
];

for (const [why, rows, text] of SUMMARIES) {
  Deno.test(`the sentence about a restore: ${why}`, () => strictEqual(summary(rows, "g"), text));
}

Deno.test("a conversation without a name goes by the beginning of its id, as in the list", () => {
  strictEqual(describe(row("skipped", { reason: "why" })), "  work:0.1  skipped  2c0aeeee: why");
});

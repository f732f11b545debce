// What tmux-resurrect writes for panes it would lose, and what becomes of it.
import { strictEqual } from "node:assert/strict";
import { repairSave } from "../src/tmux/repair_save.ts";
import { savedRows } from "../src/tmux/saves.ts";

const line = (...fields: string[]) => fields.join("\t");
const place = ["pane", "s", "1", "1", ":*", "0"];
const at = (cwd: string) => [
  { tmux_session: "s", window_index: 1, pane_index: 0, cwd, title: "#(touch x)", window_name: "#{pid}" },
];

const CASES: [string, string, string, string | null][] = [
  ["a line with a title stays", line(...place, "title", ":/a", "1", "bash", ":"), "/a", null],
  // As resurrect's save writes it: `read` merged the empty title, so everything moved to the left.
  [
    "an empty title that moved the line",
    line(...place, ":/a", "1", "bash", "4711", ":x y"),
    "/a",
    line(...place, " ", ":/a", "1", "bash", ":"),
  ],
  [
    "an empty title field",
    line(...place, "", ":/a", "1", "bash", ":"),
    "/a",
    line(...place, " ", ":/a", "1", "bash", ":"),
  ],
  [
    "two spaces in the folder",
    line(...place, "t", ":/a\\ b", "1", "bash", ":"),
    "/a  b",
    line(...place, "t", ":/a  b", "1", "bash", ":"),
  ],
  ["one space in the folder stays", line(...place, "t", ":/a\\ b", "1", "bash", ":"), "/a b", null],
  [
    "a backslash in the folder",
    line(...place, "t", ":/ab", "1", "bash", ":"),
    "/a\\b",
    line(...place, "t", ":/a\\\\\\\\b", "1", "bash", ":"),
  ],
  [
    "a format in the folder",
    line(...place, "t", ":/a#S", "1", "bash", ":"),
    "/a#S",
    line(...place, "t", ":/a##S", "1", "bash", ":"),
  ],
  [
    "a semicolon at the end of the folder",
    line(...place, "t", ":/a;", "1", "bash", ":"),
    "/a;",
    line(...place, "t", ":/a\\\\\\\\;", "1", "bash", ":"),
  ],
  [
    "a title that tmux would run",
    line(...place, "#(touch x)", ":/a", "1", "bash", ":"),
    "/a",
    line(...place, "##(touch x)", ":/a", "1", "bash", ":"),
  ],
  [
    "a window name that tmux would expand",
    line("window", "s", "1", ":#{pid}", "1", ":*", "lay", ":"),
    "/a",
    line("window", "s", "1", ":##{pid}", "1", ":*", "lay", ":"),
  ],
  ["other lines stay", line("state", "s", ""), "/a", null],
  ["a torn line stays", line("pane", "s", "1"), "/a", null],
];

for (const [says, text, cwd, wants] of CASES) {
  Deno.test(`repairSave(): ${says}`, () =>
    strictEqual(repairSave(`${text}\n`, at(cwd)), wants === null ? null : `${wants}\n`));
}

Deno.test("repairSave() is idempotent", () => {
  for (const [says, text, cwd] of CASES) {
    const once = repairSave(text, at(cwd)) ?? text;
    strictEqual(repairSave(once, at(cwd)), null, says);
  }
});

Deno.test("a folder of a repaired save is read back as it is", () => {
  for (
    const cwd of ["/a b", "/a  b", "/a\\b", "/a\\\\b c", "/a#S", "/a##", "/a;", "/a\\;", "/#(x) #{pid};;"]
  ) {
    const text = line(...place, "t", `:${cwd.replace(" ", "\\ ")}`, "1", "bash", ":");
    const [row] = savedRows(repairSave(text, at(cwd)) ?? text);
    strictEqual(row.cwd, cwd);
  }
});

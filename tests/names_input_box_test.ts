// The gate before any keystroke, state by state, with rows as the real 2.1.332 and 2.1.197 print them.
import assert from "node:assert/strict";
import { type BoxFacts, type BoxState, boxText, inputBox } from "../src/claude/input_box.ts";
import { boxMarks, deduplicatesNames, knowsSessionTitle, versionAtLeast } from "../src/claude/versions.ts";

const N = "\u00a0";
const ESC = "\x1b";
const EDGE = `${ESC}[38;5;244m${"─".repeat(80)}`;

const EMPTY = `${ESC}[39m❯${N}${ESC}[7m ${ESC}[0m${ESC}[39m${ESC}[49m`;
const screen = (
  row: string,
  below = EDGE,
) => ["❯ an old message", "● an answer", EDGE, row, below, "  footer"];

const idle: BoxFacts = {
  rows: screen(EMPTY),
  cursorX: 2,
  cursorY: 3,
  inMode: false,
  paneDead: false,
  inputOff: false,
  foreground: true,
  registryStatus: "idle",
  version: "2.1.332",
};

const GHOST = `❯${N}${ESC}[7mT${ESC}[0;2mry "fix lint errors"${ESC}[0m`;
const GHOST_BY_WORD = `❯${N}${ESC}[7mT${ESC}[0;2mry${ESC}[0m ${ESC}[2m"fix${ESC}[0m ${ESC}[2mlint"${ESC}[0m`;

type Change = Partial<BoxFacts> & { row?: string; below?: string };

const STATES: [why: string, facts: Change, state: BoxState][] = [
  ["idle and empty", {}, "empty"],
  ["busy and empty", { row: `${ESC}[38;5;246m❯${N}${ESC}[7m${ESC}[39m `, registryStatus: "busy" }, "empty"],
  ["empty without a registry", { registryStatus: null }, "empty"],
  ["a row without any attribute", { row: `❯${N}` }, "empty"],
  ["ghost text", { row: GHOST }, "empty"],
  ["ghost text that is dim word by word", { row: GHOST_BY_WORD, version: "2.1.197" }, "empty"],
  ["a draft", { row: `❯${N}abc def`, cursorX: 9 }, "draft"],
  ["a draft with the cursor at its start", { row: `❯${N}${ESC}[7ma${ESC}[0mbc def` }, "draft"],
  ["a draft of one character with the cursor on it", { row: `❯${N}${ESC}[7ma${ESC}[0m` }, "draft"],
  ["a draft in a colour whose number is 2", { row: `❯${N}${ESC}[7ma${ESC}[0m${ESC}[38;5;2mbc` }, "draft"],
  ["a draft in a colour with a component of 2", { row: `❯${N}${ESC}[7ma${ESC}[0;38;2;2;2;2mbc` }, "draft"],
  ["a draft whose first line is empty", { below: "  second line" }, "draft"],
  ["a draft whose second line is a drawn line", { below: "  ────────" }, "draft"],
  ["the slash menu", { row: `❯${N}/re`, cursorX: 5 }, "draft"],
  ["shell mode", { row: `!${N}` }, "shell-mode"],
  ["a permission dialog", { row: " ❯ 1. Yes", cursorX: 1, registryStatus: "waiting" }, "dialog"],
  [
    "a permission dialog without a registry",
    { row: " ❯ 1. Yes", cursorX: 1, registryStatus: null },
    "dialog",
  ],
  ["an empty box while the registry says waiting", { registryStatus: "waiting" }, "dialog"],
  ["the model picker", { row: "  ❯ 1. Default (recommended)" }, "dialog"],
  ["the rewind list", { row: "  ❯ (current)", registryStatus: "idle" }, "dialog"],
  ["the transcript view", { row: "● something", cursorX: 0 }, "dialog"],
  ["a past message", { row: "❯ hello", cursorX: 2 }, "dialog"],
  ["a past message of nothing", { row: "❯ ", cursorX: 2 }, "dialog"],
  ["a shell prompt", { row: "$ ", cursorX: 2, registryStatus: null }, "dialog"],
  ["a suspended Claude whose box is left behind", { foreground: false }, "suspended"],
  ["copy mode over an empty box", { inMode: true }, "mode"],
  ["a dead pane", { paneDead: true, inMode: true }, "dead"],
  ["a pane with input off", { inputOff: true }, "input-off"],
  ["the box of 2.0.76", { row: `>${N}`, version: "2.0.76", registryStatus: null }, "empty"],
  [
    "the box of 2.0.76 for an unknown version",
    { row: `>${N}`, version: null, registryStatus: null },
    "empty",
  ],
  ["the box of 2.0.76 in a version that draws another", { row: `>${N}` }, "dialog"],
];

for (const [why, facts, state] of STATES) {
  Deno.test(`inputBox() calls ${why} ${state}`, () => {
    const rows = screen(facts.row ?? EMPTY, facts.below);
    assert.equal(inputBox({ ...idle, rows, ...facts }), state);
  });
}

// 2.0.76 hides the terminal's cursor and leaves it below everything.
const OLD_EDGE = `${ESC}[2m${ESC}[38;5;244m${"─".repeat(80)}`;
const oldScreen = (row: string) => [
  `${ESC}[48;5;237m> an old message`,
  `${ESC}[49m● an answer`,
  OLD_EDGE,
  row,
  OLD_EDGE,
  "  ? for shortcuts",
  "",
];
const old: BoxFacts = { ...idle, cursorX: 0, cursorY: 6, registryStatus: null, version: "2.0.76" };

const OLD_STATES: [why: string, row: string, state: BoxState][] = [
  ["an empty box", `${ESC}[0m>${N}${ESC}[7m`, "empty"],
  ["an empty box with its cursor drawn", `${ESC}[0m>${N}${ESC}[7m ${ESC}[0m`, "empty"],
  ["ghost text", `>${N}${ESC}[7mT${ESC}[0;2mry "fix"`, "empty"],
  ["a draft", `>${N}abc${ESC}[7m`, "draft"],
  ["a draft with the cursor at its start", `>${N}${ESC}[7ma${ESC}[0mbc`, "draft"],
  ["shell mode", `>${N}!${ESC}[7m `, "draft"],
  ["a permission dialog", ` ${ESC}[38;5;153m❯${ESC}[39m 1. Yes`, "dialog"],
];

for (const [why, row, state] of OLD_STATES) {
  Deno.test(`inputBox() calls ${why} of 2.0.76 ${state}, known version or not`, () => {
    assert.equal(inputBox({ ...old, rows: oldScreen(row) }), state);
    assert.equal(inputBox({ ...old, rows: oldScreen(row), version: null }), state);
  });
}

Deno.test("inputBox() takes no box of 2.0.76 for one that is far above the cursor", () => {
  const rows = [...oldScreen(`>${N}`), "$ ls", "a", "b", "c", "$ "];
  assert.equal(inputBox({ ...old, rows, cursorY: rows.length - 1 }), "dialog");
});

Deno.test("boxText() reads what stands in the box, colours and blanks off", () => {
  const rows = [EDGE, `${ESC}[39m❯${N}${ESC}[38;5;153m/rename${ESC}[39m foo${ESC}[7m`, EDGE, "  footer"];
  assert.equal(boxText({ rows, cursorY: 1, version: "2.1.332" }), "/renamefoo");
});

Deno.test("boxText() joins a long name that is wrapped", () => {
  const rows = ["❯ old message", EDGE, `❯${N}/rename one-very-`, "  long-name", EDGE];
  assert.equal(boxText({ rows, cursorY: 3, version: "2.1.332" }), "/renameone-very-long-name");
});

Deno.test("boxText() reads the box of 2.0.76 above the cursor", () => {
  assert.equal(boxText({ ...old, rows: oldScreen(`>${N}/rename foo`) }), "/renamefoo");
});

Deno.test("boxText() finds no box where the cursor is elsewhere", () => {
  assert.equal(
    boxText({ rows: [EDGE, `❯${N}/rename foo`, EDGE, "$ "], cursorY: 3, version: "2.1.332" }),
    null,
  );
  assert.equal(boxText({ rows: ["$ /rename foo"], cursorY: 0, version: "2.1.332" }), null);
});

Deno.test("versionAtLeast() compares numbers, and knows nothing of an unknown version", () => {
  assert.ok(versionAtLeast("2.1.332", "2.1.0"));
  assert.ok(versionAtLeast("2.1", "2.1.0"));
  assert.ok(versionAtLeast("3.0.0", "2.1.0"));
  assert.ok(versionAtLeast("2.10.0", "2.9.9"));
  for (const version of ["2.0.76", "1.9.0", "", "unknown", null]) {
    assert.ok(!versionAtLeast(version, "2.1.0"));
  }
});

Deno.test("versions before 2.1 take no title from a hook and draw another prompt", () => {
  assert.ok(knowsSessionTitle("2.1.197") && !knowsSessionTitle("2.0.76") && !knowsSessionTitle(null));
  assert.ok(deduplicatesNames("2.1.332") && !deduplicatesNames("2.1.197") && !deduplicatesNames(null));
  assert.deepEqual([boxMarks("2.1.197"), boxMarks("2.0.76"), boxMarks(null)], [["❯"], [">"], ["❯", ">"]]);
});

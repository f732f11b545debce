// The gate before any keystroke, state by state, with rows as the real 2.1.332 and 2.1.197 print them.
import assert from "node:assert/strict";
import { type BoxFacts, type BoxState, boxText, inputBox } from "../src/claude/input_box.ts";
import { boxMarks, knowsSessionTitle, versionAtLeast } from "../src/claude/versions.ts";

const N = "\u00a0";
const ESC = "\x1b";
const EDGE = `${ESC}[38;5;244m${"─".repeat(80)}`;

const idle: BoxFacts = {
  row: `${ESC}[39m❯${N}${ESC}[7m ${ESC}[0m${ESC}[39m${ESC}[49m`,
  below: EDGE,
  cursorX: 2,
  inMode: false,
  paneDead: false,
  inputOff: false,
  registryStatus: "idle",
  version: "2.1.332",
};

const GHOST = `❯${N}${ESC}[7mT${ESC}[0;2mry "fix lint errors"${ESC}[0m`;
const GHOST_BY_WORD = `❯${N}${ESC}[7mT${ESC}[0;2mry${ESC}[0m ${ESC}[2m"fix${ESC}[0m ${ESC}[2mlint"${ESC}[0m`;

const STATES: [why: string, facts: Partial<BoxFacts>, state: BoxState][] = [
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
  Deno.test(`inputBox() calls ${why} ${state}`, () => assert.equal(inputBox({ ...idle, ...facts }), state));
}

Deno.test("boxText() reads what stands in the box, colours and blanks off", () => {
  const rows = [EDGE, `${ESC}[39m❯${N}${ESC}[38;5;153m/rename${ESC}[39m foo${ESC}[7m`, EDGE, "  footer"];
  assert.equal(boxText(rows, 1, "2.1.332"), "/renamefoo");
});

Deno.test("boxText() joins a long name that is wrapped", () => {
  const rows = ["❯ old message", EDGE, `❯${N}/rename one-very-`, "  long-name", EDGE];
  assert.equal(boxText(rows, 3, "2.1.332"), "/renameone-very-long-name");
});

Deno.test("boxText() finds no box where the cursor is elsewhere", () => {
  assert.equal(boxText([EDGE, `❯${N}/rename foo`, EDGE, "$ "], 3, "2.1.332"), null);
  assert.equal(boxText(["$ /rename foo"], 0, "2.1.332"), null);
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
  assert.deepEqual([boxMarks("2.1.197"), boxMarks("2.0.76"), boxMarks(null)], [["❯"], [">"], ["❯", ">"]]);
});

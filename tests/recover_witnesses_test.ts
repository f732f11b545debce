// What recover reads: tmux saves of every version, saved command lines, boots, names, spans.
import assert from "node:assert/strict";
import { machineAfter, parseBoots, withCurrent } from "../src/recover/boots.ts";
import { matchedName, nameKey } from "../src/recover/named.ts";
import { looseFolder, ranSomethingElse } from "../src/recover/past.ts";
import { readCommand } from "../src/recover/saved_command.ts";
import { parseSince } from "../src/recover/since.ts";
import { savedRows } from "../src/tmux/saves.ts";

const A = "aaaaaaaa-1111-4111-8111-111111111111";
const B = "bbbbbbbb-2222-4222-8222-222222222222";
const line = (...fields: string[]) => fields.join("\t");

Deno.test("a save of 4.0.0 tells panes, titles, folders, command lines and window names", () => {
  const text = [
    line("grouped_session", "copy", "work", ":1", ":0"),
    line(
      "pane",
      "work",
      "1",
      "1",
      ":*",
      "0",
      "✳ Fix login",
      ":/home/u/two\\ words here",
      "1",
      "claude",
      `:claude --resume ${A}`,
    ),
    line("pane", "work", "1", "1", ":*", "1", "host", ":/srv", "0", "bash", ":"),
    line("window", "work", "1", ":api", "1", ":*", "aaaa,80x24,0,0,0", "off"),
    line("state", "work", ""),
    "",
  ].join("\n");
  assert.deepEqual(savedRows(text), [
    {
      tmux_session: "work",
      window_index: 1,
      pane_index: 0,
      window_name: "api",
      title: "✳ Fix login",
      cwd: "/home/u/two words here",
      command: "claude",
      full_command: `claude --resume ${A}`,
    },
    {
      tmux_session: "work",
      window_index: 1,
      pane_index: 1,
      window_name: "api",
      title: "host",
      cwd: "/srv",
      command: "bash",
      full_command: "",
    },
  ]);
});

Deno.test("a save of 3.0.0 and older has the window's name in the pane's line, and no titles", () => {
  const text =
    line("pane", "work", "2", ":api", "1", ":*", "0", ":/srv", "1", "claude", `:claude --resume ${A}`) +
    "\n" +
    line("window", "work", "2", "1", ":*", "aaaa,80x24,0,0,0");
  const [row] = savedRows(text);
  assert.deepEqual(
    [row.tmux_session, row.window_index, row.pane_index, row.window_name, row.title, row.cwd, row.command],
    ["work", 2, 0, "api", "", "/srv", "claude"],
  );
  assert.equal(row.full_command, `claude --resume ${A}`);
});

Deno.test("a pane whose empty title moved its fields keeps its folder and its program", () => {
  const [row] = savedRows(
    line("pane", "work", "0", "1", ":*", "1", ":/srv/x", "1", "bash", "4711", ":wrong --resume x"),
  );
  assert.deepEqual([row.pane_index, row.title, row.cwd, row.command, row.full_command], [
    1,
    "",
    "/srv/x",
    "bash",
    "",
  ]);
});

Deno.test("torn and foreign lines cost nothing but themselves", () => {
  const whole = line(
    "pane",
    "work",
    "0",
    "1",
    ":*",
    "0",
    "t",
    ":/srv",
    "1",
    "claude",
    `:claude --resume ${A}`,
  );
  for (let end = 0; end < whole.length; end++) {
    const rows = savedRows(`${whole}\nnonsense\t\t\n\t\n${whole.slice(0, end)}`);
    assert.equal(rows[0].full_command.split("\n")[0], `claude --resume ${A}`, String(end));
    assert.ok(rows.length <= 2);
  }
  assert.deepEqual(savedRows("pane\t\t0\t1\t:*\t0\tt\t:/x"), []);
  assert.deepEqual(savedRows("pane\twork\tx\t1\t:*\t0\tt\t:/x"), []);
});

Deno.test("several programs in one pane stand on lines of their own and stay with it", () => {
  const text = line("pane", "w", "0", "1", ":*", "0", "t", ":/srv", "1", "bash", ":sleep 99") +
    `\nclaude --resume ${A}\n` +
    line("pane", "w", "0", "1", ":*", "1", "t", ":/srv", "0", "bash", ":");
  const [first, second] = savedRows(text);
  assert.equal(first.full_command, `sleep 99\nclaude --resume ${A}`);
  assert.equal(second.full_command, "");
});

const COMMANDS: [string, string[], string[], string[]][] = [
  ["", [], [], []],
  ["vim --resume", [], [], []],
  [`claude --resume ${A}`, [A], [], []],
  [`claude --resume=${A.toUpperCase()} --verbose`, [A], [], []],
  [`claude -r ${A}`, [A], [], []],
  [`node /x/cli.js --session-id ${A} --model opus`, [A], [], []],
  [`my-wrapper --resume ${A}`, [A], [], []],
  [`claude --resume '${A}'`, [A], [], []],
  [`claude --resume ${A.slice(0, 20)}`, [], [], [A.slice(0, 20)]],
  [`claude --resume ${A} --fork-session`, [], [A], []],
  ["claude --resume Fix the login --model opus", [], [], ["Fix the login"]],
  ["claude -n api-work", [], [], ["api-work"]],
  ["claude --name 'two words'", [], [], ["two words"]],
  ["claude --continue", [], [], []],
  ["grep --name x", [], [], []],
  [`sleep 9\nclaude --resume ${A}\nclaude --resume ${B}`, [A, B], [], []],
];

Deno.test("a saved command line tells ids for certain, and titles up to the next flag", () => {
  for (const [text, ids, forked, titles] of COMMANDS) {
    assert.deepEqual(readCommand(text), { ids, forked, titles }, text);
  }
});

Deno.test("boots are read from every shape journalctl prints them in", () => {
  const old = [
    "-1 0a1b2c3d4e5f60718293a4b5c6d7e8f9 Sun 2026-09-27 08:00:00 UTC—Sun 2026-09-27 19:31:47 UTC",
    " 0 1a1b2c3d4e5f60718293a4b5c6d7e8f9 Mon 2026-09-28 07:00:00 UTC—Mon 2026-09-28 07:10:00 UTC",
  ].join("\n");
  const table = [
    "IDX BOOT ID                          FIRST ENTRY                 LAST ENTRY",
    " -1 0a1b2c3d4e5f60718293a4b5c6d7e8f9 Sun 2026-09-27 08:00:00 UTC Sun 2026-09-27 19:31:47 UTC",
    "  0 1a1b2c3d4e5f60718293a4b5c6d7e8f9 Mon 2026-09-28 07:00:00 UTC Mon 2026-09-28 07:10:00 UTC",
  ].join("\n");
  const boots = [
    { first: Date.parse("2026-09-27T08:00:00Z"), last: Date.parse("2026-09-27T19:31:47Z") },
    { first: Date.parse("2026-09-28T07:00:00Z"), last: Date.parse("2026-09-28T07:10:00Z") },
  ];
  assert.deepEqual(parseBoots(old), boots);
  assert.deepEqual(parseBoots(table), boots);
  assert.deepEqual(
    parseBoots("No journal files were found.\n-- x\n 0 abc Mon 2026-09-28 07:00:00 UTC\n"),
    [],
  );
});

Deno.test("what the machine did after a moment, with and without a list of boots", () => {
  const boots = [{ first: 1_000_000, last: 2_000_000 }, { first: 3_000_000, last: 4_000_000 }];
  assert.deepEqual(machineAfter(boots, 1_500_000), { down: 2_000_000, boots: 1 });
  assert.deepEqual(machineAfter(boots, 3_500_000), { down: null, boots: 0 });
  assert.deepEqual(machineAfter([{ first: 3_000_000, last: 4_000_000 }], 500_000), { down: null, boots: 1 });
  assert.deepEqual(machineAfter([], 500_000), { down: null, boots: 0 });
  assert.deepEqual(withCurrent([], 3_000_000, 4_000_000), [{ first: 3_000_000, last: 4_000_000 }]);
  assert.deepEqual(withCurrent(boots, 3_000_500, 5_000_000), boots);
  assert.deepEqual(withCurrent(boots, null, 5_000_000), boots);
  assert.equal(withCurrent(boots, 9_000_000, 10_000_000).length, 3);
});

Deno.test("a window's name or a pane's title is matched with a title, generic ones with none", () => {
  const pane = (window_name: string, title = "") => ({ window_name, title });
  assert.equal(matchedName(pane("Fix-login"), "Fix login"), 'its window was named "Fix-login"');
  assert.equal(matchedName(pane("bash", "✳ Fix login"), "Fix login"), 'the pane showed "Fix login"');
  assert.ok(matchedName(pane("A very long title th…"), "A very long title that was cut"));
  assert.ok(matchedName(pane("api"), "api-toasty-bentley"));
  assert.equal(matchedName(pane("A very…"), "A very long title that was cut"), null);
  assert.equal(matchedName(pane("api"), "apis"), null);
  for (const name of ["bash", "claude", "Claude Code", "✳ Claude Code", "2.1.332", "", "…"]) {
    assert.equal(nameKey(name), "", name);
    assert.equal(matchedName(pane(name), name), null, name);
  }
  assert.equal(matchedName(pane("api"), null), null);
});

Deno.test("spans and folders are read as people and resurrect write them", () => {
  const day = 86_400_000;
  assert.deepEqual(["2d", "1.5h", "30min", "30m", "2 w"].map((text) => parseSince(text, 20 * day)), [
    18 * day,
    20 * day - 5_400_000,
    20 * day - 1_800_000,
    20 * day - 1_800_000,
    6 * day,
  ]);
  for (const text of ["", "d", "-2d", "2026-11-30", "2x"]) assert.equal(parseSince(text, 0), null, text);
  assert.equal(looseFolder("/a  b\\c/"), "/a bc");
  assert.equal(looseFolder("/"), "/");
  const pane = (command: string, full_command = "") => ({ command, full_command, row: null }) as never;
  for (const command of ["bash", "-zsh", "claude", "node", "2.1.34", ""]) {
    assert.equal(ranSomethingElse(pane(command)), false);
  }
  for (const command of ["vim", "less", "htop"]) assert.equal(ranSomethingElse(pane(command)), true);
  assert.equal(ranSomethingElse(pane("python3", "wrap claude")), false);
});

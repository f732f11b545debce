// "A live Claude is in this pane": tables, and the stand-in in a real tmux.
import assert from "node:assert/strict";
import {
  ancestors,
  type ClaudeFound,
  descendants,
  type KnownClaude,
  liveClaude,
} from "../src/claude/process.ts";
import { realSystem } from "../src/system/real.ts";
import { claudePid, startClaude, waitForBox } from "./helpers/panes.ts";
import { until } from "./helpers/poll.ts";
import { processTable, type Row, toProcess, TTY } from "./helpers/process_table.ts";
import { startServer } from "./helpers/tmux_server.ts";

const PANE = 100;
const SHELL: Row = { pid: PANE, parent: 50, name: "bash", argv: ["-bash"] };
const CLAUDE: Row = { pid: 200, parent: PANE, session: PANE, name: "claude", argv: ["claude"] };

function look(rows: Row[], known: KnownClaude[] = []): ClaudeFound | null {
  const processes = processTable(rows);
  return liveClaude({ processes }, processes.all(), { pid: PANE }, known);
}

interface Case {
  what: string;
  rows: Row[];
  known?: KnownClaude[];
  pid: number | null;
  kind?: ClaudeFound["kind"];
  wrapper?: string;
}

const CASES: Case[] = [
  { what: "a shell alone", rows: [SHELL], pid: null },
  { what: "an ordinary Claude", rows: [SHELL, CLAUDE], pid: 200 },
  { what: "a suspended Claude", rows: [SHELL, { ...CLAUDE, state: "T" }], pid: 200 },
  { what: "a zombie", rows: [SHELL, { ...CLAUDE, state: "Z" }], pid: null },
  { what: "Claude as the pane's process", rows: [{ ...SHELL, name: "claude", argv: ["claude"] }], pid: PANE },
  {
    what: "a wrapper that does not exec",
    rows: [SHELL, { pid: 150, parent: PANE, name: "nice" }, { ...CLAUDE, parent: 150 }],
    pid: 200,
    wrapper: "nice",
  },
  {
    what: "a shell script between",
    rows: [SHELL, { pid: 150, parent: PANE, argv: ["/bin/sh", "/x/myclaude"] }, { ...CLAUDE, parent: 150 }],
    pid: 200,
    wrapper: "myclaude",
  },
  {
    what: "bash -c between",
    rows: [SHELL, { pid: 150, parent: PANE, name: "bash", argv: ["bash", "-c", "claude; :"] }, {
      ...CLAUDE,
      parent: 150,
    }],
    pid: 200,
  },
  {
    what: "a wrapper script called claude",
    rows: [SHELL, { pid: 150, parent: PANE, name: "claude", argv: ["/bin/sh", "/x/bin/claude"] }, {
      ...CLAUDE,
      parent: 150,
      group: 150,
      argv: ["/opt/claude", "--model", "opus"],
    }],
    pid: 200,
    wrapper: "claude",
  },
  { what: "a headless child of a Bash tool", rows: [SHELL, { ...CLAUDE, terminal: 0 }], pid: null },
  {
    what: "the outer of two",
    rows: [
      SHELL,
      CLAUDE,
      { pid: 300, parent: 200, session: 300, terminal: 0, name: "bash", argv: ["bash", "-c", "claude -p"] },
      { pid: 310, parent: 300, terminal: 0, name: "claude", argv: ["claude", "-p", "x"] },
      { pid: 320, parent: 200, group: 200, name: "claude", argv: ["rg", "x"] },
    ],
    pid: 200,
  },
  {
    what: "a Claude in another pane",
    rows: [SHELL, { ...CLAUDE, parent: 99, terminal: TTY + 1 }],
    pid: null,
  },
  { what: "a Claude in a nested tmux", rows: [SHELL, { ...CLAUDE, terminal: TTY + 1 }], pid: null },
  {
    what: "a renamed executable, unknown",
    rows: [SHELL, { ...CLAUDE, name: "helper", argv: ["helper"] }],
    pid: null,
  },
  {
    what: "a renamed executable that an earlier binding proves",
    rows: [SHELL, { ...CLAUDE, name: "helper", argv: ["helper"] }],
    known: [{ pid: 200, started: "2000" }],
    pid: 200,
  },
  {
    what: "a reused pid",
    rows: [SHELL, { ...CLAUDE, name: "vim", argv: ["vim"] }],
    known: [{ pid: 200, started: "1999" }],
    pid: null,
  },
  {
    what: "a suspended one beside one in the foreground",
    rows: [SHELL, { ...CLAUDE, state: "T", foreground: 210 }, {
      ...CLAUDE,
      pid: 210,
      group: 210,
      foreground: 210,
    }],
    pid: 210,
  },
  {
    what: "two suspended ones: the younger",
    rows: [SHELL, { ...CLAUDE, state: "T" }, { ...CLAUDE, pid: 210, group: 210, state: "T" }],
    pid: 210,
  },
  {
    what: "claude -p by hand",
    rows: [SHELL, { ...CLAUDE, argv: ["claude", "-p", "x"] }],
    pid: 200,
    kind: "headless",
  },
  {
    what: "a teammate",
    rows: [{ ...SHELL, name: "claude", argv: ["claude", "--agent-id", "m@s"] }],
    pid: PANE,
    kind: "teammate",
  },
  { what: "a pane whose process is gone", rows: [{ ...SHELL, pid: 101 }], pid: null },
  {
    what: "a pane without terminal",
    rows: [{ ...SHELL, terminal: 0 }, { ...CLAUDE, terminal: 0 }],
    pid: null,
  },
];

for (const { what, rows, known, pid, kind = "interactive", wrapper = null } of CASES) {
  Deno.test(`live Claude: ${what}`, () => {
    const found = look(rows, known);
    assert.equal(found?.process.pid ?? null, pid);
    if (found) assert.deepEqual([found.kind, found.wrapper], [kind, wrapper]);
  });
}

Deno.test("ancestors() and descendants() leave the process itself out and end in loops", () => {
  const all = [[1, 0], [2, 1], [3, 2], [4, 3], [5, 2]].map(([pid, parent]) => toProcess({ pid, parent }));
  assert.deepEqual(ancestors(all, 4).map(({ pid }) => pid), [3, 2, 1]);
  assert.deepEqual(descendants(all, 2).map(({ pid }) => pid), [3, 5, 4]);
  const loop = [toProcess({ pid: 8, parent: 9 }), toProcess({ pid: 9, parent: 8 })];
  assert.ok(ancestors(loop, 8).length <= 64);
  assert.deepEqual(descendants(loop, 8).map(({ pid }) => pid), [9]);
});

Deno.test("in a real pane the stand-in is found running, suspended, wrapped and under another name", async () => {
  await using server = await startServer();
  const system = realSystem();
  const pane = await server.newSession();
  const panePid = Number(await server.paneFormat(pane, "#{pane_pid}"));
  const find = (known: KnownClaude[] = []) =>
    liveClaude(system, system.processes.all(), { pid: panePid }, known);

  assert.equal(find(), null);
  await startClaude(server, pane, "--model opus");
  const running = find();
  assert.equal(running?.process.pid, await claudePid(server, pane));
  assert.equal(running?.wrapper, null);

  await server.press(pane, "C-z");
  await until("the suspended Claude", () => system.processes.read(running!.process.pid)?.state === "T");
  assert.equal(find()?.process.pid, running!.process.pid);

  await server.sendLine(pane, "kill -9 %1");
  await until("the end of Claude", () => find() === null);

  await Deno.writeTextFile(`${server.scratch.bin}/myclaude`, '#!/bin/sh\nclaude "$@"\n:\n', { mode: 0o755 });
  await server.sendLine(pane, "clear; myclaude");
  await waitForBox(server, pane);
  assert.equal(find()?.wrapper, "myclaude");
  await server.sendLine(pane, "/exit");
  await until("the end of the wrapped Claude", () => find() === null);

  await Deno.copyFile(`${server.scratch.bin}/claude`, `${server.scratch.bin}/helper`);
  await server.sendLine(pane, "clear; helper");
  await waitForBox(server, pane);
  assert.equal(find(), null);
  const [helper] = descendants(system.processes.all(), panePid);
  assert.equal(find([{ pid: helper.pid, started: helper.started }])?.process.pid, helper.pid);
});

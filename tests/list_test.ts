// What `list` says of each pane: 20 panes of every kind, inside and outside tmux, for people and for scripts.
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fit, pad, printable, textWidth } from "../src/cli/width.ts";
import { columnWidths, tableLine } from "../src/cli/table.ts";
import { paneState } from "../src/ladder/pane_state.ts";
import { newBinding, sessionId } from "../src/binding.ts";
import { buildLayout, planLayout } from "./helpers/layout.ts";
import { claudePid, exitClaude, prompt, sessionOf, startClaude, waitForBox } from "./helpers/panes.ts";
import { until } from "./helpers/poll.ts";
import { isAlive } from "./helpers/processes.ts";
import { runBin } from "./helpers/run_bin.ts";
import { makeScratch } from "./helpers/scratch.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

interface Listed {
  pane_id: string;
  tmux_session: string;
  window_index: number;
  pane_index: number;
  addresses: { tmux_session: string; window_index: number; pane_index: number }[];
  window_name: string;
  state: string;
  kind: string | null;
  session_id: string | null;
  name: string | null;
  cwd: string;
  config_dir: string | null;
  team: { id: string; source: string } | null;
  age_seconds: number | null;
  evidence: string[];
  revive: { outcome: string; rung: string; line: string | null; reason: string | null };
}

/** Outside tmux, with nothing but a HOME and a PATH. */
function bare(server: TmuxServer, more: Record<string, string> = {}): Record<string, string> {
  const { HOME, PATH, TMUXCLAUDE_DENO, TMUXCLAUDE_CACHE_DIR } = server.scratch.env;
  const cache: Record<string, string> = TMUXCLAUDE_CACHE_DIR ? { TMUXCLAUDE_CACHE_DIR } : {};
  return { HOME, PATH, TMUXCLAUDE_DENO, ...cache, ...more };
}

async function list(server: TmuxServer, args: string[] = [], env = bare(server)): Promise<Listed[]> {
  const { code, stdout, stderr } = await runBin(["list", "--socket", server.socketPath, "--json", ...args], {
    env,
  });
  strictEqual(code, 0, stderr);
  strictEqual(stderr, "");
  const { schema, panes } = JSON.parse(stdout);
  strictEqual(schema, 1);
  return panes;
}

async function table(
  server: TmuxServer,
  env: Record<string, string>,
  args: string[] = [],
): Promise<string[]> {
  const { code, stdout, stderr } = await runBin(["list", "--socket", server.socketPath, ...args], { env });
  strictEqual(code, 0, stderr);
  return stdout.trimEnd().split("\n");
}

const ageless = (one: Listed) => ({ ...one, age_seconds: null });

async function killClaude(server: TmuxServer, pane: string): Promise<void> {
  const pid = await claudePid(server, pane);
  Deno.kill(pid, "SIGKILL");
  await until(`the end of Claude in ${pane}`, () => !isAlive(pid));
}

/** C-z as the kernel gives it: the whole job stops and the shell takes the terminal back. */
async function suspend(server: TmuxServer, pane: string): Promise<void> {
  const pid = await claudePid(server, pane);
  Deno.kill(-pid, "SIGTSTP");
  await until(
    `Claude in ${pane} to stop`,
    async () => (await Deno.readTextFile(`/proc/${pid}/stat`)).includes(") T "),
  );
}

Deno.test("list names the state of each of 20 panes: running, exited, killed, suspended, never Claude", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const plan = await planLayout(server.scratch, { sessions: 2, windows: 5, panes: 2, sharing: 4 });
  const panes = await buildLayout(server, plan);
  const used = panes.slice(0, 18);
  await Promise.all(used.map((pane) => startClaude(server, pane)));
  await Promise.all(used.map((pane) => prompt(server, pane, "hello")));
  const ids = await Promise.all(used.map((pane) => sessionOf(server, pane)));
  await Promise.all(used.slice(5, 10).map((pane) => exitClaude(server, pane)));
  await Promise.all(used.slice(10, 15).map((pane) => killClaude(server, pane)));
  await Promise.all(used.slice(15, 18).map((pane) => suspend(server, pane)));
  // A group and a linked window show panes a second and a third time.
  await server.run("new-session", "-d", "-s", "in a group", "-t", `=${plan[0].session}`);
  await server.run("link-window", "-d", "-s", panes[0], "-t", `=${plan[19].session}:77`);

  const listed = await list(server, [], bare(server, { LC_ALL: "C" }));
  const inside = await list(server, [], { ...await server.paneEnv(panes[3]), LANG: "C.UTF-8" });
  deepStrictEqual(listed.map(ageless), inside.map(ageless));
  strictEqual(listed.length, 18);
  const byPane = new Map(listed.map((one) => [one.pane_id, one]));
  const of = (index: number) => byPane.get(panes[index])!;
  for (const index of used.keys()) strictEqual(of(index).session_id, ids[index]);
  const states = used.map((_, index) => of(index).state);
  deepStrictEqual(states.slice(0, 5), Array(5).fill("running"));
  deepStrictEqual(states.slice(5, 10), Array(5).fill("exited"));
  deepStrictEqual(states.slice(10, 15), Array(5).fill("lost"));
  deepStrictEqual(states.slice(15, 18), Array(3).fill("running"));
  for (const index of [15, 16, 17]) ok(of(index).evidence.includes("suspended"));
  for (const index of [0, 16]) {
    deepStrictEqual(of(index).revive, { outcome: "running", rung: "running", line: null, reason: null });
  }
  for (let index = 5; index < 15; index++) {
    const line = `claude --resume ${ids[index]}`;
    deepStrictEqual(of(index).revive, { outcome: "would_type", rung: "stamp", line, reason: null });
  }
  const first = of(0);
  deepStrictEqual(
    first.addresses.map((one) => one.tmux_session).sort(),
    [
      "in a group",
      plan[0].session,
      plan[19].session,
    ].sort(),
  );
  ok(first.addresses.some((one) => one.window_index === 77));
  strictEqual(first.team?.id, "unassigned");
  deepStrictEqual([first.cwd, first.kind], [plan[0].folder, "interactive"]);

  deepStrictEqual((await list(server, ["--state", "exited"])).length, 5);
  deepStrictEqual(await list(server, ["--team", "none of these"]), []);
  strictEqual((await list(server, ["--team", "unassigned"])).length, 18);
  const wide = await table(server, bare(server, { LC_ALL: "C" }));
  strictEqual(wide.filter((line) => line.endsWith("type its line")).length, 10);
  strictEqual(wide.filter((line) => line.includes("suspended: fg")).length, 3);
  for (const room of [120, 60, 40]) {
    const lines = await table(server, bare(server, { COLUMNS: String(room) }));
    ok(lines.every((line) => textWidth(line) <= room), lines.join("\n"));
    strictEqual(lines.filter((line) => line.includes(" lost ")).length, 5);
  }

  // What a revive really does is what the list said.
  const done = await runBin(["revive", "--pane", panes[7], "--json"], {
    env: await server.paneEnv(panes[7]),
  });
  strictEqual(JSON.parse(done.stdout).line, of(7).revive.line);
});

async function fourPanes(server: TmuxServer, folders: string[]): Promise<string[]> {
  const first = await server.newSession({ session: "work", folder: folders[0] });
  const second = await server.split(first, { folder: folders[0] });
  const third = await server.newWindow(first, { folder: folders[1] });
  return [first, second, third, await server.split(third, { folder: folders[1] })];
}

Deno.test("after kill -9 of the server the panes are lost, after a restore restored, with the same lines", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const folders = [await server.scratch.folder("shared"), await server.scratch.folder("other")];
  const panes = await fourPanes(server, folders);
  for (const pane of panes.slice(0, 3)) {
    await startClaude(server, pane);
    await prompt(server, pane, "hello");
  }
  await exitClaude(server, panes[2]);
  strictEqual((await runBin(["manifest"], { env: await server.paneEnv(panes[0]) })).code, 0);
  const before = (await list(server)).map((one) => one.session_id);

  await server.kill9();
  await server.restart();
  const again = await fourPanes(server, folders);
  const lost = await list(server);
  deepStrictEqual(lost.map((one) => one.session_id), before);
  deepStrictEqual(lost.map((one) => one.state), ["lost", "lost", "exited"]);
  for (const one of lost) deepStrictEqual([one.revive.outcome, one.revive.rung], ["would_type", "manifest"]);
  strictEqual((await runBin(["restore"], { env: await server.paneEnv(again[0]) })).code, 0);
  const restored = await list(server);
  deepStrictEqual(restored.map((one) => one.state), ["restored", "restored", "exited"]);
  deepStrictEqual(restored.map((one) => one.revive.line), lost.map((one) => one.revive.line));
});

Deno.test("what keeps a revive from typing is told: a program, a lost transcript, a conversation alive elsewhere", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const first = await server.newSession({ session: "work", name: "one" });
  const panes = [first, ...await Promise.all([1, 2, 3].map(() => server.newWindow(first)))];
  for (const pane of panes) await startClaude(server, pane);
  for (const pane of panes.slice(0, 3)) await prompt(server, pane, "hello");
  const ids = await Promise.all(panes.map((pane) => sessionOf(server, pane)));
  await Promise.all(panes.map((pane) => exitClaude(server, pane)));
  await server.sendLine(panes[0], "sleep 100");
  await until(
    "sleep",
    async () => (await server.paneFormat(panes[0], "#{pane_current_command}")) === "sleep",
  );
  for await (const { name } of Deno.readDir(`${server.scratch.config}/projects`)) {
    await Deno.remove(`${server.scratch.config}/projects/${name}/${ids[1]}.jsonl`).catch(() => {});
  }
  await startClaude(server, await server.newWindow(first), `--resume ${ids[2]}`);

  const listed = new Map((await list(server)).map((one) => [one.pane_id, one]));
  const reason = (pane: string) => listed.get(pane)!.revive.reason;
  strictEqual(reason(panes[0]), "program");
  strictEqual(reason(panes[1]), "transcript-gone");
  match(reason(panes[2])!, /^(moved|alive-in-pane)$/);
  const never = listed.get(panes[3])!.revive;
  deepStrictEqual([never.outcome, never.line], ["would_type", "claude"]);
  const shown = (await table(server, bare(server))).join("\n");
  match(shown, /sleep runs in this pane/);
  match(shown, /never prompted, so a fresh start is offered/);
});

Deno.test("a stamp written by hand, id and folder only, is listed and revived", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const pane = await server.newSession();
  await startClaude(server, pane);
  await prompt(server, pane, "hello");
  const id = await sessionOf(server, pane);
  await exitClaude(server, pane);
  const other = await server.newSession();
  await server.run("set-option", "-pu", "-t", pane, "@tmuxclaude_session");
  await server.run("set-option", "-p", "-t", other, "@tmuxclaude_session", id);
  await server.run("set-option", "-p", "-t", other, "@tmuxclaude_cwd", server.scratch.home);
  const [one] = await list(server);
  deepStrictEqual([one.pane_id, one.state, one.age_seconds], [other, "lost", null]);
  strictEqual(one.revive.line, `claude --resume ${id}`);
  const done = await runBin(["revive", "--pane", other, "--json"], { env: await server.paneEnv(other) });
  strictEqual(JSON.parse(done.stdout).outcome, "typed", done.stderr);
});

Deno.test("a relative CLAUDE_CONFIG_DIR counts from the folder of the pane's Claude", async () => {
  await using server = await startServer();
  const folder = await server.scratch.folder("work");
  const pane = await server.newSession({ folder });
  await server.sendLine(pane, "CLAUDE_CONFIG_DIR=./own claude");
  await waitForBox(server, pane);
  const [one] = await list(server);
  deepStrictEqual([one.state, one.config_dir, one.session_id], [
    "running",
    `${folder}/own`,
    await idIn(`${folder}/own`),
  ]);
});

/** The one conversation that is registered in a config dir. */
async function idIn(configDir: string): Promise<string> {
  const [{ name }] = await Array.fromAsync(Deno.readDir(`${configDir}/sessions`));
  return JSON.parse(await Deno.readTextFile(`${configDir}/sessions/${name}`)).sessionId;
}

Deno.test("a teammate's pane is listed as what it is", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const pane = await server.newSession();
  await startClaude(server, pane, "--agent-id helper@team --agent-name helper --team-name team");
  const [one] = await list(server);
  deepStrictEqual([one.pane_id, one.state, one.kind], [pane, "running", "teammate"]);
  match((await table(server, bare(server)))[2], /teammate$/);
});

Deno.test("without a tmux server list ends with 4, stdout stays empty", async () => {
  await using scratch = await makeScratch();
  for (const args of [["list"], ["list", "--json"], ["list", "--socket", `${scratch.root}/none`]]) {
    const { code, stdout, stderr } = await runBin(args, { env: scratch.env });
    deepStrictEqual([code, stdout], [4, ""]);
    match(stderr, /Cannot list the panes: there is no tmux server here\./);
    match(stderr, /tmuxclaude recover/);
  }
});

Deno.test("a server without Claude has an empty list, which is no failure", async () => {
  await using server = await startServer();
  await server.newSession();
  deepStrictEqual(await list(server), []);
  const { code, stdout, stderr } = await runBin(["list", "--socket", server.socketPath], {
    env: bare(server),
  });
  deepStrictEqual([code, stdout], [0, ""]);
  match(stderr, /no pane with Claude on this tmux server \(tmuxclaude recover: /);
});

Deno.test("text takes the columns that a terminal gives it", () => {
  const table: [string, number][] = [
    ["abc", 3],
    ["", 0],
    ["日本語", 6],
    ["한글", 4],
    ["ＡＢ", 4],
    ["ｱｲ", 2],
    ["🎉", 2],
    ["👩‍💻", 2],
    ["👨‍👩‍👧‍👦", 2],
    ["👍🏽", 2],
    ["🇩🇪🇫🇷", 4],
    ["❤️", 2],
    ["☎", 1],
    ["e\u0301", 1],
    ["⏺ ✳ ❯", 5],
    ["นี้", 1],
  ];
  for (const [text, columns] of table) strictEqual(textWidth(text), columns, JSON.stringify(text));
});

Deno.test("text is cut between characters, never inside one, and never wider than asked", () => {
  strictEqual(fit("short", 5), "short");
  strictEqual(fit("longer", 5), "long…");
  strictEqual(fit("日本語日本語", 5), "日本…");
  strictEqual(fit("~/deep/日本/project", 12, "end"), "…本/project");
  strictEqual(fit("👩‍💻👩‍💻👩‍💻", 4), "👩‍💻…");
  strictEqual(fit("abc", 0), "");
  strictEqual(pad("日", 4), "日  ");
  for (let columns = 0; columns < 20; columns++) {
    ok(textWidth(fit("e\u0301日🎉👩‍💻abc🇩🇪def", columns)) <= columns);
    ok(textWidth(fit("e\u0301日🎉👩‍💻abc🇩🇪def", columns, "end")) <= columns);
  }
});

Deno.test("names of others do not reach the terminal as commands", () => {
  strictEqual(printable("a\u001b]0;x\u0007b\u009bc\nd\u202ee"), "a�]0;x�b�c�d�e");
  strictEqual(printable("日本 🎉 é"), "日本 🎉 é");
});

Deno.test("a table takes room from its widest column that may be cut", () => {
  const columns = [{ title: "A" }, { title: "B", cut: { keep: "start", least: 3 } as const }, {
    title: "C",
    cut: { keep: "end", least: 4 } as const,
  }];
  const rows = [["12345", "123456789", "1234567"]];
  deepStrictEqual(columnWidths(columns, rows, 100), [5, 9, 7]);
  deepStrictEqual(columnWidths(columns, rows, 20), [5, 5, 6]);
  deepStrictEqual(columnWidths(columns, rows, 16), [5, 3, 4]);
  deepStrictEqual(columnWidths(columns, rows, 12), [5, 3]);
  deepStrictEqual(columnWidths(columns, rows, 1), [5]);
  strictEqual(tableLine(columns, [5, 5, 5], rows[0]), "12345  1234…  …4567");
  strictEqual(tableLine(columns, [5, 5, 5], ["1", "2", ""]), "1      2");
});

Deno.test("a pane's state follows from who lives there and how it ended", () => {
  const binding = newBinding(sessionId("00000000-0000-4000-8000-000000000000")!, "/", "");
  const state = (live: boolean, ended: typeof binding.state) =>
    paneState({ live, binding: { ...binding, state: ended } });
  strictEqual(state(true, "exited"), "running");
  strictEqual(state(true, "restored"), "running");
  strictEqual(state(false, "running"), "lost");
  strictEqual(state(false, "ended"), "lost");
  strictEqual(state(false, "exited"), "exited");
  strictEqual(state(false, "restored"), "restored");
  strictEqual(paneState({ live: true, binding: null }), "running");
});

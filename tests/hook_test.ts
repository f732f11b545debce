// The hook as Claude runs it: binds its own pane, stays silent whatever comes in.
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { claudePid, exitClaude, prompt, sessionOf, startClaude } from "./helpers/panes.ts";
import { until } from "./helpers/poll.ts";
import { programUnderTest, runBin } from "./helpers/run_bin.ts";
import { exists } from "./helpers/standin.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

const stampOf = (server: TmuxServer, pane: string) => server.paneFormat(pane, "#{@tmuxclaude_session}");

async function journal(server: TmuxServer) {
  const text = await Deno.readTextFile(`${server.scratch.state}/journal.jsonl`).catch(() => "");
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

async function failures(server: TmuxServer): Promise<string[]> {
  const text = await Deno.readTextFile(`${server.scratch.state}/failures.jsonl`).catch(() => "");
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line).reason);
}

/** The hook with raw bytes on stdin. */
async function feed(server: TmuxServer, pane: string, bytes: Uint8Array, more: Record<string, string> = {}) {
  const [program, ...args] = programUnderTest();
  const child = new Deno.Command(program, {
    args: [...args, "hook"],
    env: { ...await server.paneEnv(pane), ...more },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(bytes).catch(() => {});
  await writer.close().catch(() => {});
  return await child.output();
}

const goodEvent = (session_id: string) =>
  new TextEncoder().encode(
    JSON.stringify({ hook_event_name: "SessionStart", session_id, cwd: "/", source: "startup" }),
  );

Deno.test("a start binds the pane and writes one line, silently", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const pane = await server.newSession();
  await startClaude(server, pane, "--model opus");
  const id = await sessionOf(server, pane);
  strictEqual(await stampOf(server, pane), id);
  const [line, ...rest] = await journal(server);
  strictEqual(rest.length, 0);
  deepStrictEqual([line.event, line.source, line.session_id, line.tmux.pane_id], [
    "start",
    "startup",
    id,
    pane,
  ]);
  strictEqual(line.claude.pid, await claudePid(server, pane));
  match(line.arguments.join(" "), /^--model[= ]opus$/);
  for (const { stdout, stderr } of await server.scratch.hookOutputs()) strictEqual(stdout + stderr, "");
});

Deno.test("outside tmux nothing is read and nothing is written", async () => {
  await using server = await startServer();
  const { code, stdout, stderr } = await runBin(["hook"], { env: server.scratch.env, stdin: "not JSON" });
  deepStrictEqual([code, stdout, stderr], [0, "", ""]);
  ok(!await exists(server.scratch.state));
});

Deno.test("no server, no tmux, a foreign TMUX: exit 0, silent, one failure that says why", async () => {
  await using server = await startServer();
  const pane = await server.newSession();
  const event = goodEvent("aaaaaaaa-0000-4000-8000-000000000000");
  const cases: Record<string, string>[] = [
    { TMUX: "/nowhere/socket,1,0" },
    { TMUX: "garbage", TMUX_TMPDIR: "/nonexistent" },
    { TMUX_PANE: "no pane" },
  ];
  for (const more of cases) {
    const { code, stdout } = await feed(server, pane, event, more);
    deepStrictEqual([more, code, stdout.length], [more, 0, 0]);
  }
  strictEqual((await failures(server)).length, cases.length);
  strictEqual((await journal(server)).length, 0);
});

Deno.test("an event that does not come from a Claude in the pane binds nothing", async () => {
  await using server = await startServer();
  await using other = await startServer();
  await server.scratch.registerHooks();
  const pane = await server.newSession();
  await startClaude(server, pane);
  const id = await sessionOf(server, pane);
  // A stale or leaked TMUX_PANE: the process that calls is no descendant of the pane's.
  await feed(server, pane, goodEvent("bbbbbbbb-0000-4000-8000-000000000000"));
  const foreign = await other.newSession();
  await feed(other, foreign, goodEvent("bbbbbbbb-0000-4000-8000-000000000000"));
  strictEqual(await stampOf(server, pane), id);
  strictEqual(await stampOf(other, foreign), "");
  strictEqual((await journal(server)).length, 1);
});

Deno.test("a Claude that a tool of the pane's Claude starts, headless or not, leaves the stamp alone", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const pane = await server.newSession();
  await startClaude(server, pane);
  const id = await sessionOf(server, pane);
  await server.sendLine(pane, "MOCK_NESTED claude -p nested-question");
  await until(
    "both Claudes' hooks",
    async () => (await server.scratch.hookOutputs()).filter(({ session_id }) => session_id !== id).length > 0,
  );
  strictEqual(await stampOf(server, pane), id);
  ok((await journal(server)).every((line) => line.session_id === id));
});

Deno.test("exit, resume, exit: one address, the right id each, the binding never goes", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const pane = await server.newSession();
  await startClaude(server, pane);
  const id = await sessionOf(server, pane);
  await prompt(server, pane, "hello");
  await exitClaude(server, pane);
  await startClaude(server, pane, `--resume ${id}`);
  await exitClaude(server, pane);
  await until(
    "the last end",
    async () => (await journal(server)).filter(({ event }) => event === "end").length === 2,
  );
  const lines = await journal(server);
  deepStrictEqual(lines.map(({ event, source }) => [event, source]), [
    ["start", "startup"],
    ["end", "prompt_input_exit"],
    ["start", "resume"],
    ["end", "prompt_input_exit"],
  ]);
  ok(lines.every((line) => line.session_id === id && line.tmux.pane_id === pane));
  deepStrictEqual(lines.map(({ seq }) => seq), [1, 2, 3, 4]);
  strictEqual(await stampOf(server, pane), id);
});

Deno.test("the end that comes after its server was killed still goes into the journal", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const pane = await server.newSession();
  await startClaude(server, pane);
  const id = await sessionOf(server, pane);
  await server.run("kill-server");
  const last = await until(
    "the end line",
    async () => (await journal(server)).find(({ event }) => event === "end"),
  );
  deepStrictEqual([last.session_id, last.source, last.state, last.tmux.pane_id], [
    id,
    "other",
    "ended",
    pane,
  ]);
});

Deno.test("a pane that several tmux sessions show is recorded and listed under the oldest, as a save has it", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const pane = await server.newSession({ session: "main" });
  await server.run("new-session", "-d", "-t", "main", "-s", "a follower");
  await server.run("new-session", "-d", "-s", "another");
  await server.run("link-window", "-d", "-s", pane, "-t", "another:7");
  await startClaude(server, pane);
  const [line] = await journal(server);
  const { stdout } = await runBin(["list", "--json"], { env: await server.paneEnv(pane) });
  const [listed] = JSON.parse(stdout).panes;
  for (const { tmux_session, window_index } of [line.tmux, listed]) {
    deepStrictEqual([tmux_session, window_index], ["main", 0]);
  }
  deepStrictEqual(listed.addresses.length, 3);
});

Deno.test("a stdin that nobody closes does not keep the hook, whether the event has come or not", async () => {
  await using server = await startServer();
  const pane = await server.newSession();
  for (const bytes of [goodEvent("aaaaaaaa-0000-4000-8000-000000000000"), new Uint8Array()]) {
    const [program, ...args] = programUnderTest();
    const options = { args: [...args, "hook"], env: await server.paneEnv(pane), clearEnv: true };
    const child = new Deno.Command(program, { ...options, stdin: "piped" }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(bytes);
    strictEqual((await child.status).code, 0);
    await writer.close().catch(() => {});
  }
  deepStrictEqual(await failures(server), ["the event is empty"]);
});

Deno.test("the team is the one of the tmux session, by our option before the practice's own", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const pane = await server.newSession();
  for (const [option, team] of [["@miadi-team", "T2"], ["@tmuxclaude-team", "T1"]]) {
    await server.run("set-option", "-t", pane, option, team);
    await startClaude(server, pane);
    const [line] = (await journal(server)).slice(-1);
    deepStrictEqual(line.team, { id: team, source: "declared" });
    await exitClaude(server, pane);
  }
});

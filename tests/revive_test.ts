// The key, in every state a pane can be in: what is typed, and that nothing is where nothing should be.
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { buildLayout, crashAndRebuild, planLayout } from "./helpers/layout.ts";
import { claudePid, exitClaude, prompt, sessionOf, startClaude, waitForBox } from "./helpers/panes.ts";
import { until, untilText } from "./helpers/poll.ts";
import { runBin } from "./helpers/run_bin.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

interface Revived {
  outcome: string;
  rung: string | null;
  session_id: string | null;
  line: string | null;
  reason: string | null;
  message: string;
}

async function ours(server: TmuxServer, ...args: string[]) {
  const [first] = await server.panes();
  const { TMUX_PANE: _pane, ...env } = await server.paneEnv(first.id);
  return await runBin(args, { env });
}

async function revive(
  server: TmuxServer,
  pane: string,
  ...more: string[]
): Promise<Revived & { code: number }> {
  const { code, stdout, stderr } = await ours(server, "revive", "--pane", pane, "--json", ...more);
  if (stdout === "") throw new Error(stderr);
  return { code, ...JSON.parse(stdout) };
}

/** A server with one pane that held a prompted conversation and left it with /exit. */
async function exited(server: TmuxServer, folder?: string): Promise<{ pane: string; id: string }> {
  const pane = await server.newSession(folder ? { folder } : {});
  await startClaude(server, pane);
  const id = await sessionOf(server, pane);
  await prompt(server, pane, "hello");
  await exitClaude(server, pane);
  return { pane, id };
}

async function hooked(conf = ""): Promise<TmuxServer> {
  const server = await startServer({ conf });
  await server.scratch.registerHooks();
  return server;
}

Deno.test("after /exit the line is typed, and Enter brings the earlier turn back", async () => {
  await using server = await hooked();
  const { pane, id } = await exited(server);
  const { outcome, rung, line } = await revive(server, pane);
  deepStrictEqual([outcome, rung, line], ["typed", "stamp", `claude --resume ${id}`]);
  await server.press(pane, "Enter");
  await untilText(
    "the earlier turn",
    () => server.captureAll(pane),
    /MOCK-REPLY: hello[^]*MOCK-REPLY: hello/,
  );
});

Deno.test("a dry run shows the line and types nothing", async () => {
  await using server = await hooked();
  const { pane, id } = await exited(server);
  const before = await server.captureAll(pane);
  const { outcome, line } = await revive(server, pane, "--dry-run");
  deepStrictEqual([outcome, line], ["would_type", `claude --resume ${id}`]);
  strictEqual(await server.captureAll(pane), before);
});

Deno.test("--enter runs what is certain", async () => {
  await using server = await hooked();
  const { pane, id } = await exited(server);
  strictEqual((await revive(server, pane, "--enter")).outcome, "typed");
  await waitForBox(server, pane);
  strictEqual(await sessionOf(server, pane), id);
});

Deno.test("a live Claude gets nothing: idle, with a draft, in a dialog, suspended", async () => {
  await using server = await hooked();
  const pane = await server.newSession();
  await startClaude(server, pane);
  await prompt(server, pane, "hello");
  const states: [string, () => Promise<void>][] = [
    ["idle", () => Promise.resolve()],
    ["a draft", () => server.type(pane, "half a thought")],
    ["a dialog", async () => {
      await server.press(pane, "C-u");
      await server.sendLine(pane, "MOCK_DIALOG");
      await untilText("the dialog", () => server.capture(pane), "❯ 1. Yes");
    }],
  ];
  for (const [what, bring] of states) {
    await bring();
    const before = await server.captureAll(pane);
    const { outcome, code } = await revive(server, pane);
    deepStrictEqual([what, outcome, code], [what, "running", 0]);
    strictEqual(await server.captureAll(pane), before);
  }
  strictEqual((await server.scratch.dialogAnswers()).length, 0);
});

Deno.test("a suspended Claude is running, and the message says how to go on", async () => {
  await using server = await hooked();
  const pane = await server.newSession();
  await startClaude(server, pane);
  const pid = await claudePid(server, pane);
  await server.press(pane, "C-z");
  await until(
    "the stop",
    async () => / T /.test((await Deno.readTextFile(`/proc/${pid}/stat`)).replace(/^.*\)/, "")),
  );
  const { outcome, message } = await revive(server, pane);
  strictEqual(outcome, "running");
  match(message, /fg/);
});

Deno.test("killed with -9: the stale registry and title do not count, the line is typed", async () => {
  await using server = await hooked();
  const pane = await server.newSession();
  await startClaude(server, pane);
  await prompt(server, pane, "hello");
  const [id, pid] = [await sessionOf(server, pane), await claudePid(server, pane)];
  Deno.kill(pid, "SIGKILL");
  await untilText("the shell", () => server.capture(pane), /Killed\n.*[#$]\s*$/);
  const { outcome, session_id } = await revive(server, pane);
  deepStrictEqual([outcome, session_id], ["typed", id]);
});

Deno.test("never prompted: a fresh start is offered", async () => {
  await using server = await hooked();
  const pane = await server.newSession();
  await startClaude(server, pane);
  await exitClaude(server, pane);
  const { outcome, line, message } = await revive(server, pane);
  deepStrictEqual([outcome, line], ["typed", "claude"]);
  match(message, /never prompted/);
});

Deno.test("a transcript that was there and is gone: nothing is typed", async () => {
  await using server = await hooked();
  const { pane, id } = await exited(server);
  strictEqual((await ours(server, "manifest")).code, 0);
  await startClaude(server, pane, `--resume ${id}`);
  await exitClaude(server, pane);
  await Deno.remove(`${server.scratch.config}/projects`, { recursive: true });
  const before = await server.captureAll(pane);
  const { outcome, reason, code } = await revive(server, pane);
  deepStrictEqual([outcome, reason, code], ["refused", "transcript-gone", 1]);
  strictEqual(await server.captureAll(pane), before);
});

Deno.test("alive in another pane: refused by name, typed with --force", async () => {
  await using server = await hooked();
  const { pane, id } = await exited(server);
  const other = await server.newWindow(pane);
  await startClaude(server, other, `--resume ${id}`);
  const { outcome, reason, message } = await revive(server, pane);
  strictEqual(outcome, "refused");
  ok(reason === "alive-in-pane" || reason === "moved", String(reason));
  match(message, /1\.0/);
  strictEqual((await revive(server, pane, "--force")).outcome, "typed");
});

Deno.test("/clear twice, then killed: the conversation before is still reachable when the new one has nothing", async () => {
  await using server = await hooked();
  const pane = await server.newSession();
  await startClaude(server, pane);
  await prompt(server, pane, "first");
  const ids = [await sessionOf(server, pane)];
  for (const text of ["second", "third"]) {
    await server.sendLine(pane, "/clear");
    await until("a new id", async () => !ids.includes(await sessionOf(server, pane)));
    await waitForBox(server, pane);
    ids.push(await sessionOf(server, pane));
    await prompt(server, pane, text);
  }
  await exitClaude(server, pane);
  strictEqual((await revive(server, pane)).session_id, ids[2]);
  await removeTranscript(server, ids[2]);
  strictEqual((await revive(server, pane)).session_id, ids[1]);
  await removeTranscript(server, ids[1]);
  strictEqual((await revive(server, pane)).session_id, ids[0]);
});

async function removeTranscript(server: TmuxServer, id: string): Promise<void> {
  for await (const { name } of Deno.readDir(`${server.scratch.config}/projects`)) {
    await Deno.remove(`${server.scratch.config}/projects/${name}/${id}.jsonl`).catch(() => {});
  }
}

Deno.test("another folder: the line goes there first; a folder that is gone: said, nothing typed", async () => {
  await using server = await hooked();
  const folder = await server.scratch.folder("it's a folder");
  const { pane, id } = await exited(server, folder);
  await server.sendLine(pane, "cd /");
  await until("the other folder", async () => await server.paneFormat(pane, "#{pane_current_path}") === "/");
  const { line } = await revive(server, pane);
  strictEqual(line, `cd "${folder}" && claude --resume ${id}`);
  await Deno.remove(folder, { recursive: true });
  const { outcome, reason, message } = await revive(server, pane);
  ok(
    outcome === "refused" ? reason === "folder-gone" : message.includes("is gone"),
    JSON.stringify({ outcome, message }),
  );
});

Deno.test("an editor in the pane: refused by name", async () => {
  await using server = await hooked();
  const { pane } = await exited(server);
  await server.sendLine(pane, "cat");
  await until("cat", async () => await server.paneFormat(pane, "#{pane_current_command}") === "cat");
  const { outcome, message, code } = await revive(server, pane);
  deepStrictEqual([outcome, code], ["refused", 1]);
  match(message, /cat/);
});

Deno.test("a dead pane starts again with its conversation, and the stamp names it", async () => {
  await using server = await hooked("set -g remain-on-exit on\n");
  const { pane, id } = await exited(server);
  await server.sendLine(pane, "exit");
  await until("the dead pane", async () => await server.paneFormat(pane, "#{pane_dead}") === "1");
  const { outcome, session_id } = await revive(server, pane);
  deepStrictEqual([outcome, session_id], ["respawned", id]);
  await waitForBox(server, pane);
  strictEqual(await server.paneFormat(pane, "#{@tmuxclaude_session}"), id);
  strictEqual(await sessionOf(server, pane), id);
  await exitClaude(server, pane);
  strictEqual(await server.paneFormat(pane, "#{pane_dead}"), "0");
});

Deno.test("a dead pane nobody prompted starts under its own id, which cannot collide", async () => {
  await using server = await hooked("set -g remain-on-exit on\n");
  const pane = await server.newSession();
  await startClaude(server, pane);
  const id = await sessionOf(server, pane);
  await exitClaude(server, pane);
  await server.sendLine(pane, "exit");
  await until("the dead pane", async () => await server.paneFormat(pane, "#{pane_dead}") === "1");
  strictEqual((await revive(server, pane)).line, `claude --session-id ${id}`);
  await waitForBox(server, pane);
  strictEqual(await sessionOf(server, pane), id);
});

Deno.test("after the save, by folder, nothing: each rung says what it is", async () => {
  await using server = await hooked();
  const plan = await planLayout(server.scratch, { sessions: 1, windows: 3, panes: 1, sharing: 0 });
  const [first, second] = await buildLayout(server, plan);
  await startClaude(server, first);
  const saved = await sessionOf(server, first);
  await prompt(server, first, "saved");
  strictEqual((await ours(server, "manifest")).code, 0);
  await startClaude(server, second);
  const late = await sessionOf(server, second);
  await prompt(server, second, "late");

  const panes = await crashAndRebuild(server, plan);
  const exact = await revive(server, panes[0]);
  deepStrictEqual([exact.outcome, exact.rung, exact.session_id], ["typed", "manifest", saved]);
  const journal = await revive(server, panes[1]);
  deepStrictEqual([journal.outcome, journal.rung, journal.session_id], ["typed", "journal", late]);
  match(journal.message, /recorded after the last save/);
  const nothing = await revive(server, panes[2]);
  deepStrictEqual([nothing.outcome, nothing.code], ["nothing", 3]);
  match(nothing.message, /claude --resume/);
  const stranger = await server.newWindow(panes[2], { folder: plan[1].folder });
  const guess = await revive(server, stranger);
  deepStrictEqual([guess.rung, guess.session_id], ["folder", late]);
  match(guess.message, /matched by folder/);
});

Deno.test("typed by hand at the pane's own prompt, it types the line when the prompt is back", async () => {
  await using server = await hooked();
  const { pane, id } = await exited(server);
  await server.sendLine(pane, "tmuxclaude revive");
  await untilText("the line", () => server.capture(pane), new RegExp(`claude --resume ${id}$`));
});

Deno.test("no such pane: exit 3 with the way to find one; no server: exit 4", async () => {
  await using server = await hooked();
  await server.newSession();
  const none = await ours(server, "revive", "--pane", "%99");
  strictEqual(none.code, 3);
  match(none.stderr, /list-panes/);
  const gone = await runBin(["revive", "--pane", "%1", "--socket", "/nowhere/x"], {
    env: server.scratch.env,
  });
  strictEqual(gone.code, 4);
  strictEqual(gone.stdout, "");
});

// The key, in every state a pane can be in: what is typed, and that nothing is where nothing should be.
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { buildLayout, crashAndRebuild, planLayout } from "./helpers/layout.ts";
import { claudePid, exitClaude, prompt, sessionOf, startClaude, waitForBox } from "./helpers/panes.ts";
import { until, untilText } from "./helpers/poll.ts";
import { exited, hooked, ours, revive } from "./helpers/revive.ts";
import { runBin } from "./helpers/run_bin.ts";
import type { TmuxServer } from "./helpers/tmux_server.ts";
import { system } from "./helpers/typing.ts";

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

Deno.test("another folder: the line goes there first; one that is gone: the best that its version can", async () => {
  await using server = await hooked();
  const folder = await server.scratch.folder("it's a folder");
  const { pane, id } = await exited(server, { folder });
  await server.sendLine(pane, "cd /");
  await until("the other folder", async () => await server.paneFormat(pane, "#{pane_current_path}") === "/");
  const { line } = await revive(server, pane);
  strictEqual(line, `cd "${folder}" && claude --resume ${id}`);
  await Deno.remove(folder, { recursive: true });
  const gone = await revive(server, pane);
  strictEqual(gone.line, `cd '${server.scratch.home}' && claude --resume ${id}`);
  strictEqual(gone.message, "folder gone: press Enter to resume in ~");
  await server.run("set-environment", "-g", "STANDIN_VERSION", "2.1.197");
  const old = await server.newWindow(pane, { folder: await server.scratch.folder("old") });
  await startClaude(server, old);
  await prompt(server, old, "hello");
  await exitClaude(server, old);
  await Deno.remove(`${server.scratch.home}/old`);
  const { outcome, reason, message } = await revive(server, old);
  deepStrictEqual([outcome, reason], ["refused", "folder-gone"]);
  strictEqual(message, "its folder is gone, make it again: ~/old");
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

Deno.test("held by a background session: told how to attach", async () => {
  await using server = await hooked();
  const { pane, id } = await exited(server);
  await using holder = await backgroundHolder(server, id);
  const { outcome, reason, message } = await revive(server, pane);
  deepStrictEqual([outcome, reason], ["refused", "alive-in-background"]);
  strictEqual(message, `it runs in the background: claude attach ${holder.job}`);
  strictEqual((await revive(server, pane, "--force")).outcome, "typed");
});

/** A process that Claude's registry calls a background session with this conversation. */
async function backgroundHolder(server: TmuxServer, sessionId: string) {
  const child = new Deno.Command("sleep", { args: ["600"], stdin: "null" }).spawn();
  const [job, folder] = ["0a1b2c3d", `${server.scratch.config}/sessions`];
  const { started } = system.processes.read(child.pid)!;
  const entry = { pid: child.pid, procStart: started, sessionId, cwd: "/", kind: "bg", jobId: job };
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/${child.pid}.json`, JSON.stringify(entry));
  return {
    job,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

Deno.test("what went on in another pane of this life is a guess afterwards, even at its old address", async () => {
  await using server = await hooked();
  const plan = await planLayout(server.scratch, { sessions: 1, windows: 2, panes: 1, sharing: 2 });
  const [, second] = await buildLayout(server, plan);
  await startClaude(server, second);
  const id = await sessionOf(server, second);
  await prompt(server, second, "saved");
  strictEqual((await ours(server, "manifest")).code, 0);
  const panes = await crashAndRebuild(server, plan);
  await startClaude(server, panes[0], `--resume ${id}`);
  await exitClaude(server, panes[0]);
  strictEqual((await revive(server, panes[1])).outcome, "nothing");
  await server.run("kill-pane", "-t", panes[0]);
  const { rung, session_id } = await revive(server, panes[1]);
  deepStrictEqual([rung, session_id], ["folder", id]);
});

Deno.test("a window that changed its place is not offered what stood there before as certain", async () => {
  await using server = await hooked();
  const folder = await server.scratch.folder("shared");
  const first = await server.newSession({ session: "s", name: "api", folder });
  await server.newWindow(first, { name: "web", folder });
  await startClaude(server, first);
  const id = await sessionOf(server, first);
  await prompt(server, first, "saved");
  strictEqual((await ours(server, "manifest")).code, 0);
  await server.kill9();
  await server.restart();
  const web = await server.newSession({ session: "s", name: "web", folder });
  await server.newWindow(web, { name: "api", folder });
  const { rung, session_id, message } = await revive(server, web);
  deepStrictEqual([rung, session_id], ["folder", id]);
  match(message, /matched by folder/);
});

Deno.test("typed by hand at the pane's own prompt, it types the line when the prompt is back", async () => {
  await using server = await hooked();
  const { pane, id } = await exited(server);
  await server.sendLine(pane, "tmuxclaude revive");
  await untilText("the line", () => server.capture(pane), new RegExp(`claude --resume ${id}$`));
});

Deno.test("by hand, a dry run and JSON tell what will be typed, and a refusal is told at once", async () => {
  await using server = await hooked();
  const { pane, id } = await exited(server);
  const by = `${server.scratch.root}/by`;
  await server.sendLine(pane, `tmuxclaude revive --dry-run 2>/dev/null >${by}; echo END$?`);
  await untilText("the end", () => server.capture(pane), /^END0$/m);
  strictEqual(await Deno.readTextFile(by), `claude --resume ${id}\n`);
  await Deno.rename(`${server.scratch.config}/projects`, `${server.scratch.config}/away`);
  await server.sendLine(pane, `tmuxclaude revive --json >${by}; echo NOT$?`);
  await untilText("the end", () => server.capture(pane), /^NOT1$/m);
  strictEqual(JSON.parse(await Deno.readTextFile(by)).reason, "transcript-gone");
  await Deno.rename(`${server.scratch.config}/away`, `${server.scratch.config}/projects`);
  await server.sendLine(pane, `tmuxclaude revive --json >${by}`);
  await untilText("the line", () => server.capture(pane), new RegExp(`claude --resume ${id}$`));
  strictEqual(JSON.parse(await Deno.readTextFile(by)).outcome, "would_type");
});

Deno.test("a script that names no client is told on stderr", async () => {
  await using server = await hooked();
  const { pane } = await exited(server);
  const { code, stdout, stderr } = await ours(server, "revive", "--pane", pane);
  deepStrictEqual([code, stdout, stderr], [0, "", "tmuxclaude: typed: press Enter to resume\n"]);
});

Deno.test("no such pane: exit 3 with the way to find one; not in a pane, or no server: exit 4", async () => {
  await using server = await hooked();
  await server.newSession();
  const none = await ours(server, "revive", "--pane", "%99");
  strictEqual(none.code, 3);
  match(none.stderr, /list-panes/);
  const outside = await runBin(["revive", "--socket", server.socketPath], { env: server.scratch.env });
  strictEqual(outside.code, 4);
  match(outside.stderr, /^tmuxclaude: Cannot revive: no pane was given and this is not one/);
  const gone = await runBin(["revive", "--pane", "%1", "--socket", "/nowhere/x"], {
    env: server.scratch.env,
  });
  strictEqual(gone.code, 4);
  strictEqual(gone.stdout, "");
});

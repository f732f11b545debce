// The stand-in for Claude lives and ends as the other tests and the demo take for granted.
import assert from "node:assert/strict";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";
import {
  claudePid,
  exitClaude,
  prompt,
  registryOf,
  sessionOf,
  startClaude,
  waitForBox,
} from "./helpers/panes.ts";
import { exists, readTranscript, recordHooks } from "./helpers/standin.ts";
import { isAlive, readProcess } from "./helpers/processes.ts";
import { until, untilText } from "./helpers/poll.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

Deno.test("a new conversation has an input box, a title and a registry entry, but no transcript", async () => {
  await using server = await startServer();
  const pane = await server.newSession();
  await startClaude(server, pane);
  const entry = await registryOf(server, pane);
  const pid = await claudePid(server, pane);
  assert.equal(await server.paneFormat(pane, "#{pane_title}"), "✳ Claude Code");
  assert.match(entry.sessionId, UUID);
  assert.equal(entry.cwd, server.scratch.home);
  assert.equal(entry.status, "idle");
  assert.equal(entry.procStart, procStart(pid));
  assert.equal(readProcess(pid)?.name, "claude");
  assert.equal(await readTranscript(server, entry.sessionId), "");
});

Deno.test("a prompt is answered and written to the transcript of the folder it ran in", async () => {
  await using server = await startServer();
  const folder = await server.scratch.folder('日本 "v1.2" it\'s \\ 🎉');
  const pane = await server.newSession({ folder });
  await startClaude(server, pane);
  await prompt(server, pane, 'say "hi" \\ it\'s');
  const id = await sessionOf(server, pane);
  const lines = (await readTranscript(server, id)).trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.map((line) => line.type), ["user", "assistant"]);
  assert.equal(lines[0].message.content, 'say "hi" \\ it\'s');
  assert.equal(lines[0].cwd, folder);
  assert.equal(lines[1].sessionId, id);
  assert.match(lines[1].timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const slug = folder.replaceAll(/[^A-Za-z0-9]/g, "-");
  assert.ok(await exists(`${server.scratch.config}/projects/${slug}/${id}.jsonl`), slug);
});

Deno.test("/rename shows at once in title, registry and transcript, and makes an unprompted session resumable", async () => {
  await using server = await startServer();
  const pane = await server.newSession();
  await startClaude(server, pane);
  await server.sendLine(pane, "/rename my name: é");
  await untilText("the new title", () => server.paneFormat(pane, "#{pane_title}"), /^✳ my name: é$/, 1_000);
  await waitForBox(server, pane);
  const entry = await registryOf(server, pane);
  assert.deepEqual([entry.name, entry.nameSource], ["my name: é", "user"]);
  assert.match(await server.capture(pane), /⎿ {2}Session renamed to: my name: é$/m);
  const text = await readTranscript(server, entry.sessionId);
  assert.ok(
    text.includes(`{"type":"custom-title","customTitle":"my name: é","sessionId":"${entry.sessionId}"}`),
  );
  assert.ok(text.includes(`{"type":"agent-name","agentName":"my name: é","sessionId":"${entry.sessionId}"}`));
  await exitClaude(server, pane);
  await startClaude(server, pane, `--resume ${entry.sessionId}`);
  assert.equal(await server.paneFormat(pane, "#{pane_title}"), "✳ my name: é");
});

Deno.test("a name that another live session has gets two more words, but only in the newest version", async () => {
  await using server = await startServer();
  const first = await server.newSession();
  const second = await server.split(first);
  await startClaude(server, first, "-n shared");
  await startClaude(server, second);
  await server.sendLine(second, "/rename shared");
  await untilText(
    "the longer title",
    () => server.paneFormat(second, "#{pane_title}"),
    /^✳ shared-[a-z]+-[a-z]+$/,
  );
  await waitForBox(server, second);
  assert.equal((await registryOf(server, second)).nameSource, "collision");
  await exitClaude(server, first);
  await server.sendLine(second, "/rename shared");
  await untilText("the free title", () => server.paneFormat(second, "#{pane_title}"), /^✳ shared$/);
  await server.sendLine(first, "STANDIN_VERSION=2.1.197 claude -n shared");
  await waitForBox(server, first);
  assert.equal(await server.paneFormat(first, "#{pane_title}"), "✳ shared");
});

Deno.test("/clear begins another conversation in the same process and keeps the title", async () => {
  await using server = await startServer();
  const calls = await recordHooks(server);
  const pane = await server.newSession();
  await startClaude(server, pane, "-n kept");
  await prompt(server, pane, "hello");
  const [id, pid] = [await sessionOf(server, pane), await claudePid(server, pane)];
  await server.sendLine(pane, "/clear");
  const next = await until("another id", async () => {
    const now = await sessionOf(server, pane);
    return now !== id && now;
  });
  await waitForBox(server, pane);
  assert.equal(await claudePid(server, pane), pid);
  assert.equal(await server.paneFormat(pane, "#{pane_title}"), "✳ kept");
  assert.match(await readTranscript(server, next), /<command-name>\/clear</);
  const events = (await calls()).slice(-2).map(({ input }) => [
    input.hook_event_name,
    input.session_id,
    input.reason ?? input.source,
    input.session_title,
  ]);
  assert.deepEqual(events, [["SessionEnd", id, "clear", undefined], ["SessionStart", next, "clear", "kept"]]);
});

for (const [how, leave] of [["/exit", exitClaude], ["Ctrl-D", pressCtrlD]] as const) {
  Deno.test(`${how} clears title and registry, and tells how to resume`, async () => {
    await using server = await startServer();
    const calls = await recordHooks(server);
    const pane = await server.newSession();
    await startClaude(server, pane);
    await prompt(server, pane, "hello");
    const { sessionId, pid } = await registryOf(server, pane);
    await leave(server, pane);
    await untilText(
      "the hint",
      () => server.capture(pane),
      `Resume this session with:\nclaude --resume ${sessionId}`,
    );
    assert.equal(await server.paneFormat(pane, "#{pane_title}"), "");
    assert.ok(!await exists(`${server.scratch.config}/sessions/${pid}.json`));
    assert.equal((await calls()).at(-1)?.input.reason, "prompt_input_exit");
  });
}

Deno.test("kill -9 leaves title and registry entry behind, TERM does not", async () => {
  await using server = await startServer();
  const calls = await recordHooks(server);
  const pane = await server.newSession();
  await startClaude(server, pane);
  const killed = await claudePid(server, pane);
  Deno.kill(killed, "SIGKILL");
  await until("its end", () => !isAlive(killed));
  assert.equal(await server.paneFormat(pane, "#{pane_title}"), "✳ Claude Code");
  assert.ok(await exists(`${server.scratch.config}/sessions/${killed}.json`));
  assert.equal((await calls()).length, 1);
  await startClaude(server, pane);
  const ended = await claudePid(server, pane);
  Deno.kill(ended, "SIGTERM");
  await until("its end", () => !isAlive(ended));
  await server.sendLine(pane, "echo rc=$?");
  await untilText("its status", () => server.capture(pane), "rc=143");
  assert.equal(await server.paneFormat(pane, "#{pane_title}"), "");
  assert.ok(!await exists(`${server.scratch.config}/sessions/${ended}.json`));
  assert.equal((await calls()).at(-1)?.input.reason, "other");
});

async function pressCtrlD(server: TmuxServer, pane: string): Promise<void> {
  await server.press(pane, "C-d");
}

function procStart(pid: number): string {
  return Deno.readTextFileSync(`/proc/${pid}/stat`).replace(/.*\) /s, "").split(" ")[19];
}

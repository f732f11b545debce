// The stand-in for Claude begins and resumes conversations as its version would.
import assert from "node:assert/strict";
import { startServer } from "./helpers/tmux_server.ts";
import { exitClaude, prompt, registryOf, sessionOf, startClaude, waitForBox } from "./helpers/panes.ts";
import { exists, readTranscript, recordHooks } from "./helpers/standin.ts";
import { untilText } from "./helpers/poll.ts";

const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

Deno.test("--resume shows the earlier turns and goes on in the same transcript", async () => {
  await using server = await startServer();
  const calls = await recordHooks(server);
  const pane = await server.newSession();
  await startClaude(server, pane);
  await prompt(server, pane, "hello");
  const id = await sessionOf(server, pane);
  await exitClaude(server, pane);
  await server.run("clear-history", "-t", pane);
  await startClaude(server, pane, `--resume ${id}`);
  assert.match(await server.capture(pane), /^❯ hello\n⏺ MOCK-REPLY: hello\n/m);
  assert.equal(await sessionOf(server, pane), id);
  assert.equal((await calls()).at(-1)?.input.source, "resume");
  await prompt(server, pane, "again");
  assert.equal((await readTranscript(server, id)).match(/"type":"user"/g)?.length, 2);
});

Deno.test("--resume without messages fails, and only SessionEnd tells of it", async () => {
  await using server = await startServer();
  const calls = await recordHooks(server);
  const pane = await server.newSession();
  await server.sendLine(pane, `claude --resume ${UNKNOWN_ID}; echo rc=$?`);
  const said = await untilText("the refusal", () => server.capture(pane), /rc=\d/);
  assert.match(said, new RegExp(`^No conversation found with session ID: ${UNKNOWN_ID}\\nrc=1$`, "m"));
  assert.deepEqual(
    (await calls()).map(({ input }) => [input.hook_event_name, input.session_id, input.reason]),
    [
      ["SessionEnd", UNKNOWN_ID, "other"],
    ],
  );
});

Deno.test("--resume from another folder works in the newest version only", async () => {
  await using server = await startServer();
  const calls = await recordHooks(server);
  const pane = await server.newSession();
  await startClaude(server, pane);
  await prompt(server, pane, "hello");
  const id = await sessionOf(server, pane);
  await exitClaude(server, pane);
  await server.sendLine(pane, "cd /");
  for (const version of ["2.1.197", "2.0.76"]) {
    await server.sendLine(pane, `clear; STANDIN_VERSION=${version} claude --resume ${id}; echo rc=$?`);
    await untilText(`the refusal of ${version}`, () => server.capture(pane), /No conversation found.*\nrc=1/);
  }
  await startClaude(server, pane, `--resume ${id}`);
  assert.equal((await registryOf(server, pane)).cwd, "/");
  await prompt(server, pane, "from elsewhere");
  assert.equal((await readTranscript(server, id)).match(/"type":"user"/g)?.length, 2);
  const [start, submit] = (await calls()).slice(-2).map(({ input }) => input.transcript_path);
  assert.equal(start, `${server.scratch.config}/projects/-/${id}.jsonl`);
  assert.equal(await exists(start), false);
  assert.ok(await exists(submit));
});

Deno.test("--session-id is refused for an id that has a transcript, and used otherwise", async () => {
  await using server = await startServer();
  const pane = await server.newSession();
  await startClaude(server, pane, `--session-id ${UNKNOWN_ID}`);
  await prompt(server, pane, "hello");
  assert.equal(await sessionOf(server, pane), UNKNOWN_ID);
  await exitClaude(server, pane);
  await server.sendLine(pane, `clear; claude --session-id ${UNKNOWN_ID}; echo rc=$?`);
  await untilText(
    "the refusal",
    () => server.capture(pane),
    `Session ID ${UNKNOWN_ID} is already in use.\nrc=1`,
  );
});

Deno.test("the log holds exactly what a typed line started", async () => {
  await using server = await startServer();
  const pane = await server.newSession();
  await server.sendLine(
    pane,
    `CLAUDE_CONFIG_DIR="$HOME/other dir" claude --model opus --add-dir '/a "b"' -n 'it'"'"'s \\ é'`,
  );
  await waitForBox(server, pane);
  const [start] = await server.scratch.claudeStarts();
  assert.deepEqual(start.argv, ["--model", "opus", "--add-dir", '/a "b"', "-n", "it's \\ é"]);
  assert.equal(start.cwd, server.scratch.home);
  assert.equal(start.config_dir, `${server.scratch.home}/other dir`);
  assert.ok(await exists(`${server.scratch.home}/other dir/sessions/${start.pid}.json`));
});

Deno.test("in a folder that is gone it says so and stops", async () => {
  await using server = await startServer();
  const folder = await server.scratch.folder("gone");
  const pane = await server.newSession({ folder });
  await Deno.remove(folder);
  await server.sendLine(pane, "claude; echo rc=$?");
  await untilText(
    "the message",
    () => server.capture(pane),
    /The current directory no longer exists.*\nrc=1/,
  );
});

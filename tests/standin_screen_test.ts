// The stand-in for Claude looks like Claude in every state that a program may type at.
import assert from "node:assert/strict";
import { startServer } from "./helpers/tmux_server.ts";
import {
  claudePid,
  exitClaude,
  hasEmptyBox,
  prompt,
  registryOf,
  startClaude,
  waitForBox,
} from "./helpers/panes.ts";
import { exists, readTranscript, recordHooks } from "./helpers/standin.ts";
import { readProcess } from "./helpers/processes.ts";
import { until, untilText } from "./helpers/poll.ts";

Deno.test("Ctrl-Z suspends it and fg brings the box back", async () => {
  await using server = await startServer();
  const pane = await server.newSession();
  await startClaude(server, pane);
  const pid = await claudePid(server, pane);
  await server.press(pane, "C-z");
  await until("a stopped process", () => readProcess(pid)?.state === "T");
  assert.equal(await server.paneFormat(pane, "#{pane_title}"), "✳ Claude Code");
  await server.sendLine(pane, "fg");
  await waitForBox(server, pane);
  await prompt(server, pane, "still here");
});

Deno.test("a permission dialog takes what is typed at it for its answer", async () => {
  await using server = await startServer();
  const pane = await server.newSession();
  await startClaude(server, pane);
  await server.sendLine(pane, "MOCK_DIALOG");
  await until("status waiting", async () => (await registryOf(server, pane)).status === "waiting");
  await untilText("the dialog", () => server.capture(pane), /^ ❯ 1\. Yes$/m);
  assert.equal(await server.paneFormat(pane, "#{cursor_x}"), "1");
  assert.ok(!await hasEmptyBox(server, pane));
  await server.sendLine(pane, "/rename careless");
  await waitForBox(server, pane);
  assert.deepEqual(await server.scratch.dialogAnswers(), ["approved: /rename careless"]);
  const entry = await registryOf(server, pane);
  assert.equal(entry.status, "idle");
  assert.equal(entry.nameSource, "derived");
});

Deno.test("while it is busy the box is there, and /rename works at once", async () => {
  await using server = await startServer();
  const pane = await server.newSession();
  await startClaude(server, pane);
  await server.sendLine(pane, "MOCK_SLOW 60");
  await until("status busy", async () => (await registryOf(server, pane)).status === "busy");
  await waitForBox(server, pane);
  await server.sendLine(pane, "/rename busy one");
  await untilText("the title", () => server.paneFormat(pane, "#{pane_title}"), /^✳ busy one$/);
  assert.equal((await registryOf(server, pane)).status, "busy");
  await waitForBox(server, pane);
  await exitClaude(server, pane);
});

Deno.test("a slow turn ends by itself, and what was sent meanwhile is answered afterwards", async () => {
  await using server = await startServer();
  const pane = await server.newSession();
  await startClaude(server, pane);
  await server.sendLine(pane, "MOCK_SLOW 1");
  await waitForBox(server, pane);
  await server.sendLine(pane, "queued");
  const text = await untilText("both replies", () => server.capture(pane), /MOCK-REPLY: queued/);
  assert.match(text, /MOCK-REPLY: MOCK_SLOW 1\n⏺ MOCK-REPLY: queued/);
});

Deno.test("ghost text stands dim behind the cursor and gives way to a draft", async () => {
  await using server = await startServer();
  const pane = await server.newSession();
  await server.sendLine(pane, `STANDIN_GHOST='Try "fix it"' claude`);
  await untilText("the ghost", () => server.capture(pane), /^❯\u00a0Try "fix it"$/m);
  const attributes = await server.run("capture-pane", "-p", "-e", "-t", pane);
  assert.match(attributes, /\[7mT.*\[0;2m.*ry "fix it"/);
  assert.equal(await server.paneFormat(pane, "#{cursor_x}"), "2");
  await server.type(pane, "ab");
  await untilText("the draft", () => server.capture(pane), /^❯\u00a0ab$/m);
  await server.sendLine(pane, "c");
  await untilText("the reply", () => server.capture(pane), "MOCK-REPLY: abc");
});

Deno.test("2.0.76 has its own prompt character, no registry and leaves the title alone", async () => {
  await using server = await startServer({ conf: "set-environment -g STANDIN_VERSION 2.0.76\n" });
  const calls = await recordHooks(server);
  const pane = await server.newSession();
  const title = await server.paneFormat(pane, "#{pane_title}");
  await startClaude(server, pane);
  await prompt(server, pane, "hello");
  await server.sendLine(pane, "/rename old one");
  await untilText("the answer", () => server.capture(pane), "Session renamed to: old one");
  await waitForBox(server, pane);
  assert.match(await server.capture(pane), /^>\u00a0$/m);
  assert.equal(await server.paneFormat(pane, "#{pane_title}"), title);
  assert.ok(!await exists(`${server.scratch.config}/sessions`));
  const [start] = await calls();
  assert.match(await readTranscript(server, start.input.session_id), /"customTitle":"old one"/);
  assert.deepEqual([start.env.CLAUDE_PID, start.env.CLAUDE_CODE_SESSION_ID], [undefined, undefined]);
});

// The stand-in for Claude runs hooks as Claude does.
import assert from "node:assert/strict";
import { startServer } from "./helpers/tmux_server.ts";
import {
  claudePid,
  exitClaude,
  prompt,
  registryOf,
  sessionOf,
  startClaude,
  waitForBox,
} from "./helpers/panes.ts";
import { until } from "./helpers/poll.ts";
import { readTranscript, recordHooks } from "./helpers/standin.ts";

Deno.test("hooks get JSON and environment, run without a terminal and are children of Claude itself", async () => {
  await using server = await startServer();
  const calls = await recordHooks(server);
  const pane = await server.newSession();
  await startClaude(server, pane);
  await prompt(server, pane, 'a "quoted" prompt');
  const id = await sessionOf(server, pane);
  const pid = await claudePid(server, pane);
  const [start, submit] = await calls();
  assert.equal(start.input.session_id, id);
  assert.equal(start.input.source, "startup");
  assert.equal(start.input.cwd, server.scratch.home);
  assert.ok(start.input.transcript_path.endsWith(`/${id}.jsonl`));
  assert.equal(submit.input.prompt, 'a "quoted" prompt');
  assert.deepEqual(
    [
      "CLAUDECODE",
      "CLAUDE_CODE_ENTRYPOINT",
      "CLAUDE_CODE_SESSION_ID",
      "CLAUDE_PID",
      "TMUX_PANE",
      "TTY",
      "PARENT",
    ].map(
      (name) => start.env[name],
    ),
    ["1", "cli", id, String(pid), pane, "0", String(pid)],
  );
  assert.equal(start.env.CLAUDE_CODE_SESSION_ATTENDED, "1");
});

Deno.test("hook commands are found in any formatting of settings.json, once each, by matcher", async () => {
  await using server = await startServer();
  const log = `${server.scratch.root}/ran`;
  const say = (word: string) => ({
    type: "command",
    command: `printf '%s\\n' "${word} \\\\ é\t$0" >> '${log}'`,
  });
  const settings = JSON.stringify({
    "hooks\\": { SessionStart: [{ hooks: [say("wrong key")] }] },
    nested: { hooks: { SessionStart: [{ hooks: [say("wrong depth")] }] } },
    hooks: {
      SessionEnd: [{ hooks: [say("wrong event")] }],
      SessionStart: [
        { matcher: "resume|clear", hooks: [say("wrong matcher")] },
        { matcher: "startup|resume", hooks: [say("one"), say("one")] },
        { matcher: "*", hooks: [say("two 🎉"), { ...say("not a command"), type: "prompt" }] },
        { matcher: "", hooks: [say("one")] },
      ],
    },
    text: '"hooks": {"SessionStart": [',
  });
  const escaped = settings.replaceAll(/[^ -~]|\//g, (c) => {
    return [...Array(c.length).keys()].map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, "0")}`).join(
      "",
    );
  });
  const pane = await server.newSession();
  for (const text of [settings, escaped, escaped.replaceAll(/([[{,])"/g, '$1 \r\n\t "')]) {
    await Deno.writeTextFile(`${server.scratch.config}/settings.json`, text);
    await startClaude(server, pane);
    const ran = (await Deno.readTextFile(log)).trim().split("\n").sort();
    assert.deepEqual(ran, ["one \\ é\t/bin/sh", "two 🎉 \\ é\t/bin/sh"], text);
    await Deno.remove(log);
    await Deno.remove(`${server.scratch.config}/settings.json`);
    await exitClaude(server, pane);
  }
});

Deno.test("the last hook runs however often the terminal hangs up meanwhile, as for the real one", async () => {
  await using server = await startServer();
  const calls = await recordHooks(server);
  const pane = await server.newSession();
  await startClaude(server, pane);
  const claude = await claudePid(server, pane);
  await until("the last hook", async () => {
    for (let time = 0; time < 10; time++) await hangUp(claude);
    return (await calls()).some(({ input }) => input.hook_event_name === "SessionEnd");
  });
});

/** To all of its process group, as the kernel does; nothing when it is gone. */
async function hangUp(leader: number): Promise<void> {
  try {
    Deno.kill(-leader, "SIGHUP");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  await new Promise((resolve) => setTimeout(resolve, 2));
}

Deno.test("settings that are not strict JSON run no hook at all", async () => {
  await using server = await startServer();
  const calls = await recordHooks(server);
  const path = `${server.scratch.config}/settings.json`;
  await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace(/\}\s*$/, ",}"));
  const pane = await server.newSession();
  await startClaude(server, pane);
  assert.deepEqual(await calls(), []);
});

Deno.test("a hook may name the conversation from SessionStart and from UserPromptSubmit, except in 2.0.76", async () => {
  await using server = await startServer();
  const answer = (event: string, title: string) =>
    JSON.stringify({ hookSpecificOutput: { hookEventName: event, sessionTitle: title } });
  const print = (text: string) => [{ hooks: [{ type: "command", command: `echo '${text}'` }] }];
  const hooks = {
    SessionStart: print(answer("SessionStart", "at start é")),
    UserPromptSubmit: print(answer("UserPromptSubmit", "at prompt")),
  };
  await Deno.writeTextFile(`${server.scratch.config}/settings.json`, JSON.stringify({ hooks }));
  const pane = await server.newSession();
  await startClaude(server, pane);
  assert.equal(await server.paneFormat(pane, "#{pane_title}"), "✳ at start é");
  assert.equal((await registryOf(server, pane)).nameSource, "derived");
  await prompt(server, pane, "hello");
  assert.equal(await server.paneFormat(pane, "#{pane_title}"), "✳ at prompt");
  const entry = await registryOf(server, pane);
  assert.deepEqual([entry.name, entry.nameSource], ["at prompt", "hook"]);
  assert.match(await readTranscript(server, entry.sessionId), /"customTitle":"at prompt"/);
  assert.deepEqual((await server.scratch.hookOutputs()).map((output) => output.event), [
    "SessionStart",
    "UserPromptSubmit",
  ]);
  const old = await server.split(pane);
  const before = await server.paneFormat(old, "#{pane_title}");
  await server.sendLine(old, "STANDIN_VERSION=2.0.76 claude");
  await waitForBox(server, old);
  assert.equal(await server.paneFormat(old, "#{pane_title}"), before);
});

Deno.test("a failing hook is shown to the user", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks("echo broken >&2; exit 2");
  const pane = await server.newSession();
  await startClaude(server, pane);
  assert.match(await server.capture(pane), /SessionStart:startup hook failed: broken/);
});

Deno.test("a nested claude -p is headless, has no terminal and sees the pane of the outer one", async () => {
  await using server = await startServer();
  const calls = await recordHooks(server);
  const pane = await server.newSession();
  await startClaude(server, pane);
  await prompt(server, pane, "MOCK_NESTED claude -p inner");
  const [outer, , inner] = await calls();
  assert.equal(inner.input.hook_event_name, "SessionStart");
  assert.notEqual(inner.input.session_id, outer.input.session_id);
  assert.equal(inner.env.CLAUDE_CODE_ENTRYPOINT, "sdk-cli");
  assert.equal(inner.env.CLAUDE_CODE_SESSION_ATTENDED, "0");
  assert.equal(inner.env.TMUX_PANE, pane);
  assert.equal(await server.paneFormat(pane, "#{pane_title}"), "✳ Claude Code");
  assert.equal(await sessionOf(server, pane), outer.input.session_id);
});

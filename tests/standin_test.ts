// The stand-in for Claude behaves as the other tests and the demo take for granted.
import assert from "node:assert/strict";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";
import {
  claudePid,
  exitClaude,
  hasEmptyBox,
  prompt,
  registryOf,
  sessionOf,
  startClaude,
  waitForBox,
} from "./helpers/panes.ts";
import { isAlive, readProcess } from "./helpers/processes.ts";
import { until, untilText } from "./helpers/poll.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

interface HookCall {
  input: Record<string, string>;
  env: Record<string, string>;
}

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
  assert.equal(await transcript(server, entry.sessionId), "");
});

Deno.test("a prompt is answered and written to the transcript of the folder it ran in", async () => {
  await using server = await startServer();
  const folder = await server.scratch.folder('日本 "v1.2" it\'s \\ 🎉');
  const pane = await server.newSession({ folder });
  await startClaude(server, pane);
  await prompt(server, pane, 'say "hi" \\ it\'s');
  const id = await sessionOf(server, pane);
  const lines = (await transcript(server, id)).trim().split("\n").map((line) => JSON.parse(line));
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
  const text = await transcript(server, entry.sessionId);
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
  assert.match(await transcript(server, next), /<command-name>\/clear</);
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
  assert.equal((await transcript(server, id)).match(/"type":"user"/g)?.length, 2);
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
  assert.equal((await transcript(server, id)).match(/"type":"user"/g)?.length, 2);
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
  assert.match(await transcript(server, entry.sessionId), /"customTitle":"at prompt"/);
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
  assert.match(await transcript(server, start.input.session_id), /"customTitle":"old one"/);
  assert.deepEqual([start.env.CLAUDE_PID, start.env.CLAUDE_CODE_SESSION_ID], [undefined, undefined]);
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

/** Registers a hook that writes down its input and environment; gives a reader of the calls so far. */
async function recordHooks(server: TmuxServer): Promise<() => Promise<HookCall[]>> {
  const log = `${server.scratch.root}/hooks`;
  const script = `${server.scratch.root}/record.sh`;
  await Deno.writeTextFile(
    script,
    `IFS= read -r input
read -r stat </proc/$$/stat
set -- \${stat##*) }
variables=$(env | grep -E '^(CLAUDE|TMUX_PANE)' | sed 's/.*/"&"/; s/=/":"/' | tr '\\n' ,)
printf '{"input":%s,"env":{%s"TTY":"%s","PARENT":"%s"}}\\n' "$input" "$variables" "$5" "$2" >>'${log}'
`,
  );
  await server.scratch.registerHooks(`. '${script}'`);
  return async () => {
    const text = await Deno.readTextFile(log).catch(() => "");
    return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  };
}

async function pressCtrlD(server: TmuxServer, pane: string): Promise<void> {
  await server.press(pane, "C-d");
}

/** The transcript's text, "" when there is none. */
async function transcript(server: TmuxServer, id: string): Promise<string> {
  const projects = `${server.scratch.config}/projects`;
  if (!await exists(projects)) return "";
  for await (const { name } of Deno.readDir(projects)) {
    const path = `${projects}/${name}/${id}.jsonl`;
    if (await exists(path)) return await Deno.readTextFile(path);
  }
  return "";
}

function exists(path: string): Promise<boolean> {
  return Deno.stat(path).then(() => true, () => false);
}

function procStart(pid: number): string {
  return Deno.readTextFileSync(`/proc/${pid}/stat`).replace(/.*\) /s, "").split(" ")[19];
}

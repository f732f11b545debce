// Which conversation a pane holds, where tools of the same kind were seen to be wrong (public reports): events in any
// order, throw-away ids, launchers, moved panes, several servers, strange locales.
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { hookCommand } from "../src/install/hook_command.ts";
import { runHook } from "./helpers/in_process.ts";
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
import { hooked, ours, revive } from "./helpers/revive.ts";
import { runBin } from "./helpers/run_bin.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

const [REAL, FRESH, OTHER] = ["1", "2", "3"].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`);

interface Row {
  tmux_session: string;
  window_index: number;
  pane_index: number;
  pane_id: string;
  addresses: unknown[];
  evidence: string[];
  binding: { session_id: string; chain: string[] } | null;
}

/** The rows a save would write, without writing it. */
async function rows(server: TmuxServer, env: Record<string, string> = {}): Promise<Row[]> {
  const [first] = await server.panes();
  const { stdout, stderr } = await runBin(["manifest", "--json"], {
    env: { ...await server.paneEnv(first.id), ...env },
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout).panes;
}

async function heldIn(server: TmuxServer, pane: string): Promise<string | null> {
  return (await rows(server)).find((row) => row.pane_id === pane)?.binding?.session_id ?? null;
}

async function writeTranscript({ scratch }: TmuxServer, ...ids: string[]): Promise<void> {
  const folder = `${scratch.config}/projects/-any`;
  await Deno.mkdir(folder, { recursive: true });
  for (const id of ids) await Deno.writeTextFile(`${folder}/${id}.jsonl`, '{"type":"user"}\n');
}

async function removeTranscript({ scratch }: TmuxServer, id: string): Promise<void> {
  for await (const { name } of Deno.readDir(`${scratch.config}/projects`)) {
    await Deno.remove(`${scratch.config}/projects/${name}/${id}.jsonl`).catch(() => {});
  }
}

/** A Claude whose own events do not reach us: the test tells them. */
async function silentClaude(): Promise<{ server: TmuxServer; pane: string; fire: Fire }> {
  const server = await startServer();
  const pane = await server.newSession();
  await startClaude(server, pane);
  const env = { ...await server.paneEnv(pane), CLAUDE_CODE_ENTRYPOINT: "cli" };
  return { server, pane, fire: firing(env, await claudePid(server, pane)) };
}

type Fire = (event: string, id: string, word: string) => Promise<void>;

function firing(env: Record<string, string>, pid: number): Fire {
  return async (hook_event_name, session_id, word) => {
    const said = hook_event_name === "SessionEnd" ? { reason: word } : { source: word };
    const event = { hook_event_name, session_id, cwd: env.HOME, ...said };
    const { code, stdout, stderr } = await runHook(env, pid, JSON.stringify(event));
    deepStrictEqual([code, stdout, stderr], [0, "", ""]);
  };
}

async function journal({ scratch }: TmuxServer) {
  const text = await Deno.readTextFile(`${scratch.state}/journal.jsonl`);
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

const TWICE: [string, [string, string][]][] = [
  ["first", [[FRESH, "startup"], [REAL, "resume"]]],
  ["last", [[REAL, "resume"], [FRESH, "startup"]]],
];

for (const [when, events] of TWICE) {
  Deno.test(`one resume that announces a throw-away id ${when} ends on the real one, on the pane and in the save`, async () => {
    const { server, pane, fire } = await silentClaude();
    await using _server = server;
    await Deno.remove(`${server.scratch.config}/sessions`, { recursive: true });
    await writeTranscript(server, REAL);
    for (const [id, source] of events) await fire("SessionStart", id, source);
    strictEqual(await server.paneFormat(pane, "#{@tmuxclaude_session}"), REAL);
    strictEqual(await heldIn(server, pane), REAL);
  });
}

Deno.test("the picker announces a fresh id and is killed: the earlier conversation is offered, the fresh one only kept", async () => {
  const { server, pane, fire } = await silentClaude();
  await using _server = server;
  await writeTranscript(server, REAL);
  await fire("SessionStart", REAL, "resume");
  await fire("SessionEnd", REAL, "prompt_input_exit");
  await exitClaude(server, pane);
  await startClaude(server, pane);
  await firing(
    { ...await server.paneEnv(pane), CLAUDE_CODE_ENTRYPOINT: "cli" },
    await claudePid(server, pane),
  )("SessionStart", FRESH, "startup");
  Deno.kill(await claudePid(server, pane), "SIGKILL");
  await until("the shell", async () => (await revive(server, pane, "--dry-run")).outcome === "would_type");
  strictEqual(await heldIn(server, pane), REAL);
  match((await revive(server, pane, "--dry-run")).line ?? "", new RegExp(`--resume ${REAL}$`));
});

Deno.test("a resume reported under a wrong id: the one with a transcript is offered", async () => {
  const { server, pane, fire } = await silentClaude();
  await using _server = server;
  await writeTranscript(server, REAL);
  await fire("SessionStart", REAL, "startup");
  await fire("SessionStart", FRESH, "resume");
  await fire("SessionEnd", FRESH, "other");
  await exitClaude(server, pane);
  match((await revive(server, pane, "--dry-run")).line ?? "", new RegExp(`--resume ${REAL}$`));
});

Deno.test("every source refreshes the stamp, also one that nobody knows yet; a later id with a transcript takes over", async () => {
  const { server, pane, fire } = await silentClaude();
  await using _server = server;
  await writeTranscript(server, REAL, FRESH, OTHER);
  for (const source of ["startup", "resume", "clear", "compact", "fork", "tomorrow"]) {
    await server.run("set-option", "-p", "-t", pane, "@tmuxclaude_cwd", "/old");
    await fire("SessionStart", REAL, source);
    strictEqual(await server.paneFormat(pane, "#{@tmuxclaude_cwd}"), server.scratch.home, source);
  }
  // An editor's integration says "startup" after /clear: the process has moved on all the same.
  await fire("SessionStart", FRESH, "startup");
  await fire("SessionStart", OTHER, "tomorrow");
  const [row] = await rows(server);
  deepStrictEqual([row.binding?.session_id, row.binding?.chain], [OTHER, [FRESH, REAL]]);
});

Deno.test("a /clear that fired no event is followed by the next save, which says so", async () => {
  await using server = await hooked();
  const pane = await server.newSession();
  await startClaude(server, pane);
  await prompt(server, pane, "hello");
  const before = await sessionOf(server, pane);
  const entry = await registryOf(server, pane);
  await writeTranscript(server, REAL);
  const moved = { ...entry, sessionId: REAL, updatedAt: Date.now() + 1_000 };
  await Deno.writeTextFile(`${server.scratch.config}/sessions/${entry.pid}.json`, JSON.stringify(moved));
  strictEqual((await ours(server, "manifest")).code, 0);
  const [row] = await rows(server);
  deepStrictEqual([row.binding?.session_id, row.binding?.chain], [REAL, [before]]);
  const { event, source, previous_id } = (await journal(server)).at(-1);
  deepStrictEqual([event, source, previous_id], ["start", "registry", before]);
});

/** As install registers it: a prompt calls nothing unless a name waits. */
async function installed(): Promise<TmuxServer> {
  const server = await startServer();
  const { config, program } = server.scratch;
  const entry = (event: "SessionStart" | "SessionEnd") => [{
    hooks: [{ type: "command", command: hookCommand(event, program) }],
  }];
  const hooks = { SessionStart: entry("SessionStart"), SessionEnd: entry("SessionEnd") };
  await Deno.writeTextFile(`${config}/settings.json`, JSON.stringify({ hooks }));
  return server;
}

/** Two conversations one after the other in the pane, both prompted, no event for the prompts. */
async function oneAfterTheOther(server: TmuxServer, pane: string): Promise<[string, string]> {
  await startClaude(server, pane);
  await prompt(server, pane, "one");
  const first = await sessionOf(server, pane);
  strictEqual((await ours(server, "manifest")).code, 0);
  await exitClaude(server, pane);
  await startClaude(server, pane);
  await prompt(server, pane, "two");
  return [first, await sessionOf(server, pane)];
}

Deno.test("a conversation after an ended one has its own lines, and is the one that comes back after a crash before the next save", async () => {
  await using server = await installed();
  const pane = await server.newSession({ session: "work" });
  const [first, second] = await oneAfterTheOther(server, pane);
  const told = (await journal(server)).map((
    { event, session_id, previous_id },
  ) => [event, session_id, previous_id]);
  deepStrictEqual(told, [["start", first, null], ["end", first, null], ["start", second, first]]);
  await server.kill9();
  await server.restart();
  const again = await server.newSession({ session: "work" });
  for (const step of ["by its place", "by its stamp"]) {
    const { rung, session_id, line } = await revive(server, again, "--dry-run");
    deepStrictEqual([step, rung, session_id], [step, "journal", second]);
    match(line ?? "", new RegExp(`--resume ${second}$`));
    strictEqual((await ours(server, "restore")).code, 0);
  }
});

Deno.test("/clear leaves a conversation whose prompt no event told: it is still the one before the new one", async () => {
  await using server = await installed();
  const pane = await server.newSession({ session: "work" });
  const [, second] = await oneAfterTheOther(server, pane);
  await server.sendLine(pane, "/clear");
  await until("the new id", async () => await sessionOf(server, pane) !== second);
  await waitForBox(server, pane);
  await removeTranscript(server, await sessionOf(server, pane));
  Deno.kill(await claudePid(server, pane), "SIGKILL");
  await until("the shell", async () => (await revive(server, pane, "--dry-run")).outcome === "would_type");
  match((await revive(server, pane, "--dry-run")).line ?? "", new RegExp(`--resume ${second}$`));
});

const LAUNCHERS: Record<string, (bin: string) => Promise<string>> = {
  "a wrapper script that waits": async (bin) => {
    await script(`${bin}/mine`, `claude "$@"\necho "it took $SECONDS"`);
    return "mine";
  },
  "a wrapper that is itself called claude": async (bin) => {
    await Deno.mkdir(`${bin}/wrapped`);
    await script(`${bin}/wrapped/claude`, `"${bin}/claude" "$@"\ntrue`);
    return `"${bin}/wrapped/claude"`;
  },
  "a launcher like npx": async (bin) => {
    await script(`${bin}/npx`, `sh -c 'shift; "$@"; exit $?' x "$@"`);
    return "npx --yes claude";
  },
  "an alias": () => Promise.resolve("alias c=claude\nc"),
  "env": () => Promise.resolve("env FOO=1 claude"),
  "time": () => Promise.resolve("time claude"),
  "nice": () => Promise.resolve("nice -n 1 claude"),
  "a subshell": () => Promise.resolve("(cd /; claude)"),
  "exec, in place of the pane's shell": () => Promise.resolve("exec claude"),
};

/** Ids in Claude's own list of what runs. */
async function running({ scratch }: TmuxServer): Promise<string[]> {
  const files = await Array.fromAsync(Deno.readDir(`${scratch.config}/sessions`));
  const texts = files.map(({ name }) => Deno.readTextFile(`${scratch.config}/sessions/${name}`));
  return (await Promise.all(texts)).map((text) => JSON.parse(text).sessionId);
}

function script(path: string, text: string): Promise<void> {
  return Deno.writeTextFile(path, `#!/bin/bash\n${text}\n`, { mode: 0o755 });
}

Deno.test(`a Claude started by ${Object.keys(LAUNCHERS).length} kinds of launcher is the pane's own, stamped and running`, async () => {
  await using server = await hooked("set -g remain-on-exit on\n");
  const first = await server.newSession({ session: "work" });
  for (const [kind, make] of Object.entries(LAUNCHERS)) {
    const pane = await server.newWindow(first);
    for (const line of (await make(server.scratch.bin)).split("\n")) await server.sendLine(pane, line);
    await waitForBox(server, pane);
    const id = await server.paneFormat(pane, "#{@tmuxclaude_session}");
    ok((await running(server)).includes(id), `${kind}: ${id}`);
    const { outcome } = await revive(server, pane, "--dry-run");
    strictEqual(outcome, "running", kind);
  }
});

Deno.test("C-z and a second Claude: both are alive, so neither is started again in another pane", async () => {
  await using server = await hooked();
  server.scratch.env.STANDIN_VERSION = "2.0.76"; // no registry: only the pane tells who lives
  const pane = await server.newSession();
  const other = await server.newWindow(pane);
  await startClaude(server, other);
  await prompt(server, other, "hello");
  const id = (await journal(server))[0].session_id;
  await exitClaude(server, other);
  await startClaude(server, pane, `--resume ${id}`);
  await server.press(pane, "C-z");
  await until("the shell", async () => /Stopped/.test(await server.capture(pane)));
  await startClaude(server, pane);
  const refused = await revive(server, other, "--force", "--dry-run");
  strictEqual((await revive(server, other, "--dry-run")).outcome, "refused");
  strictEqual(refused.outcome, "would_type", "only --force");
  await server.scratch.registerHooks("true");
  await server.run("set-option", "-p", "-t", other, "@tmuxclaude_binding", "");
  await server.run("set-option", "-p", "-t", other, "@tmuxclaude_cwd", server.scratch.home);
  const { reason, message } = await revive(server, other, "--dry-run");
  ok(reason === "alive-in-pane" || reason === "moved", message);
});

Deno.test("a live Claude keeps its conversation through break, join, swap, move and renames", async () => {
  await using server = await hooked();
  const pane = await server.newSession({ session: "work" });
  const other = await server.split(pane);
  const third = await server.newSession({ session: "play" });
  await startClaude(server, pane);
  const id = await sessionOf(server, pane);
  const moves = [
    ["swap-pane", "-d", "-s", pane, "-t", other],
    ["break-pane", "-d", "-s", pane],
    ["join-pane", "-d", "-s", pane, "-t", third],
    ["rename-session", "-t", "=play:", "games"],
    ["move-window", "-d", "-s", "=games:0", "-t", "=games:7"],
  ];
  for (const move of moves) {
    await server.run(...move);
    const [row] = (await rows(server)).filter(({ binding }) => binding !== null);
    const { session, window, pane: index } = (await server.panes()).find((one) => one.id === pane)!;
    deepStrictEqual([move[0], row.tmux_session, row.window_index, row.pane_index], [
      move[0],
      session,
      window,
      index,
    ]);
    deepStrictEqual([row.pane_id, row.binding?.session_id], [pane, id]);
    strictEqual((await revive(server, pane, "--dry-run")).outcome, "running");
  }
});

Deno.test("respawn-pane ends the Claude and not the binding", async () => {
  await using server = await hooked();
  const pane = await server.newSession();
  await startClaude(server, pane);
  await prompt(server, pane, "hello");
  const id = await sessionOf(server, pane);
  await server.run("respawn-pane", "-k", "-t", pane, "bash --norc --noprofile");
  await until("a shell", async () => (await revive(server, pane, "--dry-run")).outcome === "would_type");
  const { rung, session_id } = await revive(server, pane, "--dry-run");
  deepStrictEqual([rung, session_id], ["stamp", id]);
});

Deno.test("a pane of a group and of a linked window is one record with all its addresses, revived from any", async () => {
  await using server = await hooked();
  const pane = await server.newSession({ session: "work" });
  const far = await server.newSession({ session: "far" });
  await startClaude(server, pane);
  await prompt(server, pane, "hello");
  const id = await sessionOf(server, pane);
  await exitClaude(server, pane);
  await server.run("new-session", "-d", "-t", "=work:", "-s", "again");
  await server.run("link-window", "-d", "-s", "=work:0", "-t", "=far:5");
  const found = (await rows(server)).filter(({ pane_id }) => pane_id === pane);
  strictEqual(found.length, 1);
  deepStrictEqual(
    found[0].addresses,
    ["work", "far", "again"].map((tmux_session) => ({
      tmux_session,
      window_index: tmux_session === "far" ? 5 : 0,
      pane_index: 0,
    })),
  );
  const listed = JSON.parse((await ours(server, "list", "--json")).stdout).panes;
  deepStrictEqual(listed.map((one: Row) => one.pane_id), [pane]);
  strictEqual((await revive(server, pane)).session_id, id);
  strictEqual((await revive(server, far, "--dry-run")).session_id, null);
});

Deno.test("outside tmux, with LC_ALL=C, and with no environment at all, the save is the same to the byte", async () => {
  await using server = await hooked();
  const folder = await server.scratch.folder("プロジェクト é\ttab");
  const pane = await server.newSession({ session: "日本 語", name: "ünïcode", folder });
  await startClaude(server, pane, "-n 'näme 🎉'");
  await server.run("select-pane", "-t", pane, "-T", "✳ タイトル");
  const { HOME, PATH, TMUX_TMPDIR, TMUXCLAUDE_DENO } = server.scratch.env;
  const bare = { HOME, PATH, TMUXCLAUDE_DENO };
  const look = async (env: Record<string, string>) => {
    const args = ["manifest", "--json", "--socket", server.socketPath];
    const { stdout, stderr } = await runBin(args, { env });
    ok(stdout !== "", stderr);
    return JSON.stringify(JSON.parse(stdout).panes, (key, value) => key === "at" ? "" : value);
  };
  const usual = await look({ ...server.scratch.env, LANG: "en_US.UTF-8" });
  match(usual, /プロジェクト é\\ttab/);
  match(usual, /✳ タイトル/);
  for (
    const env of [{ ...bare, LC_ALL: "C" }, bare, { ...bare, TMUX_TMPDIR, LC_ALL: "POSIX", TERM: "dumb" }]
  ) {
    strictEqual(await look(env), usual, JSON.stringify(env));
  }
});

Deno.test("two servers with the same tmux sessions have a record each, and revive never crosses", async () => {
  await using server = await hooked();
  const pane = await server.newSession({ session: "work" });
  await using other = await startServer({
    scratch: { ...server.scratch, [Symbol.asyncDispose]: () => Promise.resolve() },
  });
  const twin = await other.newSession({ session: "work" });
  const ids: string[] = [];
  for (const [where, at] of [[server, pane], [other, twin]] as const) {
    await startClaude(where, at);
    await prompt(where, at, "hello");
    ids.push(await sessionOf(where, at));
    strictEqual((await ours(where, "manifest")).code, 0);
    await exitClaude(where, at);
  }
  ok(ids[0] !== ids[1]);
  for (const [index, where] of [server, other].entries()) {
    await where.kill9();
    await where.restart();
    const again = await where.newSession({ session: "work" });
    const { rung, session_id } = await revive(where, again, "--dry-run");
    deepStrictEqual([rung, session_id], ["manifest", ids[index]]);
  }
});

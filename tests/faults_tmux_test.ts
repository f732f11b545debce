// tmux that is gone, forbidden, hung or out of its mind: every command ends in time with the right exit code and says
// what is wrong, the hook says nothing, and when tmux is back nothing has been done twice (T7).
import assert from "node:assert/strict";
import { run as list } from "../src/commands/list.ts";
import { run as manifest } from "../src/commands/manifest.ts";
import { run as restore } from "../src/commands/restore.ts";
import { run as revive } from "../src/commands/revive.ts";
import { readFailures } from "../src/state/failures.ts";
import { readJournal } from "../src/state/journal.ts";
import type { System } from "../src/system/system.ts";
import { filesBelow, systemFor } from "./fixtures/state_world.ts";
import { runHook, runIn } from "./helpers/in_process.ts";
import { exitClaude, prompt, startClaude } from "./helpers/panes.ts";
import { isAlive } from "./helpers/processes.ts";
import { runBin, type RunResult } from "./helpers/run_bin.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

/** Two calls that time out, and the start of the program on a busy machine. */
const BOUND_MS = 30_000;

const COMMANDS = ["manifest", "restore", "revive", "list", "name", "recover", "doctor", "hook"] as const;
type Command = (typeof COMMANDS)[number];

interface Told extends RunResult {
  ms: number;
}

interface Situation {
  says: string;
  /** Exit code of manifest, restore, revive, list and name. */
  code: number;
  /** What they say. */
  why: RegExp;
}

const NONE = { code: 4, why: /no tmux server/ };
const SILENT = { code: 1, why: /no answer within/ };
const GARBLED = { code: 1, why: /nothing that can be read/ };

type State = Situation & { bring: (server: TmuxServer) => Promise<unknown> };

const STATES: State[] = [
  {
    says: "no socket",
    ...NONE,
    bring: async (server) => {
      await server.run("kill-server");
      await Deno.remove(server.socketPath).catch(() => {});
    },
  },
  { says: "the stale socket of a server that was killed", ...NONE, bring: (server) => server.kill9() },
  {
    says: "a plain file in the place of the socket",
    ...NONE,
    bring: async (server) => {
      await server.run("kill-server");
      await Deno.remove(server.socketPath).catch(() => {});
      await Deno.writeTextFile(server.socketPath, "");
    },
  },
  {
    says: "a stopped server",
    ...SILENT,
    bring: async (server) => Deno.kill(await server.pid(), "SIGSTOP"),
  },
];

type Fake = Situation & { script: string };

const FAKES: Fake[] = [
  { says: "a tmux that sleeps", ...SILENT, script: "exec sleep 20" },
  {
    says: "a tmux that ignores SIGTERM and leaves children",
    ...SILENT,
    script: "trap '' TERM\nsleep 20 &\nwhile :; do wait; done",
  },
  { says: "a tmux that says nothing", ...GARBLED, script: "exit 0" },
  { says: "a tmux that says anything", ...GARBLED, script: "head -c 300000 /dev/urandom" },
  {
    says: "a tmux that fails",
    code: 1,
    why: /unknown command/,
    script: "echo 'unknown command: %%%' >&2; exit 1",
  },
  { says: "a tmux that crashes", code: 1, why: /exit code/, script: "kill -SEGV $$" },
];

function argumentsOf(command: Command, pane: string): string[] {
  if (command === "revive" || command === "name") return [command, "--pane", pane];
  return [command];
}

async function timed(env: Record<string, string>, args: string[], stdin?: string): Promise<Told> {
  const began = performance.now();
  const ran = await runBin(args, { env, stdin });
  return { ...ran, ms: performance.now() - began };
}

/** A server with a conversation that was ended, a manifest, and its journal. */
async function makeWorld(): Promise<{ server: TmuxServer; pane: string; env: Record<string, string> }> {
  const server = await startServer();
  await server.scratch.registerHooks();
  const pane = await server.newSession({ name: "mine" });
  await startClaude(server, pane);
  await prompt(server, pane, "hello");
  await exitClaude(server, pane);
  const env = await server.paneEnv(pane);
  assert.equal((await runBin(["manifest"], { env })).code, 0);
  return { server, pane, env };
}

/** What our files say: the journal's events, the manifests by their text. */
function record(server: TmuxServer): unknown {
  const { scratch } = server;
  const names = filesBelow(scratch.state).filter((name) => name.endsWith(".json"));
  const texts = names.map((name) => [name, Deno.readTextFileSync(`${scratch.state}/${name}`)]);
  const { lines } = readJournal(stateOf(server));
  return [texts, lines];
}

function stateOf({ scratch }: TmuxServer): System {
  return systemFor({ TMUXCLAUDE_STATE_DIR: scratch.state });
}

const EVENT = JSON.stringify({
  hook_event_name: "SessionStart",
  session_id: "aaaaaaaa-0000-4000-8000-000000000000",
  cwd: "/",
  source: "startup",
});

function assertTold(command: Command, told: Told, { code, why }: Situation, says: string): void {
  assert.ok(told.ms < BOUND_MS, `${says}: ${told.ms} ms`);
  assert.doesNotMatch(told.stderr, /unexpected error/, says);
  if (command === "hook") return assert.deepEqual([told.code, told.stdout, told.stderr], [0, "", ""], says);
  if (command === "doctor") return assert.ok([0, 1].includes(told.code), `${says}: exit ${told.code}`);
  // Conversations are on disk, so there is something to recover without any tmux.
  if (command === "recover") {
    return assert.ok([0, 3].includes(told.code), `${says}: exit ${told.code} ${told.stderr}`);
  }
  if (command === "name" && told.code === 3) return assert.match(told.stderr, /there is no pane/, says);
  assert.deepEqual([told.code, why.test(told.stderr)], [code, true], `${says}: ${told.stderr}`);
}

/** Every command at once. */
async function callAll(env: Record<string, string>, pane: string, situation: Situation): Promise<void> {
  await Promise.all(COMMANDS.map(async (command) => {
    const told = await timed(env, argumentsOf(command, pane), command === "hook" ? EVENT : undefined);
    assertTold(command, told, situation, `${command} with ${situation.says}`);
  }));
}

for (const state of STATES) {
  Deno.test(`T7: ${state.says}: every command ends in time, says so, and changes nothing`, async () => {
    const { server, pane, env } = await makeWorld();
    await using _server = server;
    const [before, screen, pid] = [record(server), await server.captureAll(pane), await server.pid()];
    await state.bring(server);
    try {
      await callAll(env, pane, state);
    } finally {
      if (isAlive(pid)) Deno.kill(pid, "SIGCONT");
    }
    assert.deepEqual(record(server), before);
    if (!isAlive(pid)) return;
    assert.equal(await server.captureAll(pane), screen);
    assert.equal((await timed(env, ["revive", "--pane", pane])).code, 0);
    const lines = (text: string) => text.split("claude --resume").length;
    assert.equal(lines(await server.captureAll(pane)), lines(screen) + 1);
  });
}

Deno.test(`T7: ${FAKES.length} kinds of tmux that is none: every command ends in time, says so, and changes nothing`, async () => {
  const { server, pane, env } = await makeWorld();
  await using _server = server;
  const [before, screen] = [record(server), await server.captureAll(pane)];
  await Promise.all(FAKES.map(async (fake, index) => {
    const folder = `${server.scratch.root}/fake${index}`;
    await Deno.mkdir(folder);
    await Deno.writeTextFile(`${folder}/tmux`, `#!/bin/sh\n${fake.script}\n`, { mode: 0o755 });
    await callAll({ ...env, PATH: `${folder}:${env.PATH}` }, pane, fake);
  }));
  assert.deepEqual(record(server), before);
  assert.equal(await server.captureAll(pane), screen);
});

Deno.test("T7: without tmux on PATH the commands say so, and the hook notes it", async () => {
  const { server, pane, env } = await makeWorld();
  await using _server = server;
  const before = record(server);
  const without = { ...env, PATH: server.scratch.home };
  for (const command of [manifest, restore, list, (system: System) => revive(system, { pane })]) {
    const { code, stderr } = await runIn(without, {}, (system) => command(system, {}));
    assert.deepEqual([code, /tmux is not on PATH/.test(stderr)], [4, true], stderr);
  }
  const { stdout, stderr } = await runHook(without, Deno.pid, EVENT);
  assert.deepEqual([stdout, stderr], ["", ""]);
  const [last] = readFailures(stateOf(server)).slice(-1);
  assert.match(last.reason, /tmux is not on PATH/);
  assert.deepEqual(record(server), before);
});

Deno.test({
  name: "T7: a socket that is not ours to use: the reason is given, not that there is no server",
  ignore: Deno.uid() !== 0,
  fn: async () => {
    const { server, pane, env } = await makeWorld();
    await using _server = server;
    const root = `${server.scratch.root}/others`;
    await Deno.mkdir(root);
    await new Deno.Command("chmod", { args: ["-R", "a+rX", server.scratch.root] }).output();
    await Deno.chown(root, 65534, 65534);
    await Deno.chmod(server.socketPath, 0o600);
    const deno = `${root}/deno`; // the one that runs this may lie in a home that is closed to others
    await Deno.copyFile(Deno.execPath(), deno);
    await Deno.chmod(deno, 0o755);
    const others = { ...env, HOME: root, TMUXCLAUDE_CACHE_DIR: `${root}/cache`, TMUXCLAUDE_DENO: deno };
    for (const command of COMMANDS) {
      const { code, stdout, stderr } = await new Deno.Command("setpriv", {
        args: [
          "--reuid=65534",
          "--regid=65534",
          "--clear-groups",
          server.scratch.program,
          ...argumentsOf(command, pane),
        ],
        env: others,
        clearEnv: true,
        cwd: "/",
        stdin: "null",
      }).output();
      const [said, printed] = [stderr, stdout].map((bytes) => new TextDecoder().decode(bytes));
      if (command === "hook") assert.deepEqual([code, printed, said], [0, "", ""]);
      else if (command === "recover" || command === "doctor") assert.ok([0, 1, 3].includes(code), said);
      else assert.deepEqual([command, code, /Permission denied/.test(said)], [command, 1, true], said);
    }
  },
});

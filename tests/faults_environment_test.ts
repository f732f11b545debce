// Environments that a program may be started in: strange umasks, no HOME, a HOME or a disk that cannot be written, a
// state folder that is something else. Commands say what to set, the hook stays silent, nothing is left half-done.
import assert from "node:assert/strict";
import { filesBelow, modeOf } from "./fixtures/state_world.ts";
import { claudePid, prompt, sessionOf, startClaude } from "./helpers/panes.ts";
import { until } from "./helpers/poll.ts";
import { runHook } from "./helpers/in_process.ts";
import { runBin, type RunResult } from "./helpers/run_bin.ts";
import type { Scratch } from "./helpers/scratch.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

const isRoot = Deno.uid() === 0;
const event = (id: string) =>
  JSON.stringify({ hook_event_name: "SessionStart", session_id: id, cwd: "/", source: "startup" });

/** Everything of ours below HOME with its mode. */
function modes(scratch: Scratch): [string, string][] {
  const below = (folder: string): string[] =>
    [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
      const path = `${folder}/${name}`;
      return isDirectory ? [path, ...below(path)] : [path];
    });
  const ours = [scratch.state, `${scratch.home}/.local/share/tmuxclaude`];
  return ours.flatMap((folder) => [folder, ...below(folder)]).map((path) => [path, modeOf(path).toString(8)]);
}

for (const umask of ["000", "077"]) {
  Deno.test(`H7: with umask ${umask} folders are 0700 and files 0600, under every command`, async () => {
    await using server = await startServer();
    const { scratch } = server;
    const run = async (env: Record<string, string>, ...args: string[]) => {
      const script = 'umask "$1"; shift; exec "$@"';
      const ran = await new Deno.Command("sh", {
        args: ["-c", script, "sh", umask, scratch.program, ...args],
        env,
        clearEnv: true,
        stdin: "null",
      }).output();
      assert.equal(ran.code, 0, `${args}: ${new TextDecoder().decode(ran.stderr)}`);
    };
    await scratch.registerHooks(`umask ${umask}; "${scratch.program}" hook`);
    const pane = await server.newSession({ name: "named" });
    await startClaude(server, pane);
    await prompt(server, pane, "hello");
    const env = await server.paneEnv(pane);
    await server.type(pane, "a draft");
    await until("the draft", async () => (await server.capture(pane)).includes("a draft"));
    await server.run("rename-window", "-t", pane, "other");
    await run(env, "name", "--pane", pane);
    await run(env, "manifest");
    await run(env, "install", "--yes", "--tmux-conf", `${scratch.home}/.tmux.conf`);
    const found = modes(scratch);
    assert.ok(found.some(([path]) => path.includes("/pending/")), "a push waits");
    for (const [path, mode] of found) {
      assert.equal(mode, Deno.statSync(path).isDirectory ? "700" : "600", path);
    }
  });
}

interface Case {
  says: string;
  change: (scratch: Scratch) => Record<string, string | undefined>;
  /** What the commands say to set. */
  wants: RegExp;
}

const CASES: Case[] = [
  { says: "no HOME", change: () => ({ HOME: undefined }), wants: /set (TMUXCLAUDE_STATE_DIR|HOME)/i },
  { says: "an empty HOME", change: () => ({ HOME: "" }), wants: /set (TMUXCLAUDE_STATE_DIR|HOME)/i },
  { says: "a relative HOME", change: () => ({ HOME: "home" }), wants: /set (TMUXCLAUDE_STATE_DIR|HOME)/i },
  {
    says: "a relative TMUXCLAUDE_STATE_DIR",
    change: () => ({ TMUXCLAUDE_STATE_DIR: "state" }),
    wants: /set TMUXCLAUDE_STATE_DIR/,
  },
  {
    says: "a state folder that is a link",
    change: ({ root }) => {
      Deno.mkdirSync(`${root}/elsewhere`);
      Deno.symlinkSync(`${root}/elsewhere`, `${root}/link`);
      return { TMUXCLAUDE_STATE_DIR: `${root}/link` };
    },
    wants: /symbolic link.*set TMUXCLAUDE_STATE_DIR/s,
  },
  {
    says: "a state folder that is a file",
    change: ({ root }) => {
      Deno.writeTextFileSync(`${root}/file`, "mine");
      return { TMUXCLAUDE_STATE_DIR: `${root}/file` };
    },
    wants: /not a folder.*set TMUXCLAUDE_STATE_DIR/s,
  },
  {
    says: "a state folder below a file",
    change: ({ root }) => {
      Deno.writeTextFileSync(`${root}/file`, "mine");
      return { TMUXCLAUDE_STATE_DIR: `${root}/file/state` };
    },
    wants: /set TMUXCLAUDE_STATE_DIR/,
  },
  {
    says: "a state folder in /proc",
    change: () => ({ TMUXCLAUDE_STATE_DIR: "/proc/tmuxclaude" }),
    wants: /set TMUXCLAUDE_STATE_DIR/,
  },
];

if (isRoot) {
  CASES.push({
    says: "a state folder of another user",
    change: ({ root }) => {
      Deno.mkdirSync(`${root}/foreign`);
      Deno.chownSync(`${root}/foreign`, 65534, 65534);
      return { TMUXCLAUDE_STATE_DIR: `${root}/foreign` };
    },
    wants: /another user.*set TMUXCLAUDE_STATE_DIR/s,
  });
}

function changed(
  env: Record<string, string>,
  change: Record<string, string | undefined>,
): Record<string, string> {
  const all = Object.entries({ ...env, ...change });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Ends with a message or, where no state is needed, with what was asked for; never with a stack or a surprise. */
function assertSays(ran: RunResult, wants: RegExp, says: string): void {
  assert.doesNotMatch(ran.stderr, /unexpected error/, says);
  assert.ok([0, 1, 3].includes(ran.code), `${says}: exit ${ran.code} ${ran.stderr}`);
  if (ran.code === 1) assert.match(ran.stderr, wants, says);
}

const COMMANDS = [
  "manifest",
  "restore",
  "revive",
  "list",
  "name",
  "recover",
  "install --yes",
  "uninstall --yes",
];

for (const { says, change, wants } of CASES) {
  Deno.test(`${says}: every command says what to set, the hook stays silent, nothing is written elsewhere`, async () => {
    await using server = await startServer();
    const { scratch } = server;
    const pane = await server.newSession({ name: "named" });
    await startClaude(server, pane);
    const [claude, id] = [await claudePid(server, pane), await sessionOf(server, pane)];
    const env = changed(await server.paneEnv(pane), {
      TMUXCLAUDE_CACHE_DIR: `${scratch.root}/cache`,
      ...change(scratch),
    });
    const before = filesBelow(scratch.root).filter((name) => !name.startsWith("cache/"));
    const codes = await Promise.all(COMMANDS.map(async (command) => {
      const ran = await runBin(command.split(" "), { env, cwd: scratch.home });
      assertSays(ran, wants, `${command} with ${says}`);
      return ran.code;
    }));
    assert.equal(codes[0], 1, "the manifest cannot be written");
    const hooked = await runHook(env, claude, event(id));
    assert.deepEqual([hooked.stdout, hooked.stderr], ["", ""]);
    assert.equal(await server.paneFormat(pane, "#{@tmuxclaude_session}"), id, "stamped all the same");
    assert.deepEqual(filesBelow(scratch.root).filter((name) => !name.startsWith("cache/")), before);
    const doctor = await runBin(["doctor", "--json"], { env, cwd: scratch.home });
    assert.ok([0, 1].includes(doctor.code), doctor.stderr);
  });
}

Deno.test("a relative XDG_STATE_HOME is ignored, as its specification asks", async () => {
  await using server = await startServer();
  const env = { ...await server.paneEnv(await server.newSession()), XDG_STATE_HOME: "state" };
  assert.equal((await runBin(["manifest"], { env, cwd: server.scratch.home })).code, 0);
  assert.ok(Deno.statSync(server.scratch.state).isDirectory);
  assert.ok(!filesBelow(server.scratch.home).some((name) => name.startsWith("state/")));
});

/** A small file system of its own; null where it cannot be mounted. */
async function mount(path: string, options: string): Promise<AsyncDisposable | null> {
  await Deno.mkdir(path, { recursive: true });
  const run = (program: string, ...args: string[]) => new Deno.Command(program, { args }).output();
  if (!isRoot || !(await run("mount", "-t", "tmpfs", "-o", options, "tmpfs", path)).success) return null;
  return { [Symbol.asyncDispose]: async () => void await run("umount", "-l", path) };
}

async function canMount(): Promise<boolean> {
  const folder = await Deno.makeTempDir();
  const mounted = await mount(folder, "size=64k");
  await mounted?.[Symbol.asyncDispose]();
  await Deno.remove(folder);
  return mounted !== null;
}

const ignore = !await canMount();

/** A pane with a running Claude, and its environment with another HOME. */
async function withHome(server: TmuxServer, home: string) {
  const pane = await server.newSession({ name: "named" });
  await startClaude(server, pane);
  const cache = `${server.scratch.root}/cache`;
  const env = { ...await server.paneEnv(pane), HOME: home, TMUXCLAUDE_CACHE_DIR: cache };
  return { pane, env, claude: await claudePid(server, pane), id: await sessionOf(server, pane) };
}

Deno.test({
  name: "a HOME on a file system that is read-only: commands say what to set, the hook stays silent",
  ignore,
  fn: async () => {
    await using server = await startServer();
    const home = `${server.scratch.root}/read-only`;
    await using _mounted = (await mount(home, "size=64k,ro"))!;
    const { env, claude, id } = await withHome(server, home);
    for (const command of COMMANDS) {
      const ran = await runBin(command.split(" "), { env });
      assertSays(ran, /set (TMUXCLAUDE_STATE_DIR|XDG_DATA_HOME) to a folder of your own/, command);
    }
    const { stdout, stderr } = await runHook(env, claude, event(id));
    assert.deepEqual([stdout, stderr], ["", ""]);
  },
});

const SETTINGS = `{"model":"opus","padding":"${"x".repeat(3_000)}"}\n`;

Deno.test({
  name:
    "D7: a full disk: the hook ends with 0 and silent, settings are untouched, nothing is torn; room again heals all",
  ignore,
  fn: async () => {
    await using server = await startServer();
    const home = `${server.scratch.root}/small`;
    await using _mounted = (await mount(home, "size=256k"))!;
    const config = `${home}/.claude`;
    const { pane, env, claude, id } = await withHome(server, home);
    await Deno.mkdir(config);
    await Deno.writeTextFile(`${config}/settings.json`, SETTINGS);
    await runHook(env, claude, event(id));
    assert.equal((await runBin(["manifest"], { env })).code, 0);
    const before = filesBelow(home);
    const manifest = before.find((name) => name.endsWith("manifest.json"))!;
    const [old, journal] = [manifest, ".local/state/tmuxclaude/journal.jsonl"].map((name) =>
      Deno.readTextFileSync(`${home}/${name}`)
    );
    fill(`${home}/filler`);
    await server.run("rename-window", "-t", pane, "renamed");
    for (let n = 0; n < 5; n++) {
      const { stdout, stderr } = await runHook(env, claude, event(id));
      assert.deepEqual([stdout, stderr], ["", ""]);
    }
    for (
      const [command, expected] of [["manifest", 1], ["install --yes", 1], [
        `name --pane ${pane}`,
        0,
      ]] as const
    ) {
      const { code, stderr } = await runBin(command.split(" "), { env });
      assert.deepEqual(
        [command, code, /No space left on device/.test(stderr)],
        [command, expected, true],
        stderr,
      );
    }
    assert.equal(Deno.readTextFileSync(`${config}/settings.json`), SETTINGS);
    assert.equal(Deno.readTextFileSync(`${home}/${manifest}`), old);
    assert.ok(Deno.readTextFileSync(`${home}/.local/state/tmuxclaude/journal.jsonl`).startsWith(journal));
    assert.deepEqual(filesBelow(home).filter((name) => name.endsWith(".tmp") || name.includes("backup")), []);
    await Deno.remove(`${home}/filler`);
    await runHook(env, claude, event(id));
    assert.equal((await runBin(["manifest"], { env })).code, 0);
    assert.equal((await runBin(["install", "--yes"], { env })).code, 0);
    assert.match(Deno.readTextFileSync(`${home}/${manifest}`), /"window_name":"renamed"/);
  },
});

/** Takes all the room there is. */
function fill(path: string): void {
  using file = Deno.openSync(path, { write: true, create: true });
  for (let size = 65_536; size >= 1;) {
    try {
      file.writeSync(new Uint8Array(size));
    } catch {
      size >>= 1;
    }
  }
}

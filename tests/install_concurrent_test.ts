// Several at once: installs, uninstalls, and others who write settings.json without any lock.
import assert from "node:assert/strict";
import { HOOK_EVENTS } from "../src/install/hook_command.ts";
import { ourHandlers } from "../src/install/settings_text.ts";
import { runBin } from "./helpers/run_bin.ts";
import { makeScratch, type Scratch } from "./helpers/scratch.ts";

const PAIRS = 50;

/** As other tools do it: read, change, write a new file over the old one; no lock. */
async function foreignWrite(path: string, key: string): Promise<void> {
  const settings = JSON.parse(await Deno.readTextFile(path));
  settings[key] = true;
  await Deno.writeTextFile(`${path}.${key}`, JSON.stringify(settings, null, 2));
  await Deno.rename(`${path}.${key}`, path);
}

async function settingsOf(scratch: Scratch): Promise<Record<string, unknown>> {
  return JSON.parse(await Deno.readTextFile(`${scratch.config}/settings.json`));
}

function countOurs(settings: Record<string, unknown>): number[] {
  return HOOK_EVENTS.map((event) => ourHandlers(settings, event).length);
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It had ended already.
  }
}

async function makeWorld(): Promise<Scratch> {
  const scratch = await makeScratch();
  await Deno.writeTextFile(`${scratch.config}/settings.json`, '{\n  "mine": true\n}\n');
  return scratch;
}

Deno.test(`${PAIRS} pairs of installs and others who write: no key of theirs is lost, ours are there once`, async () => {
  await using scratch = await makeWorld();
  const path = `${scratch.config}/settings.json`;
  const keys: string[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    // Every other time ours are gone again, as after a tool that writes what it had read long before.
    if (pair % 2 === 0) {
      const { hooks: _hooks, ...rest } = await settingsOf(scratch);
      await Deno.writeTextFile(path, JSON.stringify(rest, null, 2));
    }
    keys.push(`key${pair}`);
    const [first, second] = await Promise.all([
      runBin(["install", "--no-tmux"], { env: scratch.env }),
      pair % 5 === 0 ? runBin(["install", "--no-tmux"], { env: scratch.env }) : null,
      foreignWrite(path, `key${pair}`),
    ]);
    assert.deepEqual([first.code, second?.code ?? 0], [0, 0], first.stderr);
    const settings = await settingsOf(scratch);
    assert.deepEqual(countOurs(settings), [1, 1, 1], `pair ${pair}`);
    for (const key of ["mine", ...keys]) assert.equal(settings[key], true, `${key} in pair ${pair}`);
  }
});

Deno.test("ten installs at once come to one entry each, and uninstall takes them back byte for byte", async () => {
  await using scratch = await makeWorld();
  const before = await Deno.readTextFile(`${scratch.config}/settings.json`);
  const ran = await Promise.all(Array.from({ length: 10 }, () => runBin(["install"], { env: scratch.env })));
  for (const { code, stderr } of ran) assert.equal(code, 0, stderr);
  assert.deepEqual(countOurs(await settingsOf(scratch)), [1, 1, 1]);
  const conf = await Deno.readTextFile(`${scratch.home}/.tmux.conf`);
  assert.equal(conf.match(/>>> tmuxclaude/g)?.length, 1);
  assert.equal((await runBin(["uninstall"], { env: scratch.env })).code, 0);
  assert.equal(await Deno.readTextFile(`${scratch.config}/settings.json`), before);
  await assert.rejects(Deno.stat(`${scratch.home}/.tmux.conf`), Deno.errors.NotFound);
});

Deno.test("install and uninstall at once end in one of the two, never in between", async () => {
  await using scratch = await makeWorld();
  for (let round = 0; round < 10; round++) {
    const ran = await Promise.all(
      ["install", "uninstall"].map((command) => runBin([command], { env: scratch.env })),
    );
    for (const { code, stderr } of ran) assert.equal(code, 0, stderr);
    const counts = countOurs(await settingsOf(scratch));
    assert.ok(counts.every((count) => count === counts[0] && count <= 1), counts.join());
    assert.equal((await settingsOf(scratch)).mine, true);
  }
});

Deno.test("an install that is killed leaves the old file or the new one, and the next one heals", async () => {
  await using scratch = await makeWorld();
  const path = `${scratch.config}/settings.json`;
  const before = await Deno.readTextFile(path);
  for (let round = 0; round < 25; round++) {
    const child = new Deno.Command(scratch.program, {
      args: ["install", "--yes"],
      env: scratch.env,
      clearEnv: true,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const timer = setTimeout(() => kill(child), 60 + round * 8);
    await child.status;
    clearTimeout(timer);
    const counts = countOurs(await settingsOf(scratch));
    assert.ok(counts.every((count) => count === counts[0] && count <= 1), counts.join());
    const healed = await runBin([round % 2 ? "install" : "uninstall"], { env: scratch.env });
    assert.equal(healed.code, 0, healed.stderr);
    assert.deepEqual(countOurs(await settingsOf(scratch)), round % 2 ? [1, 1, 1] : [0, 0, 0]);
  }
  assert.equal((await runBin(["uninstall"], { env: scratch.env })).code, 0);
  assert.deepEqual(JSON.parse(await Deno.readTextFile(path)), JSON.parse(before));
});

Deno.test("an install that waits too long says who is at work, and changes nothing", async () => {
  await using scratch = await makeWorld();
  await Deno.mkdir(scratch.state, { recursive: true, mode: 0o700 });
  using held = await Deno.open(`${scratch.state}/install.lock`, { create: true, write: true, mode: 0o600 });
  await held.lock(true);
  const ran = await runBin(["install", "--yes"], { env: scratch.env });
  assert.equal(ran.code, 1);
  assert.match(ran.stderr, new RegExp(`another install or uninstall is at work \\(process ${Deno.pid}\\)`));
  assert.deepEqual(Object.keys(await settingsOf(scratch)), ["mine"]);
});

// Install and uninstall on a disk that fails at any act: each foreign file is as before or as it should become, and
// the next uninstall gives every byte back (D6).
import assert from "node:assert/strict";
import { run as install } from "../src/commands/install.ts";
import { run as uninstall } from "../src/commands/uninstall.ts";
import { realSystem } from "../src/system/real.ts";
import type { Files, System } from "../src/system/system.ts";
import {
  type Act,
  BROKEN,
  DENIED,
  DISK_FULL,
  failingFiles,
  type Fault,
  nextAct,
} from "./helpers/failing_system.ts";
import { runIn } from "./helpers/in_process.ts";
import { makeScratch, type Scratch } from "./helpers/scratch.ts";
import { filesBelow } from "./fixtures/state_world.ts";

const SETTINGS = '{\n    "model": "opus",\n    "hooks": {"Stop": []}\n}\n';
const CONF = "set -g mouse on\nbind r source-file ~/.tmux.conf";

const FAULTS: Omit<Fault, "at">[] = [
  { error: DISK_FULL, torn: true },
  { error: DISK_FULL, torn: true, forever: true, of: "space" },
  { error: DENIED },
  { error: DENIED, forever: true },
  { error: BROKEN, of: "reads" },
];

const { files } = realSystem();

class World {
  constructor(readonly scratch: Scratch, readonly after: Map<string, string>) {}

  get paths(): string[] {
    return [`${this.scratch.config}/settings.json`, `${this.scratch.home}/.tmux.conf`];
  }

  run(command: (system: System) => Promise<number>, with_: Files = files) {
    return runIn(this.scratch.env, { files: with_, sleep: () => realSystem().sleep(1) }, command);
  }

  /** Only the two files, as they were. */
  reset(): void {
    for (const entry of Deno.readDirSync(this.scratch.home)) {
      Deno.removeSync(`${this.scratch.home}/${entry.name}`, { recursive: true });
    }
    Deno.mkdirSync(this.scratch.config);
    this.paths.forEach((path, index) =>
      Deno.writeTextFileSync(path, [SETTINGS, CONF][index], { mode: 0o640 })
    );
  }

  assertOneOf(says: string): void {
    this.paths.forEach((path, index) => {
      const text = Deno.readTextFileSync(path);
      assert.ok(
        [[SETTINGS, CONF][index], this.after.get(path)].includes(text),
        `${says}: ${path} is\n${text}`,
      );
      assert.equal(Deno.statSync(path).mode! & 0o777, 0o640, says);
    });
  }

  assertBefore(says: string): void {
    this.paths.forEach((path, index) =>
      assert.equal(Deno.readTextFileSync(path), [SETTINGS, CONF][index], says)
    );
  }

  temps(): string[] {
    return filesBelow(this.scratch.home).filter((name) => name.endsWith(".tmp"));
  }
}

const INSTALL = (system: System) => install(system, { yes: true });
const UNINSTALL = (system: System) => uninstall(system, { yes: true });

async function makeWorld(): Promise<World> {
  const world = new World(await makeScratch(), new Map());
  world.reset();
  assert.equal((await world.run(INSTALL)).code, 0);
  for (const path of world.paths) world.after.set(path, Deno.readTextFileSync(path));
  return world;
}

/** Runs the command with each fault in turn and calls `check` after it; gives the number of faults. */
async function tryAll(
  world: World,
  command: (system: System) => Promise<number>,
  options: { installed: boolean; check: (says: string) => Promise<void> },
): Promise<number> {
  let tried = 0;
  for (const fault of FAULTS) {
    for (let at = 1;; at = nextAct(fault, at)) {
      world.reset();
      if (options.installed) await world.run(INSTALL);
      const acts: Act[] = [];
      const ran = await world.run(command, failingFiles(files, { ...fault, at }, acts));
      if (acts.length < at) break;
      tried++;
      const { act, path } = acts[at - 1];
      const says = `${fault.error.message}${fault.forever ? " for ever" : ""} at act ${at}, ${act} ${path}`;
      assert.ok([0, 1, 5].includes(ran.code), `${says}: exit ${ran.code}`);
      if (ran.code !== 0) assert.ok(namesOne(ran.stderr, acts.slice(at - 1)), `${says}: ${ran.stderr}`);
      if (fault.error !== DENIED) assert.deepEqual(world.temps(), [], says);
      world.assertOneOf(says);
      await options.check(`${says}\n${ran.stderr}`);
    }
  }
  return tried;
}

/** Says which file it was: a temporary one by the folder it is in, the files of the user by their place in HOME. */
function namesOne(text: string, failed: Act[]): boolean {
  const paths = failed.flatMap(({ path }) => [path, path.replace(/\/[^/]*$/, "")]);
  return paths.some((path) => text.includes(path) || text.includes(path.replace(/^.*home of tests/, "~")));
}

Deno.test("D6: an install that fails at any act leaves whole files, and uninstall gives every byte back", async () => {
  const world = await makeWorld();
  await using _scratch = world.scratch;
  const tried = await tryAll(world, INSTALL, {
    installed: false,
    check: async (says) => {
      assert.equal((await world.run(UNINSTALL)).code, 0, says);
      world.assertBefore(says);
    },
  });
  assert.ok(tried > 150, `${tried}`);
});

Deno.test("D6: an uninstall that fails at any act leaves whole files, and the next one gives every byte back", async () => {
  const world = await makeWorld();
  await using _scratch = world.scratch;
  const tried = await tryAll(world, UNINSTALL, {
    installed: true,
    check: async (says) => {
      assert.equal((await world.run(UNINSTALL)).code, 0, says);
      world.assertBefore(says);
    },
  });
  assert.ok(tried > 80, `${tried}`);
});

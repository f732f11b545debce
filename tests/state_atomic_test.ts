// Whole files are replaced in one step or not at all (D6), and locks are let go.
import assert from "node:assert/strict";
import { UserError } from "../src/errors.ts";
import { sweepTemps, writeAtomic } from "../src/state/atomic.ts";
import { withLock } from "../src/state/lock.ts";
import { prepareState } from "../src/state/paths.ts";
import type { System } from "../src/system/system.ts";
import { dryRunSystem } from "../src/system/dry_run.ts";
import { startWorker } from "./fixtures/state_processes.ts";
import { filesBelow, makeState, modeOf } from "./fixtures/state_world.ts";
import { type Act, DISK_FULL, failingFiles, type FileAct, isFault } from "./helpers/failing_system.ts";
import { until } from "./helpers/poll.ts";

Deno.test("writeAtomic() replaces the text and leaves no temporary file", () => {
  using world = makeState();
  const path = `${world.folder}/file`;
  for (const text of ["one", "", "three ü\n"]) {
    writeAtomic(world.system, path, text);
    assert.equal(Deno.readTextFileSync(path), text);
  }
  assert.equal(modeOf(path), 0o600);
  assert.deepEqual(filesBelow(world.folder), ["file"]);
});

Deno.test("writeAtomic() gives exactly the mode that is asked for, whatever the umask", () => {
  using world = makeState();
  const before = Deno.umask(0o077);
  try {
    writeAtomic(world.system, `${world.folder}/file`, "x", { mode: 0o644 });
  } finally {
    Deno.umask(before);
  }
  assert.equal(modeOf(`${world.folder}/file`), 0o644);
});

Deno.test("writeAtomic() replaces a link instead of following it", () => {
  using world = makeState();
  Deno.writeTextFileSync(`${world.folder}/target`, "mine");
  Deno.symlinkSync("target", `${world.folder}/file`);
  writeAtomic(world.system, `${world.folder}/file`, "ours");
  assert.equal(Deno.readTextFileSync(`${world.folder}/target`), "mine");
  assert.ok(Deno.lstatSync(`${world.folder}/file`).isFile);
});

Deno.test("D6: whichever act of writeAtomic() fails, the target is untouched and the error names it", () => {
  const acts: FileAct[] = ["open", "chmod", "write", "sync", "rename"];
  acts.forEach((act, index) => {
    using world = makeState();
    const path = `${world.folder}/file`;
    Deno.writeTextFileSync(path, "old");
    const tried: Act[] = [];
    const files = failingFiles(world.system.files, { at: index + 1, error: DISK_FULL }, tried);
    const write = () => writeAtomic({ ...world.system, files }, path, "new", { mode: 0o600 });
    assert.throws(
      write,
      (error) => error instanceof UserError && error.what.includes(path) && isFault(error.cause, DISK_FULL),
    );
    assert.equal(tried[index].act, act);
    assert.equal(Deno.readTextFileSync(path), "old");
    assert.deepEqual(filesBelow(world.folder), ["file"]);
  });
});

Deno.test("D6: a file system that cannot sync folders is no failure", () => {
  using world = makeState();
  const tried: Act[] = [];
  const files = failingFiles(world.system.files, { at: 5, error: DISK_FULL }, tried);
  writeAtomic({ ...world.system, files }, `${world.folder}/file`, "new");
  assert.deepEqual(tried.map(({ act }) => act), ["open", "write", "sync", "rename", "sync"]);
  assert.equal(Deno.readTextFileSync(`${world.folder}/file`), "new");
});

Deno.test("writeAtomic() onto a folder fails and cleans up", () => {
  using world = makeState();
  Deno.mkdirSync(`${world.folder}/file`);
  assert.throws(() => writeAtomic(world.system, `${world.folder}/file`, "x"), UserError);
  assert.deepEqual(filesBelow(world.folder), []);
});

Deno.test("sweepTemps() removes our temporary files older than an hour and nothing else", () => {
  using world = makeState();
  const old = new Date(Date.now() - 3_700_000);
  const names = [
    ".tmuxclaude-00ff.tmp",
    ".tmuxclaude-xyz.tmp",
    ".tmuxclaude-00ff.tmp.bak",
    "file.tmp",
    "file",
  ];
  for (const name of [...names, ".tmuxclaude-11.tmp"]) Deno.writeTextFileSync(`${world.folder}/${name}`, "");
  for (const name of names) Deno.utimeSync(`${world.folder}/${name}`, old, old);
  sweepTemps(world.system, world.folder);
  assert.deepEqual(filesBelow(world.folder), [...names.slice(1), ".tmuxclaude-11.tmp"].sort());
  sweepTemps(world.system, `${world.folder}/missing`);
});

Deno.test("a dry run writes nothing and tells what it would have", () => {
  using world = makeState();
  const system = dryRunSystem(world.system);
  prepareState(system, "/socket");
  writeAtomic(system, `${world.folder}/file`, "x");
  system.files.makeDir("/a", 0o700);
  system.files.rename("/a", "/b");
  system.files.remove("/c");
  system.files.chmod("/d", 0o600);
  system.files.symlink("/e", "/f");
  using file = system.files.open("/g", { append: true });
  file.write(new Uint8Array(1));
  assert.deepEqual(filesBelow(world.folder), []);
  assert.deepEqual(system.planned, [
    `write ${world.folder}/file`,
    "make the folder /a",
    "rename /a to /b",
    "remove /c",
    "set the mode of /d to 600",
    "link /f to /e",
    "write /g",
  ]);
});

const SHARED = { exclusive: false, waitMs: 0 };
const EXCLUSIVE = { exclusive: true, waitMs: 0 };

Deno.test("withLock(): shared holders go together, an exclusive one alone", async () => {
  using world = makeState();
  const path = `${world.folder}/a.lock`;
  const inner = (options: typeof SHARED) => withLock(world.system, path, options, () => "value");
  const nested = (outer: typeof SHARED, options: typeof SHARED) =>
    withLock(world.system, path, outer, () => inner(options));
  assert.deepEqual(await nested(SHARED, SHARED), { held: true, value: { held: true, value: "value" } });
  assert.deepEqual(await nested(SHARED, EXCLUSIVE), { held: true, value: { held: false } });
  assert.deepEqual(await nested(EXCLUSIVE, SHARED), { held: true, value: { held: false } });
  assert.deepEqual(await inner(EXCLUSIVE), { held: true, value: "value" });
});

Deno.test("withLock() lets go when the action throws", async () => {
  using world = makeState();
  const path = `${world.folder}/a.lock`;
  const broken = () => withLock(world.system, path, EXCLUSIVE, () => Promise.reject(new Error("broken")));
  await assert.rejects(broken, /broken/);
  assert.equal((await withLock(world.system, path, EXCLUSIVE, () => 1)).held, true);
});

Deno.test("withLock() lets go although a child that is just being started has the open file too", async () => {
  using world = makeState();
  const path = `${world.folder}/a.lock`;
  const doors = ["done", "broken"];
  for (const door of doors) {
    const open: System["files"]["open"] = (...args) => {
      const file = world.system.files.open(...args);
      return { ...file, [Symbol.dispose]: () => {} };
    };
    const shared = { ...world.system, files: { ...world.system.files, open } };
    const action = () => door === "done" ? 1 : Promise.reject(new Error(door));
    await withLock(shared, path, EXCLUSIVE, action).catch(() => {});
    assert.equal((await withLock(world.system, path, EXCLUSIVE, () => 1)).held, true, door);
  }
});

Deno.test("withLock() waits as long as it is told, also when the clock jumps back", async () => {
  using world = makeState();
  const path = `${world.folder}/a.lock`;
  let slept = 0;
  let clock = 1_000_000;
  const system = {
    ...world.system,
    now: () => clock -= 1_000,
    sleep: (ms: number) => Promise.resolve(void (slept += ms)),
  };
  const late = () => withLock(system, path, { exclusive: true, waitMs: 300 }, () => 1);
  assert.deepEqual(await withLock(world.system, path, SHARED, late), { held: true, value: { held: false } });
  assert.equal(slept, 300);
});

Deno.test("a lock whose holder is killed is free at once", async () => {
  using world = makeState();
  const { journalLock } = prepareState(world.system);
  const worker = startWorker(world.root, ["hold-lock"]);
  assert.equal(await worker.nextLine(), "held");
  const attempt = async () => (await withLock(world.system, journalLock, EXCLUSIVE, () => 1)).held;
  assert.equal(await attempt(), false);
  worker.child.kill("SIGKILL");
  await until("the lock to be free", attempt, 2_000);
  await worker.lines();
});

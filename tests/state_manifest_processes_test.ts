// Many processes saving one server's manifest: always whole, never backwards (D3), also after kill -9 (D5).
import assert from "node:assert/strict";
import { type Manifest, readManifest, writeManifest } from "../src/state/manifest.ts";
import { prepareState, statePaths } from "../src/state/paths.ts";
import { withLock } from "../src/state/lock.ts";
import { listSnapshots, readSnapshot } from "../src/state/snapshots.ts";
import type { System } from "../src/system/system.ts";
import { runWorker, startWorker } from "./fixtures/state_processes.ts";
import { filesBelow, makeState, manifestOf, rowOf, seeded, SOCKET } from "./fixtures/state_world.ts";

/** The manifest now; null before the first. Throws when it is not whole. */
function readWhole(system: System): Manifest | null {
  const read = readManifest(system, SOCKET);
  if (!read.found) assert.equal(read.reason, null);
  return read.found ? assertWhole(read.manifest, read.bad) : null;
}

/** Each save of the worker has 20 rows with one mark. */
function assertWhole(manifest: Manifest, bad: number): Manifest {
  assert.deepEqual([manifest.count, bad], [20, 0]);
  assert.equal(new Set(manifest.panes.map((row) => row.window_name)).size, 1);
  return manifest;
}

function assertSnapshotsWhole(system: System): void {
  for (const ref of listSnapshots(system, SOCKET)) {
    const read = readSnapshot(system, ref);
    assert.ok(read.found, ref.path);
    assertWhole(read.manifest, read.bad);
  }
}

Deno.test("D3: 16 processes save at once while 10,000 reads look on: each read is whole, the newest wins", async () => {
  using world = makeState();
  const writers = Array.from({ length: 16 }, (_, writer) => runWorker(world.root, ["manifests", writer, 6]));
  let areWriting = true;
  const finished = Promise.all(writers).finally(() => areWriting = false);
  let reads = 0;
  let newest = "";
  while (areWriting || reads < 10_000) {
    const at = readWhole(world.system)?.at ?? "";
    assert.ok(at >= newest, `${at} after ${newest}`);
    newest = at;
    if (++reads % 20 === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  const written = (await finished).flat().map((line) => line.split(" "));
  const times = written.filter(([result]) => result === "written").map(([, at]) => at).sort();
  assert.equal(written.length, 96);
  assert.ok(times.length >= 16, `${times.length} written`);
  assert.equal(readWhole(world.system)?.at, times.at(-1));
  assertSnapshotsWhole(world.system);
});

Deno.test("D5: kill -9 while saving (25 times): the manifest and every snapshot are whole, and the next save works", async () => {
  const random = seeded(6);
  using world = makeState();
  let last = "";
  for (let round = 0; round < 25; round++) {
    const worker = startWorker(world.root, ["manifests", round, 0]);
    for (let n = Math.floor(random() * 6); n >= 0; n--) await worker.nextLine();
    await new Promise((resolve) => setTimeout(resolve, random() * 8));
    worker.child.kill("SIGKILL");
    const acknowledged = (await worker.lines()).map((line) => line.split(" ")[1]);
    const there = readWhole(world.system)!.at;
    assert.ok(there >= acknowledged.at(-1)! && there > last, `round ${round}`);
    last = there;
  }
  assertSnapshotsWhole(world.system);
  const panes = Array.from({ length: 20 }, (_, index) => rowOf(index));
  assert.equal(
    await writeManifest(world.system, manifestOf({ at: new Date().toISOString(), panes })),
    "written",
  );
});

Deno.test("temporary files of killed writers are swept by a save an hour later", async () => {
  using world = makeState();
  const { folder, snapshots } = prepareState(world.system, SOCKET).server(SOCKET);
  for (const where of [folder, snapshots]) {
    Deno.writeTextFileSync(`${where}/.tmuxclaude-0123.tmp`, "");
    Deno.utimeSync(`${where}/.tmuxclaude-0123.tmp`, new Date(0), new Date(0));
  }
  await writeManifest(world.system, manifestOf());
  assert.equal(filesBelow(folder).length, 3);
});

Deno.test("a save that cannot have the lock says busy and leaves everything", async () => {
  using world = makeState();
  await writeManifest(world.system, manifestOf());
  const { lock } = statePaths(world.system).server(SOCKET);
  const hurried = { ...world.system, sleep: () => Promise.resolve() };
  const attempt = () => writeManifest(hurried, manifestOf({ panes: [rowOf(2)] }));
  const done = await withLock(world.system, lock, { exclusive: false, waitMs: 0 }, attempt);
  assert.deepEqual(done, { held: true, value: "busy" });
  const read = readManifest(world.system, SOCKET);
  assert.ok(read.found && read.manifest.panes[0].pane_id === "%1");
});

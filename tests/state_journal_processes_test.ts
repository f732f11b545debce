// Many processes on one journal: none lost, none mixed (D1, D2), kill -9 at any point (D5), a stopped lock holder (D8).
import assert from "node:assert/strict";
import { appendJournal, readJournal, trimJournal } from "../src/state/journal.ts";
import { prepareState, statePaths } from "../src/state/paths.ts";
import type { System } from "../src/system/system.ts";
import { runWorker, startWorker } from "./fixtures/state_processes.ts";
import { filesBelow, lineOf, makeState, seeded } from "./fixtures/state_world.ts";

/** Numbers of each writer's lines, in the order of the journal. */
function byWriter(system: System): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const { source } of readJournal(system).lines) {
    const [writer, n] = source!.split("-").map(Number);
    found.set(writer, [...found.get(writer) ?? [], n]);
  }
  return found;
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

Deno.test("D1: 64 processes append 50 lines each, of 600 bytes and of 3 kB: none lost, none mixed, each in order", async () => {
  using world = makeState();
  await Promise.all(upTo(64).map((writer) => runWorker(world.root, ["append", writer, 50])));
  const { lines, bad } = readJournal(world.system);
  assert.deepEqual([lines.length, bad], [3_200, 0]);
  const found = byWriter(world.system);
  for (const writer of upTo(64)) assert.deepEqual(found.get(writer), upTo(50), `writer ${writer}`);
});

Deno.test("D2: 16 processes append 200 lines each while another trims 60 times: only old lines go", async () => {
  using world = makeState();
  const trimmed = runWorker(world.root, ["trim", 60]);
  await Promise.all(upTo(16).map((writer) => runWorker(world.root, ["append", writer, 200])));
  const dropped = Number(await trimmed) +
    await trimJournal(world.system, (line) => line.source!.endsWith("0") ? line.source : null);
  const { lines, bad } = readJournal(world.system);
  assert.deepEqual([lines.length + dropped, bad], [3_200, 0]);
  assert.ok(dropped > 0 && lines.length < 1_600, `${dropped} dropped, ${lines.length} left`);
  for (const [writer, numbers] of byWriter(world.system)) {
    const live = numbers.filter((n) => n % 10 === 0);
    assert.deepEqual(live, upTo(20).map((n) => n * 10), `live lines of writer ${writer}`);
  }
  assert.deepEqual(filesBelow(world.root), ["journal.jsonl", "journal.lock"]);
});

Deno.test("D5: kill -9 while appending and trimming (25 times): what was acknowledged is there, and the next run heals", async () => {
  const random = seeded(5);
  for (let round = 0; round < 25; round++) {
    using world = makeState();
    for (let n = 0; n < 3; n++) await appendJournal(world.system, lineOf(1, { source: `before ${n}` }));
    const worker = startWorker(world.root, ["append-and-trim"]);
    for (let n = Math.floor(random() * 1_600); n >= 0; n--) await worker.nextLine();
    worker.child.kill("SIGKILL");
    const acknowledged = await worker.lines();
    await assertHealthy(world.system, acknowledged, `round ${round}`);
    assert.ok(filesBelow(world.root).length <= 3, filesBelow(world.root).join(" "));
  }
});

/** The newest 1,000 acknowledged lines are there, in order; one more may be (killed before it could say so). */
async function assertHealthy(system: System, acknowledged: string[], says: string): Promise<void> {
  await appendJournal(system, lineOf(1, { source: "after" }));
  const { lines, bad } = readJournal(system);
  const found = lines.map((line) => line.source!);
  assert.ok(bad <= 1, says);
  assert.equal(found.pop(), "after", says);
  const start = found.lastIndexOf(acknowledged.at(-1)!);
  assert.ok(start >= 0 && found.length - start <= 2, `${says}: ends with ${found.slice(-3)}`);
  const newest = acknowledged.slice(-990);
  assert.deepEqual(found.slice(start + 1 - newest.length, start + 1), newest, says);
  await trimJournal(system, () => null);
  assert.equal(readJournal(system).lines.at(-1)?.source, "after", says);
}

Deno.test("D8: while a stopped process holds the lock, an append waits less than 500 ms and loses nothing", async () => {
  using world = makeState();
  prepareState(world.system);
  const holder = startWorker(world.root, ["hold-lock"]);
  assert.equal(await holder.nextLine(), "held");
  holder.child.kill("SIGSTOP");
  try {
    const waits = await Promise.all(
      upTo(20).map((number) => waited(world.system, (system) => appendJournal(system, lineOf(number)))),
    );
    assert.ok(Math.max(...waits) < 500, `${waits} ms`);
    assert.equal(await trimJournal(world.system, () => null), 0);
  } finally {
    holder.child.kill("SIGKILL");
  }
  await holder.lines();
  assert.deepEqual(numbers(world.system), upTo(20));
  await trimJournal(world.system, () => null);
  assert.deepEqual(numbers(world.system), upTo(20));
  assert.deepEqual(filesBelow(statePaths(world.system).spool), []);
});

function numbers(system: System): number[] {
  return readJournal(system).lines.map((line) => Number(line.source)).sort((a, b) => a - b);
}

/** How long it sleeps while it acts, in milliseconds; how busy the machine is does not count. */
async function waited(system: System, action: (system: System) => Promise<void>): Promise<number> {
  let slept = 0;
  await action({
    ...system,
    sleep(ms) {
      slept += ms;
      return system.sleep(ms);
    },
  });
  return slept;
}

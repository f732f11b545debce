// What is accepted as a manifest (H3), which manifest replaces which, and which snapshots are kept.
import assert from "node:assert/strict";
import { UserError } from "../src/errors.ts";
import { newestManifest, readManifest, toManifest, writeManifest } from "../src/state/manifest.ts";
import { statePaths } from "../src/state/paths.ts";
import { listSnapshots, readSnapshot } from "../src/state/snapshots.ts";
import { dryRunSystem } from "../src/system/dry_run.ts";
import type { System } from "../src/system/system.ts";
import {
  filesBelow,
  idOf,
  makeState,
  manifestOf,
  type ManifestParts,
  modeOf,
  rowOf,
  seeded,
  SOCKET,
} from "./fixtures/state_world.ts";
import { DISK_FULL, failingFiles } from "./helpers/failing_system.ts";

const DAY = 24 * 3_600_000;
const NOON = Date.parse("2026-06-15T12:00:00.000Z");
const timeAt = (time: number) => new Date(time).toISOString();

/** A state folder whose clock the test sets. */
function makeClockState() {
  const clock = { now: NOON };
  return { ...makeState({ now: () => clock.now }), clock };
}

/** Writes a manifest at the clock's time. */
function save(world: ReturnType<typeof makeClockState>, parts: ManifestParts = {}) {
  return writeManifest(world.system, manifestOf({ at: timeAt(world.clock.now), ...parts }));
}

function pathOf(system: System): string {
  return statePaths(system).server(SOCKET).manifest;
}

function current(system: System) {
  const read = readManifest(system, SOCKET);
  assert.ok(read.found, read.found ? "" : String(read.reason));
  return read.manifest;
}

const valid = () => JSON.parse(JSON.stringify(manifestOf({ panes: [rowOf(1), rowOf(2)] })));

Deno.test("toManifest() gives a whole manifest back unchanged, without keys it does not know", () => {
  assert.deepEqual(toManifest({ ...valid(), prompt: "secret" }), { manifest: valid(), bad: 0 });
});

const REASONS: [string, unknown, RegExp][] = [
  ["null", null, /not a JSON object/],
  ["a list", [valid()], /not a JSON object/],
  ["text", "manifest", /not a JSON object/],
  ["an empty object", {}, /"schema"/],
  ["a newer schema", { ...valid(), schema: 2 }, /newer tmuxclaude/],
  ["a schema in text", { ...valid(), schema: "1" }, /"schema"/],
  ["schema 0", { ...valid(), schema: 0 }, /"schema"/],
  ["no time", { ...valid(), at: undefined }, /"at"/],
  ["a time that is none", { ...valid(), at: "yesterday" }, /"at"/],
  ["a time as number", { ...valid(), at: 5 }, /"at"/],
  ["no server", { ...valid(), server: null }, /"server"/],
  ["a server without pid", { ...valid(), server: { ...valid().server, pid: "1" } }, /"server"/],
  ["base_index in text", { ...valid(), base_index: "0" }, /"base_index"/],
  ["no pane_base_index", { ...valid(), pane_base_index: undefined }, /"pane_base_index"/],
  ["no count", { ...valid(), count: null }, /"count"/],
  ["panes as object", { ...valid(), panes: {} }, /"panes"/],
];

for (const [says, value, reason] of REASONS) {
  Deno.test(`toManifest() refuses ${says} with a reason`, () => {
    const read = toManifest(value);
    assert.ok("reason" in read && reason.test(read.reason), JSON.stringify(read));
  });
}

const BAD_ROWS: [string, unknown][] = [
  ["null", null],
  ["a list", []],
  ["no address", { ...rowOf(2), tmux_session: undefined }],
  ["an index in text", { ...rowOf(2), window_index: "1" }],
  ["a broken index", { ...rowOf(2), pane_index: 1.5 }],
  ["no pane id", { ...rowOf(2), pane_id: null }],
  ["a pane id with a command", { ...rowOf(2), pane_id: "%1;kill-server" }],
];

for (const [says, row] of BAD_ROWS) {
  Deno.test(`toManifest() leaves out a row that is or has ${says}, and counts it`, () => {
    const read = toManifest({ ...valid(), panes: [rowOf(1), row] });
    assert.ok("manifest" in read);
    assert.deepEqual([read.bad, read.manifest.count, read.manifest.panes], [1, 1, [rowOf(1)]]);
  });
}

for (const id of ["not-a-uuid", "../../etc/passwd", `${idOf(2)}\n`, `${idOf(2)};ls`, 7, null, undefined]) {
  Deno.test(`toManifest() keeps the row but not the binding of the id ${JSON.stringify(id)}`, () => {
    const row = { ...rowOf(2), binding: { ...rowOf(2).binding, session_id: id } };
    const read = toManifest({ ...valid(), panes: [rowOf(1), row] });
    assert.ok("manifest" in read);
    assert.deepEqual([read.bad, read.manifest.panes[1]], [1, { ...rowOf(2), binding: null }]);
  });
}

Deno.test("toManifest() makes details of the wrong type neutral, counts rows that are missing", () => {
  const row = {
    ...rowOf(1),
    addresses: [{}],
    title: 5,
    activity: "x",
    live: "yes",
    evidence: [1, "a"],
    binding: null,
  };
  const read = toManifest({ ...valid(), count: 5, panes: [row], resurrect: "none" });
  assert.ok("manifest" in read);
  assert.equal(read.bad, 4);
  assert.deepEqual(read.manifest.resurrect, { folder: null, save: null });
  const neutral = { title: "", activity: 0, live: false, evidence: ["a"], binding: null };
  assert.deepEqual(read.manifest.panes, [rowOf(1, neutral)]);
});

Deno.test("readManifest() says null where there is none, and a reason for what it cannot use", async () => {
  using world = makeState();
  assert.deepEqual(readManifest(world.system, SOCKET), { found: false, reason: null });
  assert.equal(newestManifest(world.system, SOCKET), null);
  await writeManifest(world.system, manifestOf());
  for (const text of ["", "{", "null", "\0\0\0", '{"schema":1}', "\uFEFF{}"]) {
    Deno.writeTextFileSync(pathOf(world.system), text);
    const read = readManifest(world.system, SOCKET);
    assert.ok(!read.found && read.reason, JSON.stringify(text));
  }
  Deno.truncateSync(pathOf(world.system), 64 * 1024 * 1024 + 1);
  const read = readManifest(world.system, SOCKET);
  assert.ok(!read.found && /67108865 bytes/.test(read.reason!));
  assert.deepEqual(newestManifest(world.system, SOCKET), manifestOf());
});

Deno.test("H3: half a manifest at every byte, and 2,000 seeded bit flips: a whole one or a reason, never an error", async () => {
  using world = makeState();
  await writeManifest(world.system, manifestOf());
  const path = pathOf(world.system);
  const bytes = Deno.readFileSync(path);
  for (let length = 0; length < bytes.length - 1; length++) {
    Deno.writeFileSync(path, bytes.subarray(0, length));
    assert.equal(readManifest(world.system, SOCKET).found, false, `cut at ${length}`);
  }
  const random = seeded(4);
  for (let round = 0; round < 2_000; round++) {
    const flipped = bytes.slice();
    flipped[Math.floor(random() * bytes.length)] ^= 1 << Math.floor(random() * 8);
    Deno.writeFileSync(path, flipped);
    const read = readManifest(world.system, SOCKET);
    assert.ok(read.found ? read.manifest.count <= 1 : read.reason, `round ${round}`);
  }
});

Deno.test("writeManifest() keeps the manifest, private, with a snapshot beside it", async () => {
  using world = makeClockState();
  assert.equal(await save(world), "written");
  assert.deepEqual(current(world.system), manifestOf({ at: timeAt(NOON) }));
  const { folder } = statePaths(world.system).server(SOCKET);
  const names = ["manifest.json", "manifest.lock", "snapshots/2026-06-15T12-00-00.000Z.json"];
  assert.deepEqual(filesBelow(folder), names);
  for (const name of names) assert.equal(modeOf(`${folder}/${name}`), 0o600);
  const [ref] = listSnapshots(world.system, SOCKET);
  assert.equal(ref.time, NOON);
  assert.deepEqual(readSnapshot(world.system, ref), { found: true, manifest: current(world.system), bad: 0 });
});

Deno.test("writeManifest() does not take what would not be read back", async () => {
  using world = makeState();
  await assert.rejects(() => writeManifest(world.system, { ...manifestOf(), at: "now" }), TypeError);
  assert.deepEqual(filesBelow(world.folder), []);
});

Deno.test("two servers do not mix", async () => {
  using world = makeState();
  const other = manifestOf({ panes: [rowOf(9)] });
  other.server.socket = "/tmp/other";
  await writeManifest(world.system, manifestOf());
  await writeManifest(world.system, other);
  assert.deepEqual(current(world.system), manifestOf());
  assert.equal(listSnapshots(world.system, "/tmp/other").length, 1);
});

interface Replacement {
  says: string;
  first: ManifestParts;
  second: ManifestParts;
  /** The clock at the second save. */
  now?: number;
  result: "written" | "kept";
}

const EMPTY = [rowOf(1, { binding: null })];
const REPLACEMENTS: Replacement[] = [
  { says: "a newer one", first: {}, second: { at: timeAt(NOON + 1) }, result: "written" },
  { says: "one of the same time", first: {}, second: {}, result: "written" },
  { says: "an older one of the same life", first: {}, second: { at: timeAt(NOON - 1) }, result: "kept" },
  {
    says: "an older one of an earlier life",
    first: { started: 9 },
    second: { started: 8, at: timeAt(NOON - 1) },
    result: "kept",
  },
  {
    says: "one of a later life by a clock that is behind",
    first: {},
    second: { started: 1_800_000_000, at: timeAt(NOON - DAY) },
    result: "written",
  },
  {
    says: "an older one, when the first came from the future",
    first: { at: timeAt(NOON + DAY) },
    second: {},
    result: "written",
  },
  { says: "an empty one of the same life", first: {}, second: { panes: EMPTY }, result: "written" },
  {
    says: "an empty one after a reboot",
    first: {},
    second: { panes: EMPTY, started: 1_800_000_000 },
    result: "kept",
  },
  {
    says: "one without panes after a reboot",
    first: {},
    second: { panes: [], started: 1_800_000_000 },
    result: "kept",
  },
  {
    says: "an empty one after an empty one of another life",
    first: { panes: EMPTY },
    second: { panes: EMPTY, started: 1_800_000_000 },
    result: "written",
  },
  {
    says: "one with a single conversation after a reboot",
    first: { panes: [rowOf(1), rowOf(2)] },
    second: { started: 1_800_000_000 },
    result: "written",
  },
];

for (const { says, first, second, result } of REPLACEMENTS) {
  Deno.test(`a manifest is ${result === "kept" ? "not " : ""}replaced by ${says}`, async () => {
    using world = makeClockState();
    await save(world, first);
    assert.equal(await save(world, second), result);
    const expected = manifestOf({ at: timeAt(NOON), ...(result === "kept" ? first : second) });
    assert.deepEqual(current(world.system), expected);
  });
}

Deno.test("an empty save after a reboot does not count a corrupt manifest.json as nothing: the snapshot speaks", async () => {
  using world = makeClockState();
  await save(world);
  Deno.writeTextFileSync(pathOf(world.system), "\0\0\0");
  assert.equal(await save(world, { panes: EMPTY, started: 1_800_000_000 }), "kept");
  assert.deepEqual(newestManifest(world.system, SOCKET), manifestOf({ at: timeAt(NOON) }));
  assert.equal(await save(world, { at: timeAt(NOON + 1) }), "written");
});

Deno.test("a manifest of a newer tmuxclaude is not replaced, and the error says what to do", async () => {
  using world = makeState();
  await writeManifest(world.system, manifestOf());
  const newer = JSON.stringify({ ...manifestOf(), schema: 2 });
  Deno.writeTextFileSync(pathOf(world.system), newer);
  await assert.rejects(() => writeManifest(world.system, manifestOf()), (error) => {
    return error instanceof UserError && /newer tmuxclaude/.test(error.why);
  });
  assert.equal(Deno.readTextFileSync(pathOf(world.system)), newer);
});

const CHANGES: [string, ManifestParts, number][] = [
  ["time", {}, 1],
  ["title", { panes: [rowOf(1, { title: "another" })] }, 1],
  ["activity", { panes: [rowOf(1, { activity: 9 })] }, 1],
  ["live flag", { panes: [rowOf(1, { live: false })] }, 1],
  ["conversation", { panes: [rowOf(1, { binding: rowOf(2).binding })] }, 2],
  ["folder", { panes: [rowOf(1, { cwd: "/" })] }, 2],
  ["window name", { panes: [rowOf(1, { window_name: "x" })] }, 2],
  ["number of panes", { panes: [rowOf(1), rowOf(2)] }, 2],
  ["tmux save", { save: "tmux_resurrect_20260615T120000.txt" }, 2],
];

for (const [what, second, snapshots] of CHANGES) {
  Deno.test(`another ${what} makes ${snapshots - 1} more snapshot`, async () => {
    using world = makeClockState();
    await save(world);
    world.clock.now += 60_000;
    await save(world, second);
    assert.equal(listSnapshots(world.system, SOCKET).length, snapshots);
    assert.equal(current(world.system).at, timeAt(NOON + 60_000));
  });
}

Deno.test("two snapshots of one millisecond are both kept", async () => {
  using world = makeClockState();
  for (const number of [1, 2, 3]) await save(world, { panes: [rowOf(number)] });
  assert.deepEqual(listSnapshots(world.system, SOCKET).map((ref) => ref.time - NOON), [2, 1, 0]);
});

Deno.test("the first save of a new server life keeps the last one of the old, with what was live in it", async () => {
  using world = makeClockState();
  await save(world);
  world.clock.now += 60_000;
  await save(world, { panes: [rowOf(1, { live: false, activity: 1_700_000_060 })] });
  world.clock.now += 60_000;
  await save(world, { started: 1_800_000_000, panes: [rowOf(2)] });
  const snapshots = listSnapshots(world.system, SOCKET).map((ref) => readSnapshot(world.system, ref));
  const rows = snapshots.map((read) => read.found && read.manifest.panes[0]);
  assert.deepEqual(rows.map((row) => row && [row.pane_id, row.live]), [["%2", true], ["%1", false], [
    "%1",
    true,
  ]]);
});

/** Saves `count` different manifests, one an hour, with conversations or without. */
async function saveHourly(
  world: ReturnType<typeof makeClockState>,
  count: number,
  isBound: boolean,
): Promise<void> {
  for (let n = 0; n < count; n++) {
    world.clock.now += 3_600_000;
    const window_name = `${isBound} ${n}`;
    await save(world, { panes: [rowOf(1, { window_name, ...(isBound ? {} : { binding: null }) })] });
  }
}

Deno.test("snapshots younger than 7 days are all kept, older ones but for the newest five go", async () => {
  using world = makeClockState();
  await saveHourly(world, 30, true);
  assert.equal(listSnapshots(world.system, SOCKET).length, 30);
  world.clock.now += 7 * DAY - 10.5 * 3_600_000;
  await saveHourly(world, 1, true);
  assert.equal(listSnapshots(world.system, SOCKET).length, 11);
  world.clock.now += 30 * DAY;
  await saveHourly(world, 1, true);
  assert.equal(listSnapshots(world.system, SOCKET).length, 5);
});

Deno.test("the newest five snapshots with conversations outlive any number of empty ones", async () => {
  using world = makeClockState();
  await saveHourly(world, 8, true);
  world.clock.now += 30 * DAY;
  await saveHourly(world, 20, false);
  world.clock.now += 30 * DAY;
  await saveHourly(world, 1, false);
  const reads = listSnapshots(world.system, SOCKET).map((ref) => readSnapshot(world.system, ref));
  const bound = reads.filter((read) => read.found && read.manifest.panes[0].binding);
  assert.deepEqual([bound.length, reads.length], [5, 10]);
  const names = bound.map((read) => read.found && read.manifest.panes[0].window_name);
  assert.deepEqual(names, [7, 6, 5, 4, 3].map((n) => `true ${n}`));
});

Deno.test("a clock that jumps ten years ahead and back costs no more than age does, and blocks nothing", async () => {
  using world = makeClockState();
  await saveHourly(world, 12, true);
  world.clock.now += 3_650 * DAY;
  await save(world, { panes: [rowOf(9)] });
  assert.equal(listSnapshots(world.system, SOCKET).length, 5);
  world.clock.now = NOON + DAY;
  await saveHourly(world, 3, true);
  assert.equal(listSnapshots(world.system, SOCKET).length, 8);
  assert.equal(current(world.system).at, timeAt(NOON + DAY + 3 * 3_600_000));
});

Deno.test("unreadable snapshots are passed over and expire, those of a newer tmuxclaude and foreign files stay", async () => {
  using world = makeClockState();
  await saveHourly(world, 6, true);
  const { snapshots } = statePaths(world.system).server(SOCKET);
  const put = (name: string, text: string) => Deno.writeTextFileSync(`${snapshots}/${name}`, text);
  put("2026-06-01T00-00-00.000Z.json", "{");
  put("2026-06-02T00-00-00.000Z.json", JSON.stringify({ ...manifestOf(), schema: 2 }));
  put("2026-99-99T00-00-00.000Z.json", "not a time");
  put("notes.txt", "foreign");
  Deno.mkdirSync(`${snapshots}/2026-06-03T00-00-00.000Z.json`);
  await saveHourly(world, 1, true);
  const names = filesBelow(snapshots);
  assert.ok(!names.includes("2026-06-01T00-00-00.000Z.json"));
  for (const name of ["2026-06-02T00-00-00.000Z.json", "2026-99-99T00-00-00.000Z.json", "notes.txt"]) {
    assert.ok(names.includes(name), name);
  }
  put("2026-06-20T00-00-00.000Z.json", "{");
  Deno.removeSync(pathOf(world.system));
  assert.equal(newestManifest(world.system, SOCKET)?.panes[0].window_name, "true 0");
});

Deno.test("D6: a save that fails at any act leaves a whole manifest and whole snapshots, and the next one works", async () => {
  const second = manifestOf({ at: timeAt(NOON + 1), panes: [rowOf(2)] });
  for (let failAt = 1; failAt <= 12; failAt++) {
    using world = makeClockState();
    await save(world);
    const files = failingFiles(world.system.files, { at: failAt, error: DISK_FULL });
    await writeManifest({ ...world.system, files }, second).catch(() => {});
    const numbers = [current(world.system), newestManifest(world.system, SOCKET)!].map((it) =>
      it.panes[0].pane_id
    );
    assert.ok(numbers.every((id) => id === "%1" || id === "%2"));
    for (const ref of listSnapshots(world.system, SOCKET)) assert.ok(readSnapshot(world.system, ref).found);
    assert.ok(filesBelow(world.root).every((name) => !name.endsWith(".tmp")), `act ${failAt}`);
    assert.equal(await writeManifest(world.system, second), "written");
    assert.deepEqual(current(world.system), second);
  }
});

Deno.test("a dry run of a save decides and writes nothing", async () => {
  using world = makeClockState();
  await save(world);
  const before = filesBelow(world.root);
  const system = dryRunSystem(world.system);
  assert.equal(await writeManifest(system, manifestOf({ at: timeAt(NOON), panes: [rowOf(2)] })), "written");
  assert.equal(await writeManifest(system, manifestOf({ panes: [], started: 1_800_000_000 })), "kept");
  assert.deepEqual(filesBelow(world.root), before);
  assert.deepEqual(current(world.system), manifestOf({ at: timeAt(NOON) }));
  const { manifest, snapshots } = statePaths(system).server(SOCKET);
  assert.deepEqual(system.planned, [`write ${snapshots}/2026-06-15T12-00-00.001Z.json`, `write ${manifest}`]);
});

Deno.test("a dry run in a new world makes no folder", async () => {
  using world = makeState();
  for (const system of [dryRunSystem(world.system), { ...world.system, dryRun: true }]) {
    assert.equal(await writeManifest(system, manifestOf()), "written");
  }
  assert.deepEqual([...Deno.readDirSync(world.folder)], []);
});

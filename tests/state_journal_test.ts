// The journal: what is appended comes back, whatever the file has been through (H3), and a trim loses nothing it
// must not.
import assert from "node:assert/strict";
import { UserError } from "../src/errors.ts";
import {
  appendJournal,
  appendJournalLines,
  type NewJournalLine,
  readJournal,
  trimJournal,
} from "../src/state/journal.ts";
import { formatLine, LINE_BYTES, parseLine } from "../src/state/journal_line.ts";
import { withLock } from "../src/state/lock.ts";
import { prepareState, statePaths } from "../src/state/paths.ts";
import { placeBySeq } from "../src/state/spool.ts";
import { dryRunSystem } from "../src/system/dry_run.ts";
import type { System } from "../src/system/system.ts";
import { runWorker } from "./fixtures/state_processes.ts";
import { filesBelow, idOf, lineOf, makeState, seeded, type StateWorld } from "./fixtures/state_world.ts";
import { type Act, DISK_FULL, failingFiles, type FileAct, isFault } from "./helpers/failing_system.ts";

const encoder = new TextEncoder();

function sources(system: System): (string | null)[] {
  return readJournal(system).lines.map((line) => line.source);
}

function putJournal(world: StateWorld, content: string | Uint8Array): void {
  const { journal } = prepareState(world.system);
  Deno.writeFileSync(journal, typeof content === "string" ? encoder.encode(content) : content, {
    mode: 0o600,
  });
}

/** The text of lines 1 to `count`, each its own conversation unless told otherwise. */
function journalText(
  count: number,
  change: (number: number) => Partial<NewJournalLine> = () => ({}),
): string {
  return Array.from({ length: count }, (_, index) => index + 1)
    .map((number) => `${formatLine(lineOf(number, change(number)), number)}\n`).join("");
}

Deno.test("appendJournal() numbers lines and readJournal() gives them back whole, oldest first", async () => {
  using world = makeState();
  assert.deepEqual(readJournal(world.system), { lines: [], bad: 0, newer: 0 });
  for (const number of [1, 2, 3]) await appendJournal(world.system, lineOf(number));
  const expected = [1, 2, 3].map((number) => ({ ...lineOf(number), schema: 1, seq: number }));
  assert.deepEqual(readJournal(world.system), { lines: expected, bad: 0, newer: 0 });
});

Deno.test("lines keep the order of the file, whatever the clock says", async () => {
  using world = makeState();
  for (const [number, at] of [[1, "2030"], [2, "2020"], [3, ""]] as const) {
    await appendJournal(world.system, lineOf(number, { at }));
  }
  assert.deepEqual(sources(world.system), ["1", "2", "3"]);
});

Deno.test("a journal line holds no text beyond its known fields", () => {
  const text = formatLine(lineOf(1), 1).replace("{", '{"prompt":"secret","__proto__":{"x":1},');
  const read = parseLine(text);
  assert.ok(read.kind === "line");
  assert.deepEqual(Object.keys(read.line).sort(), Object.keys({ ...lineOf(1), schema: 1, seq: 1 }).sort());
});

const good = JSON.parse(formatLine(lineOf(5), 9));
const LINES: [string, unknown, "line" | "bad" | "newer"][] = [
  ["a whole line", good, "line"],
  ["a line without tmux", { ...good, tmux: null }, "line"],
  ["upper case in the id", { ...good, session_id: idOf(0xab).toUpperCase() }, "line"],
  ["a newer schema", { ...good, schema: 2 }, "newer"],
  ["a newer schema with other fields", { schema: 3, seq: 1 }, "newer"],
  ["no schema", { ...good, schema: undefined }, "bad"],
  ["a schema in text", { ...good, schema: "1" }, "bad"],
  ["schema 0", { ...good, schema: 0 }, "bad"],
  ["no seq", { ...good, seq: undefined }, "bad"],
  ["a negative seq", { ...good, seq: -1 }, "bad"],
  ["a seq that cannot be counted on from", { ...good, seq: Number.MAX_SAFE_INTEGER }, "bad"],
  ["a seq of 1e300", { ...good, seq: 1e300 }, "bad"],
  ["an unknown event", { ...good, event: "reboot" }, "bad"],
  ["an id that is no UUID", { ...good, session_id: "../../etc/passwd" }, "bad"],
  ["an id with a newline", { ...good, session_id: `${idOf(1)}\n` }, "bad"],
  ["an id that is a list", { ...good, session_id: [idOf(1)] }, "bad"],
  ["no folder", { ...good, cwd: null }, "bad"],
  ["null", null, "bad"],
  ["a number", 5, "bad"],
  ["a list", [good], "bad"],
];

for (const [says, value, kind] of LINES) {
  Deno.test(`parseLine(): ${says} is ${kind}`, () =>
    assert.equal(parseLine(JSON.stringify(value)).kind, kind));
}

const PANES: [string, unknown][] = [
  ["pane id with a command", { ...good.tmux, pane_id: "%1;kill-server" }],
  ["pane id missing", { ...good.tmux, pane_id: undefined }],
  ["index in text", { ...good.tmux, window_index: "1" }],
  ["pid missing", { ...good.tmux, pid: null }],
  ["no object", "work:1.0"],
];

for (const [says, tmux] of PANES) {
  Deno.test(`parseLine() keeps the binding but not its pane when that has: ${says}`, () => {
    const read = parseLine(JSON.stringify({ ...good, tmux }));
    assert.ok(read.kind === "line" && read.line.tmux === null && read.line.session_id === idOf(5));
  });
}

Deno.test("a line is bounded to 64 KB: the oldest names go first, then the oldest ids, then what can be missed", () => {
  const names = Array.from({ length: 20 }, (_, index) => ({ name: `${index}`.padEnd(9_000, "ü"), at: "" }));
  const text = formatLine(lineOf(1, { names, chain: [idOf(2), idOf(3)] }), 1);
  assert.ok(encoder.encode(text).length <= LINE_BYTES);
  const kept = JSON.parse(text);
  assert.deepEqual(kept.names, names.slice(-kept.names.length));
  assert.ok(kept.names.length >= 3 && kept.chain.length === 2);
  const huge = "x".repeat(70_000);
  const essential = formatLine(
    lineOf(1, { names, chain: [idOf(2)], name: huge, transcript: huge, reason: huge }),
    1,
  );
  assert.ok(encoder.encode(essential).length <= LINE_BYTES);
  assert.equal(JSON.parse(essential).session_id, idOf(1));
  assert.throws(() => formatLine(lineOf(1, { cwd: huge }), 1), RangeError);
});

Deno.test("numbering goes on after a line of nearly 64 KB and after a long garbage tail", async () => {
  using world = makeState();
  await appendJournal(world.system, lineOf(1));
  await appendJournal(world.system, lineOf(2, { name: "x".repeat(65_000) }));
  await appendJournal(world.system, lineOf(3));
  Deno.writeTextFileSync(statePaths(world.system).journal, "?".repeat(100_000), { append: true });
  await appendJournal(world.system, lineOf(4));
  assert.deepEqual(readJournal(world.system).lines.map((line) => line.seq), [1, 2, 3, 4]);
  assert.equal(readJournal(world.system).bad, 1);
});

const TAILS: [string, string, number][] = [
  ["half a line", '{"schema":1,"se', 1],
  ["a line without its newline", formatLine(lineOf(8), 8), 0],
  ["NULs, as a power cut leaves them", "\0".repeat(4_096), 1],
  ["blank lines", "\n\n\n", 0],
  ["half a character", "\u{1F600}", 1],
  ["a carriage return", "\r", 1],
];

for (const [says, tail, bad] of TAILS) {
  Deno.test(`${says} at the end of the journal swallows nothing that is appended after it`, async () => {
    using world = makeState();
    const bytes = encoder.encode(journalText(2) + tail);
    putJournal(world, says === "half a character" ? bytes.slice(0, -2) : bytes);
    await appendJournal(world.system, lineOf(9));
    const journal = readJournal(world.system);
    assert.deepEqual([journal.lines.length, journal.lines.at(-1)?.source, journal.bad], [
      bad ? 3 : journal.lines.length,
      "9",
      bad,
    ]);
  });
}

Deno.test("H3: garbage, other documents and newer lines between are skipped and counted", () => {
  using world = makeState();
  const newer = JSON.stringify({ schema: 2, seq: 3, event: "teleport" });
  const garbage = [
    "{}",
    "[]",
    "null",
    "\u0000\u0000",
    "{",
    "x".repeat(300_000),
    '{"schema":1}',
    "\uFEFF",
    "// comment",
  ];
  const [first, second] = journalText(2).trimEnd().split("\n");
  const between = garbage.join("\n");
  putJournal(world, `${between}\n${first}\n${between}\n${newer}\n\n${second}\r\n${between}\n`);
  const { lines, bad, newer: newerLines } = readJournal(world.system);
  assert.deepEqual(lines.map((line) => line.source), ["1", "2"]);
  assert.equal(newerLines, 1);
  // A byte-order mark alone is an empty line to the decoder.
  assert.equal(bad, 3 * (garbage.length - 1));
});

Deno.test("H3: a folder that is no UTF-8 is not guessed, and a line of more than 256 KB is not looked at", () => {
  using world = makeState();
  const broken = encoder.encode(journalText(1));
  broken[encoder.encode(journalText(1).split("/home")[0]).length + 1] = 0xff;
  putJournal(world, broken);
  assert.deepEqual(readJournal(world.system), { lines: [], bad: 1, newer: 0 });
  putJournal(world, journalText(1).replace("{", `{${" ".repeat(300_000)}`));
  assert.deepEqual(readJournal(world.system), { lines: [], bad: 1, newer: 0 });
});

Deno.test("H3: truncated at every byte, the journal gives every whole line, and the next append is read", async () => {
  using world = makeState();
  const lines = journalText(4).trimEnd().split("\n");
  const bytes = encoder.encode(`${lines.join("\n")}\n`);
  const ends = lines.map((_, index) => encoder.encode(lines.slice(0, index + 1).join("\n")).length);
  for (let length = 0; length <= bytes.length; length++) {
    putJournal(world, bytes.subarray(0, length));
    const whole = ends.filter((end) => end <= length).length;
    const isTorn = length > 0 && !ends.includes(length) && !ends.includes(length - 1);
    const journal = readJournal(world.system);
    assert.deepEqual([journal.lines.length, journal.bad], [whole, isTorn ? 1 : 0], `cut at ${length}`);
    await appendJournal(world.system, lineOf(9));
    assert.deepEqual(sources(world.system).at(-1), "9", `cut at ${length}`);
    assert.equal(readJournal(world.system).lines.length, whole + 1, `cut at ${length}`);
  }
});

Deno.test("H3: a flipped bit costs at most the lines it is in (2,000 seeded flips)", () => {
  using world = makeState();
  const random = seeded(20_261_130);
  const text = journalText(6);
  const original = encoder.encode(text);
  for (let round = 0; round < 2_000; round++) {
    const at = Math.floor(random() * original.length);
    const flipped = original.slice();
    flipped[at] ^= 1 << Math.floor(random() * 8);
    putJournal(world, flipped);
    const line = text.slice(0, at).split("\n").length;
    const touched = original[at] === 10 ? [line, line + 1] : [line];
    const spared = [1, 2, 3, 4, 5, 6].filter((number) => !touched.includes(number)).map(String);
    const found = sources(world.system);
    assert.ok(spared.every((source) => found.includes(source)), `flip at ${at}, round ${round}`);
  }
});

Deno.test({
  name: "H3: of 100 MB only the end is read, in less than 150 MB of memory",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    for (const filler of ["valid lines", "NULs"]) {
      using world = makeState();
      putJournal(world, "");
      const { journal } = statePaths(world.system);
      if (filler === "NULs") Deno.truncateSync(journal, 100 * 1024 * 1024);
      else fill(journal, journalText(2_000), 100 * 1024 * 1024);
      await appendJournal(world.system, lineOf(1));
      const [counts] = await runWorker(world.root, ["read"]);
      const [lines, bad, peak, isLastThere] = counts.split(" ");
      assert.equal(isLastThere, "true", filler);
      // The line of 100 MB of NULs begins before what is read, so it is not counted.
      assert.equal(bad, "0", filler);
      assert.ok(filler === "NULs" ? lines === "1" : Number(lines) > 5_000, counts);
      assert.ok(Number(peak) < 150 * 1024, `${filler}: ${peak} kB`);
    }
  },
});

function fill(path: string, text: string, size: number): void {
  const block = encoder.encode(text);
  using file = Deno.openSync(path, { append: true });
  for (let done = 0; done < size; done += block.length) file.writeSync(block);
}

Deno.test("a window that begins just at a line loses nothing, within a line only that one", () => {
  using world = makeState();
  const eightMegabytes = 8 * 1024 * 1024;
  const lines = journalText(3);
  const filler = `${"x".repeat(eightMegabytes - encoder.encode(lines).length - 2)}\n`;
  const first = encoder.encode(journalText(1)).length;
  const cases: [number, string[]][] = [
    [0, ["1", "2", "3"]],
    [1, ["1", "2", "3"]],
    [2, ["2", "3"]],
    [50, ["2", "3"]],
    [first + 1, ["2", "3"]],
    [first + 2, ["3"]],
  ];
  for (const [extra, expected] of cases) {
    putJournal(world, lines + filler + "y".repeat(extra));
    assert.deepEqual(sources(world.system), expected, `${extra} bytes more`);
  }
});

Deno.test("trimJournal() leaves 1,200 lines alone and cuts 1,201 down to the last 1,000", async () => {
  using world = makeState();
  const oneConversation = () => ({ session_id: idOf(1) });
  putJournal(world, journalText(1_200, oneConversation));
  assert.equal(await trimJournal(world.system, () => null), 0);
  putJournal(world, journalText(1_201, oneConversation));
  assert.equal(await trimJournal(world.system, () => null), 201);
  assert.deepEqual(sources(world.system), Array.from({ length: 1_000 }, (_, index) => String(index + 202)));
  await appendJournal(world.system, lineOf(9));
  assert.equal(readJournal(world.system).lines.at(-1)?.seq, 1_202);
});

Deno.test("trimJournal() keeps the newest line of every conversation and folder, live lines and newer schemas", async () => {
  using world = makeState();
  const changes = (number: number): Partial<NewJournalLine> => {
    if (number === 10 || number === 20) return { session_id: idOf(999_999) };
    if (number === 30 || number === 40) return { session_id: idOf(1), cwd: "/home/me/elsewhere" };
    return { session_id: idOf(1) };
  };
  const newer = JSON.stringify({ schema: 2, seq: 1, what: "ever" });
  putJournal(world, `${newer}\n${journalText(1_500, changes)}`);
  const dropped = await trimJournal(world.system, (line) => line.source === "50" ? "%50" : null);
  const { lines, newer: newerLines, bad } = readJournal(world.system);
  assert.deepEqual(lines.slice(0, 4).map((line) => line.source), ["20", "40", "50", "501"]);
  assert.deepEqual([dropped, lines.length, newerLines, bad], [497, 1_003, 1, 0]);
});

Deno.test("L7: 10,000 lines of two live panes, as a long day of hooks writes them, come down to the last 1,000", async () => {
  using world = makeState();
  putJournal(world, journalText(10_000, (n) => ({ session_id: idOf(1), cwd: `/${n < 10 ? "old" : "new"}` })));
  await trimJournal(world.system, ({ tmux, seq }) => seq === 5 ? "%5" : tmux?.pane_id ? "%1" : null);
  const found = sources(world.system);
  assert.deepEqual([found.length, found[0], found[1]], [1_002, "5", "9"]);
});

Deno.test("trimJournal() does not rewrite a long journal of which nothing can go", async () => {
  using world = makeState();
  putJournal(world, journalText(1_500));
  const before = Deno.statSync(statePaths(world.system).journal);
  assert.equal(await trimJournal(world.system, () => null), 0);
  assert.equal(Deno.statSync(statePaths(world.system).journal).ino, before.ino);
});

Deno.test("trimJournal() drops garbage, also 20 MB of it, and keeps what is good in front of it", async () => {
  using world = makeState();
  putJournal(world, `${journalText(2)}${"garbage\n".repeat(2_000)}`);
  assert.equal(await trimJournal(world.system, () => null), 0);
  assert.deepEqual([sources(world.system), readJournal(world.system).bad], [["1", "2"], 0]);
  putJournal(world, journalText(2) + "\0".repeat(20 * 1024 * 1024));
  await trimJournal(world.system, () => null);
  assert.deepEqual(sources(world.system), ["1", "2"]);
  assert.ok(Deno.statSync(statePaths(world.system).journal).size < 5_000);
});

Deno.test("trimJournal() makes nothing where no state is, and sweeps what killed writers left", async () => {
  using world = makeState();
  assert.equal(await trimJournal(world.system, () => null), 0);
  assert.deepEqual(filesBelow(world.folder), []);
  putJournal(world, journalText(1));
  const temp = `${world.root}/.tmuxclaude-0123456789abcdef.tmp`;
  Deno.writeTextFileSync(temp, "");
  Deno.utimeSync(temp, new Date(0), new Date(0));
  await trimJournal(world.system, () => null);
  assert.deepEqual(filesBelow(world.root), ["journal.jsonl", "journal.lock"]);
});

/** A System whose lock is always held by someone else. */
function withoutLock(system: System): System {
  const files = {
    ...system.files,
    open: (...args: Parameters<typeof system.files.open>) => ({
      ...system.files.open(...args),
      tryLock: () => false,
    }),
  };
  return { ...system, files, sleep: () => Promise.resolve() };
}

Deno.test("lines that could not wait are read at their place and merged there by the next trim", async () => {
  using world = makeState();
  const busy = withoutLock(world.system);
  for (const number of [1, 2]) await appendJournal(world.system, lineOf(number));
  for (const number of [3, 4, 5]) await appendJournal(busy, lineOf(number));
  await appendJournal(world.system, lineOf(6));
  await appendJournal(busy, lineOf(7));
  await appendJournal(world.system, lineOf(8));
  const expected = ["1", "2", "3", "4", "5", "6", "7", "8"];
  assert.deepEqual(sources(world.system), expected);
  assert.equal(filesBelow(`${world.root}/spool`).length, 4);
  assert.equal(await trimJournal(busy, () => null), 0);
  assert.equal(filesBelow(`${world.root}/spool`).length, 4);
  assert.equal(await trimJournal(world.system, () => null), 0);
  assert.deepEqual(filesBelow(world.root), ["journal.jsonl", "journal.lock"]);
  assert.deepEqual(sources(world.system), expected);
  assert.deepEqual(readJournal(world.system).lines.map((line) => line.seq), [1, 2, 3, 4, 5, 6, 7, 8]);
});

Deno.test("appending goes on beside other writers, without the spool", async () => {
  using world = makeState();
  const { journalLock } = prepareState(world.system);
  const append = () => appendJournal(world.system, lineOf(1));
  await withLock(world.system, journalLock, { exclusive: false, waitMs: 0 }, append);
  assert.deepEqual(filesBelow(world.root), ["journal.jsonl", "journal.lock"]);
});

Deno.test("a merge that was killed before it removed the spool does not double lines", async () => {
  using world = makeState();
  await appendJournal(world.system, lineOf(1));
  await appendJournal(withoutLock(world.system), lineOf(2));
  const [name] = filesBelow(`${world.root}/spool`);
  Deno.copyFileSync(`${world.root}/spool/${name}`, `${world.folder}/copy`);
  await trimJournal(world.system, () => null);
  Deno.copyFileSync(`${world.folder}/copy`, `${world.root}/spool/${name}`);
  assert.deepEqual(sources(world.system), ["1", "2"]);
  await trimJournal(world.system, () => null);
  assert.deepEqual(sources(world.system), ["1", "2"]);
  assert.deepEqual(filesBelow(`${world.root}/spool`), []);
});

Deno.test("a spooled line that is still being written is left alone, after an hour it is given up", async () => {
  using world = makeState();
  await appendJournal(withoutLock(world.system), lineOf(1));
  const path = `${world.root}/spool/2-abcdef.jsonl`;
  Deno.writeTextFileSync(path, '{"schema":1,"seq":2', { mode: 0o600 });
  Deno.writeTextFileSync(`${world.root}/spool/notes.txt`, "not ours");
  await trimJournal(world.system, () => null);
  assert.deepEqual([sources(world.system), readJournal(world.system).bad], [["1"], 0]);
  assert.deepEqual(filesBelow(`${world.root}/spool`), ["2-abcdef.jsonl", "notes.txt"]);
  Deno.utimeSync(path, new Date(0), new Date(0));
  assert.equal(readJournal(world.system).bad, 1);
  await trimJournal(world.system, () => null);
  assert.deepEqual(filesBelow(`${world.root}/spool`), ["notes.txt"]);
});

const PLACES: [number[], number[], number[]][] = [
  [[], [], []],
  [[1, 2], [], [1, 2]],
  [[], [2, 1], [1, 2]],
  [[1, 4], [3, 2], [1, 2, 3, 4]],
  [[1, 2], [3], [1, 2, 3]],
  [[2, 3], [1], [1, 2, 3]],
  [[5, 1, 2], [3], [5, 1, 2, 3]],
  [[1, 9, 2, 9], [3], [1, 9, 2, 3, 9]],
];

for (const [lines, spooled, expected] of PLACES) {
  Deno.test(`placeBySeq() puts [${spooled}] into [${lines}]`, () => {
    const wrap = (numbers: number[]) => numbers.map((seq) => ({ seq }));
    assert.deepEqual(placeBySeq(wrap(lines), wrap(spooled)), wrap(expected));
  });
}

Deno.test("D6: whichever act of an append fails, it says so and neither this line nor an earlier one is lost", async () => {
  const failed: FileAct[] = [];
  for (let failAt = 1; failAt <= 4; failAt++) {
    using world = makeState();
    await appendJournal(world.system, lineOf(1));
    const acts: Act[] = [];
    const files = failingFiles(world.system.files, { at: failAt, error: DISK_FULL }, acts);
    await assert.rejects(() => appendJournal({ ...world.system, files }, lineOf(2)), namesAFile);
    assert.deepEqual(sources(world.system), ["1", "2"]);
    failed.push(acts[failAt - 1].act);
  }
  assert.deepEqual(failed, ["open", "tryLock", "open", "write"]);
});

Deno.test("D6: of several lines at once none is lost, whichever act fails and however much of it was done", async () => {
  for (const torn of [false, true]) {
    for (let failAt = 1; failAt <= 7; failAt++) {
      using world = makeState();
      await appendJournal(world.system, lineOf(1));
      const acts: Act[] = [];
      const files = failingFiles(world.system.files, { at: failAt, error: DISK_FULL, torn }, acts);
      const lines = [2, 3, 4, 5].map((number) => lineOf(number));
      await assert.rejects(() => appendJournalLines({ ...world.system, files }, lines), namesAFile);
      await appendJournal(world.system, lineOf(6));
      assert.deepEqual(sources(world.system), ["1", "2", "3", "4", "5", "6"], `${failAt} ${torn}`);
      await trimJournal(world.system, () => null);
      assert.deepEqual(sources(world.system), ["1", "2", "3", "4", "5", "6"], `trimmed ${failAt} ${torn}`);
    }
  }
});

Deno.test("several lines go in under one lock, one write each, and are numbered on", async () => {
  using world = makeState();
  await appendJournal(world.system, lineOf(1));
  const acts: Act[] = [];
  const files = failingFiles(world.system.files, { at: 0, error: DISK_FULL }, acts);
  await appendJournalLines({ ...world.system, files }, [2, 3, 4].map((number) => lineOf(number)));
  assert.deepEqual(acts.map(({ act }) => act), ["open", "tryLock", "open", "write", "write", "write"]);
  const { lines } = readJournal(world.system);
  assert.deepEqual(lines.map(({ seq, source }) => [seq, source]), [[1, "1"], [2, "2"], [3, "3"], [4, "4"]]);
  await appendJournalLines({ ...world.system, files }, []);
  assert.equal(acts.length, 6);
});

Deno.test("several lines that could not wait are in the spool, in their order", async () => {
  using world = makeState();
  await appendJournalLines(withoutLock(world.system), [1, 2, 3].map((number) => lineOf(number)));
  assert.equal(filesBelow(`${world.root}/spool`).length, 3);
  assert.deepEqual(sources(world.system), ["1", "2", "3"]);
});

function namesAFile(error: unknown): boolean {
  return error instanceof UserError && isFault(error.cause, DISK_FULL) &&
    error.what.startsWith('Cannot use "/');
}

Deno.test("D6: a disk that is full leaves no file for each line that could not be written", async () => {
  using world = makeState();
  await appendJournal(world.system, lineOf(1));
  const fail = () => {
    throw DISK_FULL;
  };
  const open = (...args: Parameters<System["files"]["open"]>) => ({
    ...world.system.files.open(...args),
    write: fail,
  });
  const full = { ...world.system, files: { ...world.system.files, open } };
  for (let n = 0; n < 3; n++) await assert.rejects(() => appendJournal(full, lineOf(2)), namesAFile);
  assert.deepEqual(filesBelow(world.root), ["journal.jsonl", "journal.lock"]);
  assert.deepEqual(sources(world.system), ["1"]);
});

Deno.test("D6: a trim that fails at any act leaves the journal and the spool as they were", async () => {
  for (let failAt = 1; failAt <= 6; failAt++) {
    using world = makeState();
    putJournal(world, journalText(1_300, () => ({ session_id: idOf(1) })));
    await appendJournal(withoutLock(world.system), lineOf(2));
    const before = sources(world.system);
    const acts: Act[] = [];
    const files = failingFiles(world.system.files, { at: failAt, error: DISK_FULL }, acts);
    await assert.rejects(() => trimJournal({ ...world.system, files }, () => null));
    assert.deepEqual(sources(world.system), before, acts.at(-1)?.act);
    assert.ok(filesBelow(world.root).every((name) => !name.endsWith(".tmp")));
  }
});

Deno.test("a dry run appends and trims nothing", async () => {
  using world = makeState();
  putJournal(world, journalText(1_300, () => ({ session_id: idOf(1) })));
  const system = dryRunSystem(world.system);
  await appendJournal(system, lineOf(2));
  assert.equal(await trimJournal(system, () => null), 300);
  assert.equal(readJournal(world.system).lines.length, 1_300);
  assert.deepEqual(filesBelow(world.root), ["journal.jsonl"]);
  const { journal } = statePaths(system);
  assert.deepEqual(system.planned, [`append to ${journal}`, `write ${journal}`]);
});

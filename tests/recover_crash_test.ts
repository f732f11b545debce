// Finding the first crash: server lives from the traces they left, loops passed over, clocks that jumped.
import assert from "node:assert/strict";
import { newBinding, sessionId } from "../src/binding.ts";
import { betterRecord, whyCrash } from "../src/recover/choice.ts";
import { firstCrash, newestFull } from "../src/recover/crash.ts";
import { correctedTimes, lived, serverLives } from "../src/recover/lives.ts";
import type { PastRecord } from "../src/recover/past.ts";
import type { JournalLine } from "../src/state/journal.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse("2026-09-28T18:00:00Z");
const iso = (time: number) => new Date(time).toISOString();

interface Life {
  name: string;
  first: number;
  last: number;
  lived: number;
  conversations: string[];
  known: string[];
}

/** A life that began and ended so many hours ago. */
function life(name: string, began: number, ended: number, held: string, known = held): Life {
  const [first, last] = [NOW - began * HOUR, NOW - ended * HOUR];
  return { name, first, last, lived: last - first, conversations: held.split(""), known: known.split("") };
}

const CASES: [string, Life[], string | null, string[]][] = [
  ["nothing was recorded", [], null, []],
  ["only empty lives", [life("b", 2, 1, ""), life("a", 9, 3, "")], null, []],
  ["one life with conversations", [life("a", 9, 3, "xyz")], "a", []],
  [
    "two empty starts after it",
    [life("c", 1, 0.9, ""), life("b", 2, 1.9, ""), life("a", 50, 3, "xyz")],
    "a",
    ["c", "b"],
  ],
  [
    "a few brought back between two crashes",
    [life("c", 1, 0.9, ""), life("b", 2, 1.5, "x"), life("a", 50, 3, "xyz")],
    "a",
    ["c", "b"],
  ],
  [
    "a short life that holds all of them, and more",
    [life("b", 2, 1.5, "xyzw"), life("a", 50, 3, "xyz")],
    "b",
    [],
  ],
  ["a long life with fewer: closed on purpose", [life("b", 20, 1, "x"), life("a", 50, 21, "xyz")], "b", []],
  ["a short life long after the one before", [life("b", 2, 1.5, "w"), life("a", 300, 200, "xyz")], "b", []],
  [
    "a start that put everything back, none of it used",
    [life("b", 2, 1.5, "", "xyz"), life("a", 50, 3, "xyz")],
    "a",
    ["b"],
  ],
  [
    "a short one with all put back, and one used",
    [life("b", 2, 1.5, "x", "xyz"), life("a", 50, 3, "xyz")],
    "b",
    [],
  ],
  [
    "nine boots on a Monday",
    [
      ...Array.from({ length: 8 }, (_, index) => life(`n${index}`, index + 0.5, index + 0.4, "")),
      life("m", 10, 9.8, "x"),
      life("a", 60, 22, "xyz"),
    ],
    "a",
    ["n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "m"],
  ],
];

Deno.test("the first crash is found, not the last start", () => {
  for (const [says, lives, wanted, loop] of CASES) {
    const found = firstCrash(lives);
    assert.equal(found?.life.name ?? null, wanted, says);
    assert.deepEqual(found?.loop.map(({ name }) => name) ?? [], loop, says);
  }
});

Deno.test("no more lives are read than the decision needs", () => {
  const read: string[] = [];
  const lives = function* () {
    for (
      const one of [
        life("c", 1, 0.9, ""),
        life("b", 40, 2, "x"),
        life("a", 90, 50, "y"),
        life("z", 900, 800, "q"),
      ]
    ) {
      read.push(one.name);
      yield one;
    }
  };
  assert.equal(firstCrash(lives())?.life.name, "b");
  assert.deepEqual(read, ["c", "b", "a"]);
});

Deno.test("without any conversation the newest record that is about as full as the fullest counts", () => {
  const records = [0, 1, 3, 20, 31, 30].map((count) => ({ count }));
  assert.equal(newestFull(records)?.count, 20);
  assert.equal(newestFull([{ count: 0 }]), null);
  assert.equal(newestFull([]), null);
});

const A = sessionId("aaaaaaaa-1111-4111-8111-111111111111")!;

function journalLine(at: number, server: { pid: number; started: number }): JournalLine {
  const pane = { socket: "/s", ...server, tmux_session: "w", window_index: 0, pane_index: 0, pane_id: "%0" };
  const rest = { schema: 1, seq: 0, event: "start", source: null, previous_id: null, tmux: pane } as const;
  return { ...newBinding(A, "/w", iso(at)), ...rest };
}

Deno.test("times of the journal are corrected where its order proves them wrong", () => {
  const at = (time: number) => ({ at: iso(time) });
  const lines = [
    at(NOW - 3 * DAY),
    at(NOW + 400 * DAY),
    at(NOW - 2 * DAY),
    at(1_000),
    at(NOW - 2 * DAY - HOUR),
    { at: "garbage" },
    at(NOW - DAY),
  ];
  assert.deepEqual(correctedTimes(lines, NOW), [
    NOW - 3 * DAY,
    NOW - 3 * DAY,
    NOW - 2 * DAY,
    NOW - 2 * DAY,
    NOW - 2 * DAY - HOUR,
    NOW - 2 * DAY,
    NOW - DAY,
  ]);
});

Deno.test("a life that ran with the clock in the future is not the newest for ever", () => {
  const future = { pid: 7, started: (NOW + 900 * DAY) / 1_000 };
  const good = { pid: 8, started: (NOW - 2 * DAY) / 1_000 };
  const other = { pid: 9, started: (NOW - DAY) / 1_000 };
  const lives = serverLives({
    journal: [
      journalLine(NOW - 3 * DAY, { pid: 6, started: (NOW - 4 * DAY) / 1_000 }),
      journalLine(NOW + 900 * DAY, future),
      journalLine(NOW - DAY - HOUR, good),
    ],
    records: [
      { life: { socket: "/s", ...future }, time: NOW + 901 * DAY },
      { life: { socket: "/s", ...other }, time: NOW - HOUR },
    ],
    socket: "/s",
    now: NOW,
  });
  assert.deepEqual(lives.map(({ pid }) => pid), [9, 8, 7, 6]);
  assert.equal(lives.find(({ pid }) => pid === 7)!.last, NOW - 3 * DAY);
  assert.equal(lived(lives[0]), DAY - HOUR);
});

Deno.test("a server that began at the time of an empty battery did not live for decades", () => {
  const [one] = serverLives({
    journal: [
      journalLine(NOW - HOUR, { pid: 5, started: 100 }),
      journalLine(NOW - HOUR / 2, { pid: 5, started: 100 }),
    ],
    records: [],
    socket: "/s",
    now: NOW,
  });
  assert.equal(lived(one), HOUR / 2);
  assert.deepEqual(serverLives({ journal: [], records: [], socket: "/s", now: NOW }), []);
  const other = serverLives({
    journal: [journalLine(NOW, { pid: 5, started: 1 })],
    records: [],
    socket: "/t",
    now: NOW,
  });
  assert.deepEqual(other, []);
});

Deno.test("our own record is preferred, unless a tmux save is more than a day newer", () => {
  const record = (time: number) => ({ time }) as PastRecord;
  const [own, near, far] = [record(0), record(DAY), record(DAY + 1)];
  assert.equal(betterRecord(own, near), own);
  assert.equal(betterRecord(own, far), far);
  assert.equal(betterRecord(null, near), near);
  assert.equal(betterRecord(own, null), own);
  assert.equal(betterRecord(null, null), null);
});

Deno.test("the reason tells the crash, the boots and the starts since", () => {
  const down = new Date(2026, 8, 27, 19, 31, 47).getTime();
  assert.equal(
    whyCrash({ last: down - 60_000, down, boots: 9, starts: 3 }),
    "is the last one before the first crash (the machine went down at 2026-09-27 19:31; since then 9 boots and " +
      "3 starts of tmux: a crash loop)",
  );
  assert.equal(
    whyCrash({ last: down, down: null, boots: 0, starts: 1 }),
    "is the last one before the first crash (tmux was last seen at 2026-09-27 19:31; since then 1 start of tmux)",
  );
  assert.equal(
    whyCrash({ last: down, down: null, boots: 0, starts: 0 }),
    "is the last one before the first crash (tmux was last seen at 2026-09-27 19:31)",
  );
});

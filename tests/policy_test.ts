// What becomes of the rows of a record: which conversation each pane has, and what a restore does with it, as tables.
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { Binding } from "../src/binding.ts";
import { rowAt } from "../src/ladder/offer.ts";
import {
  type Action,
  actionFor,
  byActivity,
  defaultFloor,
  type Policy,
  policyOf,
} from "../src/policy/actions.ts";
import { atSavedPlaces, paneBaseOf } from "../src/policy/belongs.ts";
import { lastKnown } from "../src/policy/later.ts";
import { type LayoutFacts, layoutOf } from "../src/policy/layout.ts";
import type { Match, RestoredPane } from "../src/policy/match.ts";
import { oneHolderEach, toRow } from "../src/policy/rows.ts";
import type { ManifestRow } from "../src/state/manifest.ts";
import type { Pane } from "../src/tmux/panes.ts";
import { bindingOf, id, LIFE, lineOf, manifestOf, rowOf, TIME } from "./helpers/facts.ts";

const [A, B] = ["a", "b"].map(id);

const POLICIES: [flag: string | undefined, option: string, Policy | null][] = [
  [undefined, "", "lazy"],
  [undefined, "type", "type"],
  [undefined, "run", "run"],
  ["lazy", "run", "lazy"],
  [undefined, "Run", null],
  [undefined, "#(touch x)", null],
  ["", "lazy", null],
];

for (const [flag, option, policy] of POLICIES) {
  Deno.test(`policyOf(): flag ${JSON.stringify(flag)} and option "${option}" give ${policy}`, () =>
    strictEqual(policyOf(flag, option), policy));
}

function matchOf(more: { running?: boolean; binding?: Partial<Binding>; row?: Partial<ManifestRow> }): Match {
  return {
    row: rowOf("s:0.0", more.row),
    pane: null,
    binding: bindingOf(A, more.binding),
    running: more.running ?? true,
  } as Match;
}

const ACTIONS: [says: string, Policy, Parameters<typeof matchOf>[0], Action][] = [
  ["lazy types nothing", "lazy", {}, "stamp"],
  ["type never presses Enter", "type", {}, "type"],
  ["run starts what ran", "run", {}, "launch"],
  ["run only types what the user had ended", "run", { running: false }, "type"],
  ["run only types what is no certainty", "run", { binding: { restored_from: "journal" } }, "type"],
];

for (const [says, policy, match, action] of ACTIONS) {
  Deno.test(`actionFor(): ${says}`, () => strictEqual(actionFor(matchOf(match), policy), action));
}

Deno.test("byActivity() puts the most recently active pane first, then the conversation that was bound last", () => {
  const [idle, busy, older] = [
    matchOf({ row: { activity: 1 }, binding: { at: "2026-02" } }),
    matchOf({ row: { activity: 9 } }),
    matchOf({ row: { activity: 1 }, binding: { at: "2026-01" } }),
  ];
  deepStrictEqual(byActivity([older, idle, busy]), [busy, idle, older]);
  deepStrictEqual(byActivity([idle, older]), [idle, older]);
});

Deno.test("defaultFloor() is a quarter of the memory, 16 GiB at most and where nobody knows", () => {
  const gib = 1024 ** 3;
  deepStrictEqual([8, 64, 512].map((size) => defaultFloor(size * gib) / gib), [2, 16, 16]);
  strictEqual(defaultFloor(null) / gib, 16);
});

type Held = [live: boolean, inherited: boolean, at: string];
const RIVALS: [says: string, Held, Held][] = [
  ["a live one keeps its conversation from one that was bound later", [true, false, "2026-01"], [
    false,
    false,
    "2026-02",
  ]],
  ["its own stamp keeps it from what was inherited", [false, false, "2026-01"], [false, true, "2026-02"]],
  ["the one that was bound last keeps it", [false, false, "2026-02"], [false, false, "2026-01"]],
];

for (const [says, ...held] of RIVALS) {
  Deno.test(`oneHolderEach(): ${says}, in whichever order`, () => {
    const rows = held.map(([live, inherited, at], index) =>
      rowOf(`s:${index}.0`, { live, inherited, binding: bindingOf(A, { at }) })
    );
    for (const order of [[rowOf("s:9.0"), ...rows], rows.toReversed()]) {
      const kept = oneHolderEach(order).filter(({ binding }) => binding !== null);
      deepStrictEqual(kept.map(({ window_index }) => window_index), [0]);
    }
  });
}

Deno.test("toRow() takes a dead pane's folder from its stamp, and inherits only without a binding of its own", () => {
  const pane = {
    ...rowOf("s:0.0"),
    pid: 1,
    cwd: "",
    stamp: bindingOf(A, { cwd: "/of the stamp" }),
  } as unknown as Pane;
  const facts = { pane, live: false, binding: null, evidence: [], earlier: bindingOf(B) };
  strictEqual(toRow(facts).cwd, "/of the stamp");
  strictEqual(toRow({ ...facts, pane: { ...pane, stamp: null } }).cwd, "");
  deepStrictEqual([toRow(facts).binding?.session_id, toRow(facts).inherited], [B, true]);
  const own = toRow({ ...facts, binding: bindingOf(A) });
  deepStrictEqual([own.binding?.session_id, own.inherited], [A, false]);
});

Deno.test("rowAt() takes the row whose own address it is, else one that lists it, else none", () => {
  const [own, linked] = [rowOf("s:0.0"), rowOf("s:1.0")];
  linked.addresses.push(rowOf("t:3.0"), own);
  const manifest = manifestOf([linked, own]);
  strictEqual(rowAt(manifest, own), own);
  strictEqual(rowAt(manifest, rowOf("t:3.0")), linked);
  strictEqual(rowAt(manifest, rowOf("s:9.0")), null);
});

const LATER = "2026-01-01T01:00:00.000Z";
const tmux = { ...LIFE, tmux_session: "s", window_index: 0, pane_index: 0, pane_id: "%1" };

Deno.test("lastKnown() follows the pane's own lines: the end of a conversation keeps what was announced after it", () => {
  const announced = bindingOf(B);
  const row = rowOf("s:0.0", { live: true, binding: bindingOf(A, { candidate: announced }) });
  const end = lineOf(A, { event: "end", state: "exited", at: LATER, tmux });
  const found = lastKnown(row, manifestOf([row]), [end], () => false);
  deepStrictEqual([found?.binding.session_id, found?.running], [A, false]);
  deepStrictEqual(found?.binding.candidate?.session_id, B);
  const again = lineOf(B, { event: "rename", name: "named", at: LATER, tmux });
  deepStrictEqual(lastKnown(row, manifestOf([row]), [again], () => false)?.binding.candidate?.name, "named");
  const owned = lastKnown(row, manifestOf([row]), [end], (one) => one === B);
  deepStrictEqual(owned?.binding.session_id, B);
});

Deno.test("lastKnown() goes on with the pane that came back for the row in a later life, when that is a successor", () => {
  const row = rowOf("s:0.0", { live: true, binding: bindingOf(A) });
  const back = { ...tmux, pid: 2, started: 2, pane_id: "%5" };
  const lines = [
    lineOf(A, { event: "restore", at: LATER, tmux: back, state: "restored" }),
    lineOf(B, { event: "start", at: `${LATER}2`, tmux: back }),
  ];
  deepStrictEqual(lastKnown(row, manifestOf([row]), lines, () => true)?.binding.session_id, B);
  const elsewhere = lines.map((line) => ({ ...line, tmux: { ...back, window_index: 4 } }));
  deepStrictEqual(lastKnown(row, manifestOf([row]), elsewhere, () => true)?.binding.session_id, A);
});

Deno.test("lastKnown() says nothing of a pane that held nothing, and believes the row where no line speaks", () => {
  const empty = rowOf("s:0.0");
  strictEqual(lastKnown(empty, manifestOf([empty]), [], () => true), null);
  const teammate = { pid: 1, started: "1", version: null, kind: "teammate", wrapper: null } as const;
  const nobodys = [
    lineOf(A, { at: LATER, tmux: null }),
    lineOf(A, { at: LATER, tmux, claude: teammate }),
    lineOf(A, { at: TIME, tmux }),
  ];
  strictEqual(lastKnown(empty, manifestOf([empty]), nobodys, () => true), null);
  for (
    const [live, state, running] of [[true, "running", true], [true, "exited", false], [
      false,
      "running",
      false,
    ]] as const
  ) {
    const row = rowOf("s:0.0", { live, binding: bindingOf(A, { state }) });
    strictEqual(lastKnown(row, manifestOf([row], { at: TIME }), [], () => true)?.running, running);
  }
});

const savedAt = (pane_id: string, address: string, cwd = "/work") => {
  const { tmux_session, window_index, pane_index } = rowOf(address);
  return { pane_id, tmux_session, window_index, pane_index, cwd };
};

const BASES: [says: string, firsts: number[][], recorded: number, base: number][] = [
  ["the recorded one, where most windows begin with it", [[1, 2], [1], [0, 1]], 1, 1],
  ["another, where most windows begin with another", [[0, 1], [0], [1]], 1, 0],
  ["the recorded one, when windows disagree in halves", [[0], [1]], 1, 1],
  ["the recorded one, where nothing is saved", [], 1, 1],
];

for (const [says, windows, recorded, base] of BASES) {
  Deno.test(`paneBaseOf(): ${says}`, () => {
    const panes = windows.flatMap((indexes, window_index) =>
      indexes.map((pane_index) => ({ tmux_session: "s", window_index, pane_index }))
    );
    strictEqual(paneBaseOf(panes, recorded), base);
  });
}

Deno.test("atSavedPlaces() gives rows the places that their panes have in the save, told by their ids", () => {
  const rows = [
    rowOf("s:0.0", { pane_id: "%1", deliberate: true }),
    rowOf("s:1.0", { pane_id: "%2", cwd: "/a  b" }),
    rowOf("s:2.0", { pane_id: "%3" }),
  ];
  const found = atSavedPlaces(rows, [
    savedAt("%1", "t:5.1"),
    savedAt("%2", "s:1.0", "/a b"),
    savedAt("%9", "s:7.0"),
  ]);
  deepStrictEqual(
    found.rows.map(({ tmux_session, window_index, cwd }) => [tmux_session, window_index, cwd]),
    [
      ["t", 5, "/work"],
      ["s", 1, "/a  b"],
      ["s", 2, "/work"],
    ],
  );
  deepStrictEqual(found.rows.map((row) => found.saved.has(row)), [true, true, false]);
  strictEqual(found.rows[0].deliberate, false);
  const moved = atSavedPlaces(rows, [savedAt("%1", "s:0.0", "/elsewhere")]).rows[0];
  strictEqual(moved.cwd, "/elsewhere");
});

const paneOf = (pane_id: string, address: string): RestoredPane => ({
  pane_id,
  addresses: [plain(address)],
  cwd: "/work",
  window_name: "bash",
  automatic_rename: true,
  live: false,
  dead: false,
  stamp: null,
});

const plain = (address: string) => {
  const { tmux_session, window_index, pane_index } = rowOf(address);
  return { tmux_session, window_index, pane_index };
};

const recorded = (...rows: [pane_id: string, address: string, more?: Partial<ManifestRow>][]) =>
  manifestOf(rows.map(([pane_id, address, more]) => rowOf(address, { pane_id, ...more })));

const DOUBTS: [says: string, LayoutFacts, pane: string, doubt: RegExp | null][] = [
  [
    "nothing is known of this life",
    { panes: [paneOf("%1", "s:0.0")], places: [plain("s:0.0")], present: null },
    "%1",
    null,
  ],
  [
    "it is where the last record of this life has it",
    { panes: [paneOf("%1", "s:0.0")], places: [plain("s:0.0")], present: recorded(["%1", "s:0.0"]) },
    "%1",
    null,
  ],
  [
    "it was elsewhere in the last record",
    { panes: [paneOf("%1", "s:0.0")], places: [plain("s:0.0")], present: recorded(["%1", "s:1.0"]) },
    "%1",
    /moved since the last save/,
  ],
  [
    "another one was at its place",
    { panes: [paneOf("%2", "s:0.0")], places: [plain("s:0.0")], present: recorded(["%1", "s:0.0"]) },
    "%2",
    /another pane was at its place/,
  ],
  [
    "it came into being out of order",
    {
      panes: [paneOf("%5", "s:0.0"), paneOf("%1", "s:1.0")],
      places: [plain("s:0.0"), plain("s:1.0")],
      present: null,
    },
    "%5",
    /moved or opened again/,
  ],
  [
    "a pane more in its window moved the indexes",
    { panes: [paneOf("%1", "s:0.0"), paneOf("%2", "s:0.1")], places: [plain("s:0.0")], present: null },
    "%1",
    /there was no pane s:0\.1 at the save/,
  ],
];

for (const [says, facts, paneId, doubt] of DOUBTS) {
  Deno.test(`layoutOf(): ${says}`, () => {
    const found = layoutOf(facts).doubt(facts.panes.find(({ pane_id }) => pane_id === paneId)!);
    ok(doubt === null ? found === null : doubt.test(found ?? ""), `${found}`);
  });
}

Deno.test("layoutOf() knows the pane that a save of this life gave a conversation to, and the first at a place", () => {
  const [first, second] = [paneOf("%1", "s:0.0"), paneOf("%2", "s:0.0")];
  const present = recorded(
    ["%2", "s:0.0", { inherited: true, binding: bindingOf(A) }],
    ["%9", "s:1.0", { inherited: true, binding: bindingOf(B) }],
  );
  const layout = layoutOf({ panes: [first, second], places: [], present });
  strictEqual(layout.heirOf(A), second);
  strictEqual(layout.heirOf(B), null);
  strictEqual(layout.paneAt([plain("s:9.9"), plain("s:0.0")]), first);
  strictEqual(layout.paneAt([plain("s:9.9")]), null);
});

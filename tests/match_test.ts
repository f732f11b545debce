// Which restored pane is which row: never a wrong one called exact.
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { PaneAddress, SessionId } from "../src/binding.ts";
import { agreeingSessions, belongsTo } from "../src/policy/belongs.ts";
import { type MatchFacts, matchRows, type RestoredPane } from "../src/policy/match.ts";
import type { Manifest, ManifestRow } from "../src/state/manifest.ts";
import { identifiedRows } from "../src/tmux/saves.ts";
import { bindingOf, id, lineOf, manifestOf, rowOf } from "./helpers/facts.ts";

const [A, B] = ["a", "b"].map(id);

const paneOf = (address: string, more: Partial<RestoredPane> = {}): RestoredPane => {
  const { tmux_session, window_index, pane_index } = rowOf(address);
  return {
    pane_id: "%9",
    addresses: [{ tmux_session, window_index, pane_index }],
    cwd: "/work",
    window_name: "bash",
    automatic_rename: true,
    live: false,
    dead: false,
    stamp: null,
    ...more,
  };
};

const facts = (manifest: Manifest, panes: RestoredPane[], more: Partial<MatchFacts> = {}): MatchFacts => ({
  manifest,
  panes,
  journal: [],
  since: [],
  places: manifest.panes.concat(panes.flatMap((pane) => pane.addresses) as ManifestRow[]),
  present: null,
  pane_base_index: 0,
  home: "/home/u",
  isGone: () => false,
  doubt: () => null,
  owns: () => true,
  ...more,
});

const bound = (more: Partial<ManifestRow> = {}) =>
  manifestOf([rowOf("s:0.0", { binding: bindingOf(A), ...more })]);

const CASES: [string, MatchFacts, RegExp | "stamp"][] = [
  ["address and folder agree", facts(bound(), [paneOf("s:0.0")]), "stamp"],
  ["the pane is missing", facts(bound(), [paneOf("s:0.1")]), /s:0\.0 is not there/],
  ["another folder", facts(bound(), [paneOf("s:0.0", { cwd: "/x" })]), /folder was \/work and is \/x/],
  [
    "home, where resurrect loses the folder of an empty title",
    facts(bound({ title: "" }), [paneOf("s:0.0", { cwd: "/home/u" })]),
    "stamp",
  ],
  [
    "home, with two spaces in the folder",
    facts(bound({ cwd: "/a  b" }), [paneOf("s:0.0", { cwd: "/home/u" })]),
    "stamp",
  ],
  ...["/a#S", "/a;"].map((cwd): [string, MatchFacts, "stamp"] => [
    `home, with the folder ${cwd}, which tmux reads as something else`,
    facts(bound({ cwd }), [paneOf("s:0.0", { cwd: "/home/u" })]),
    "stamp",
  ]),
  ["home, where nothing explains it", facts(bound(), [paneOf("s:0.0", { cwd: "/home/u" })]), /folder was/],
  [
    "home, and the folder is gone",
    facts(bound(), [paneOf("s:0.0", { cwd: "/home/u" })], { isGone: () => true }),
    "stamp",
  ],
  [
    "pane-base-index changed",
    facts(bound(), [paneOf("s:0.0")], { pane_base_index: 1 }),
    /pane-base-index was 0/,
  ],
  ["a Claude runs there", facts(bound(), [paneOf("s:0.0", { live: true })]), /Claude is running/],
  [
    "another conversation is stamped",
    facts(bound(), [paneOf("s:0.0", { stamp: bindingOf(B) })]),
    /another conversation/,
  ],
  [
    "the same is stamped already",
    facts(bound(), [paneOf("s:0.0", { stamp: bindingOf(A) })]),
    /already stamped/,
  ],
  [
    "record and save differ in the session",
    facts(bound(), [paneOf("s:0.0")], { doubt: () => "the record and the tmux save differ" }),
    /differ/,
  ],
  [
    "another window name alone says nothing",
    facts(bound({ deliberate: true, window_name: "api" }), [
      paneOf("s:0.0", { automatic_rename: false, window_name: "web" }),
    ]),
    "stamp",
  ],
  [
    "the window's name stands on another window now",
    facts(bound({ deliberate: true, window_name: "api" }), [
      paneOf("s:0.0", { automatic_rename: false, window_name: "web" }),
      paneOf("s:1.0", { pane_id: "%10", automatic_rename: false, window_name: "api" }),
    ]),
    /window "api" is at another place/,
  ],
  [
    "a teammate",
    facts(
      bound({
        binding: bindingOf(A, {
          claude: { pid: 1, started: "", version: null, kind: "teammate", wrapper: null },
        }),
      }),
      [
        paneOf("s:0.0"),
      ],
    ),
    /teammate/,
  ],
];

for (const [says, given, wants] of CASES) {
  Deno.test(`matchRows(): ${says}`, () => {
    const [match] = matchRows(given);
    if (wants === "stamp") strictEqual(match.verdict, "stamp", match.reason ?? "");
    else ok(match.verdict !== "stamp" && wants.test(match.reason ?? ""), `${match.verdict}: ${match.reason}`);
  });
}

Deno.test("matchRows() goes by what the journal saw in the pane after the save", () => {
  const line = lineOf(B, { at: "2026-01-01T05:00:00.000Z" });
  const [match] = matchRows(facts(bound(), [paneOf("s:0.0")], { journal: [line] }));
  deepStrictEqual([match.binding.session_id, match.binding.restored_from, match.running], [
    B,
    "journal",
    true,
  ]);
  const ended = lineOf(A, { at: "2026-01-01T05:00:00.000Z", event: "end", state: "exited" });
  const [same] = matchRows(facts(bound({ live: true }), [paneOf("s:0.0")], { journal: [ended] }));
  deepStrictEqual([same.binding.session_id, same.binding.restored_from, same.running], [
    A,
    "manifest",
    false,
  ]);
});

Deno.test("a conversation that two rows name is put back where it was held last", () => {
  const rows = [["s:0.0", "%1", "2026-01"], ["s:1.0", "%2", "2026-02"]].map(([address, pane_id, at]) =>
    rowOf(address, { pane_id, binding: bindingOf(A, { at }) })
  );
  const matches = matchRows(facts(manifestOf(rows), [
    paneOf("s:0.0", { pane_id: "%1" }),
    paneOf("s:1.0", { pane_id: "%2" }),
  ]));
  deepStrictEqual(matches.map(({ verdict }) => verdict), ["left", "stamp"]);
  ok(/went on in s:1\.0/.test(matches[0].reason!));
});

Deno.test("a conversation that another pane holds by now, or held since, is not put back", () => {
  const [here, there] = [paneOf("s:0.0", { pane_id: "%1" }), paneOf("s:1.0", { pane_id: "%2" })];
  const [stamped] = matchRows(facts(bound(), [here, { ...there, stamp: bindingOf(A) }]));
  ok(/went on in s:1\.0/.test(stamped.reason!), stamped.reason!);
  const tmux = {
    socket: "/tmp/s",
    pid: 1,
    started: 1,
    tmux_session: "s",
    window_index: 3,
    pane_index: 0,
    pane_id: "%7",
  };
  const [resumed] = matchRows(facts(bound(), [here], { since: [lineOf(A, { tmux })] }));
  ok(/went on in s:3\.0/.test(resumed.reason!), resumed.reason!);
  for (const event of ["revive", "restore"] as const) {
    strictEqual(
      matchRows(facts(bound(), [here], { since: [lineOf(A, { tmux, event })] }))[0].verdict,
      "stamp",
    );
  }
});

Deno.test("belongsTo() wants every pane on both sides, in the same folder", () => {
  const rows = [rowOf("s:0.0"), rowOf("s:1.0", { cwd: "/a  b\\c" })];
  const saved = (address: string, cwd: string) => ({
    ...rowOf(address),
    cwd,
    title: "",
    command: "",
    full_command: "",
    pane_id: null,
  });
  const layout = (...panes: ReturnType<typeof saved>[]) => ({ panes, sameLife: true });
  ok(belongsTo(rows, layout(saved("s:0.0", "/work"), saved("s:1.0", "/a bc"))));
  const hashed = [rowOf("s:0.0", { cwd: "/a#S" })];
  ok(belongsTo(hashed, layout(saved("s:0.0", "/a#S"))) && belongsTo(hashed, layout(saved("s:0.0", "/a##S"))));
  ok(!belongsTo(rows, layout(saved("s:0.0", "/work"))));
  ok(!belongsTo(rows, layout(saved("s:0.0", "/work"), saved("s:1.0", "/other"))));
  ok(!belongsTo([], layout()));
  const odd = [rowOf("s:0.0", { cwd: "/a\nb" }), rowOf("s:1.0", { cwd: "/a b\tc  d" })];
  ok(belongsTo(odd, layout(saved("s:0.0", "/a"), saved("s:1.0", "/a b"))));
  const two = layout(saved("a:0.0", "/work"), saved("b:0.0", "/x"));
  deepStrictEqual([...agreeingSessions([rowOf("a:0.0"), rowOf("b:0.0")], two)], ["a"]);
});

/** A seeded generator: a failure is repeated by its seed. */
function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 2147483648 * limit);
  };
}

interface Cell {
  address: PaneAddress;
  cwd: string;
  name: string;
  session: SessionId;
}

/** Changes after a save, as people and tmux make them: what sits where is no longer what was saved. */
function shuffle(cells: Cell[], roll: (limit: number) => number): Cell[] {
  const now = cells.map((cell) => ({ ...cell }));
  for (let change = roll(4); change > 0; change--) {
    const [one, other] = [now[roll(now.length)], now[roll(now.length)]];
    [one.session, other.session, one.cwd, other.cwd] = [other.session, one.session, other.cwd, one.cwd];
  }
  return roll(3) === 0 ? now.slice(0, -1) : now;
}

Deno.test("1,000 random layouts: a record that is not the save's never names a conversation that was not there", () => {
  for (let seed = 1; seed <= 1_000; seed++) {
    const roll = random(seed);
    const saved: Cell[] = Array.from({ length: 2 + roll(6) }, (_, index) => ({
      address: { tmux_session: `s${roll(2)}`, window_index: index, pane_index: 0 },
      cwd: `/f${roll(3)}`,
      name: "bash",
      session: id(String(index)),
    }));
    const recorded = shuffle(saved, roll);
    const rows = recorded.map(({ address, cwd, session }) =>
      rowOf("x:0.0", { ...address, addresses: [address], cwd, binding: bindingOf(session, { cwd }) })
    );
    const savedPanes = saved.map(({ address, cwd }) => ({
      ...address,
      cwd,
      title: "",
      command: "",
      full_command: "",
      pane_id: null,
    }));
    const panes = saved.map(({ address, cwd }, index) =>
      paneOf("x:0.0", { pane_id: `%${index}`, addresses: [address], cwd })
    );
    const sessions = agreeingSessions(rows, { panes: savedPanes, sameLife: true });
    const doubt = (row: ManifestRow) => sessions.has(row.tmux_session) ? null : "they differ";
    for (const match of matchRows(facts(manifestOf(rows), panes, { doubt }))) {
      if (match.verdict !== "stamp") ok(match.reason, `seed ${seed}: a refusal without a reason`);
      else strictEqual(match.pane!.cwd, match.binding.cwd, `seed ${seed}`);
    }
  }
});

Deno.test("belongsTo() knows a pane without title, whose line is not repaired yet", () => {
  const line = ["pane", "s", "0", "1", ":*", "0", ":/work", "1", "bash", "4711", ":"].join("\t");
  ok(belongsTo([rowOf("s:0.0", { title: "" })], { panes: identifiedRows(line), sameLife: true }));
});

Deno.test("a pane with several addresses is found by any of them, and of several panes the first is taken", () => {
  const addressesOf = (...all: string[]): PaneAddress[] => all.flatMap((one) => paneOf(one).addresses);
  const panes = [
    paneOf("s:1.0", { pane_id: "%1", addresses: addressesOf("s:1.0", "group:1.0") }),
    paneOf("s:2.0", { pane_id: "%2", addresses: addressesOf("s:2.0", "s:0.0") }),
    paneOf("s:3.0", { pane_id: "%3", addresses: addressesOf("s:3.0", "s:0.0") }),
    paneOf("s:0.1:x", { pane_id: "%4" }),
  ];
  const taken = (row: Partial<ManifestRow>) => matchRows(facts(bound(row), panes))[0].pane?.pane_id ?? null;
  strictEqual(taken({}), "%2");
  strictEqual(taken({ addresses: addressesOf("s:0.0", "group:1.0") }), "%1");
  strictEqual(taken({ tmux_session: "group", window_index: 1, addresses: addressesOf("group:1.0") }), "%1");
  strictEqual(taken({ tmux_session: "s 0", addresses: [] }), null);
});

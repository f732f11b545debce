// Ranking: which conversation a pane of the past may have held, best first, and what differs from now.
import assert from "node:assert/strict";
import { type Binding, newBinding, type PaneAddress, type SessionId, sessionId } from "../src/binding.ts";
import type { Alive } from "../src/ladder/pick.ts";
import { bindCommand, makeCommand, remakeCommand, resumeCommand } from "../src/recover/advice.ts";
import { candidates, MOST } from "../src/recover/candidates.ts";
import { difference, isWithin, type PresentPane } from "../src/recover/difference.ts";
import { claims, type Witnesses } from "../src/recover/hints.ts";
import { fromManifest, fromSave, type PastPane, type PastRecord } from "../src/recover/past.ts";
import { chooseCommand, narrowed, type Report, toJson } from "../src/recover/report.ts";
import { formatTime } from "../src/recover/when.ts";
import { type TranscriptFacts, transcriptTable } from "../src/recover/transcripts.ts";
import type { JournalLine } from "../src/state/journal.ts";
import type { ManifestRow } from "../src/state/manifest.ts";
import type { SavedRow } from "../src/tmux/saves.ts";

const NOW = Date.parse("2026-09-28T18:00:00Z");
const HOUR = 3_600_000;
const LIFE = { socket: "/s", pid: 11, started: (NOW - 50 * HOUR) / 1_000 };
const RECORD = NOW - 5 * HOUR;
const CRASH = NOW - 4 * HOUR;

const id = (letter: string): SessionId => sessionId(`${letter.repeat(8)}-1111-4111-8111-111111111111`)!;
const [A, B, C, D, E, F] = ["a", "b", "c", "d", "e", "f"].map(id);
const iso = (time: number) => new Date(time).toISOString();
const binding = (of: SessionId, changes: Partial<Binding> = {}): Binding => ({
  ...newBinding(of, "/w", iso(RECORD - HOUR)),
  ...changes,
});

function row(index: number, changes: Partial<ManifestRow> = {}): ManifestRow {
  const address = { tmux_session: "work", window_index: index, pane_index: 0 };
  return {
    ...address,
    addresses: [address],
    pane_id: `%${index}`,
    window_id: `@${index}`,
    window_name: "bash",
    deliberate: false,
    title: "",
    cwd: "/w",
    command: "claude",
    activity: 0,
    live: true,
    inherited: false,
    binding: null,
    evidence: [],
    ...changes,
  };
}

function saved(index: number, changes: Partial<SavedRow> = {}): SavedRow {
  return {
    tmux_session: "work",
    window_index: index,
    pane_index: 0,
    window_name: "bash",
    title: "",
    cwd: "/w",
    command: "claude",
    full_command: "",
    ...changes,
  };
}

function recordOf(rows: ManifestRow[], save: SavedRow[] = []): PastRecord {
  return fromManifest({
    schema: 1,
    at: iso(RECORD),
    server: { ...LIFE, version: "3.3a", host: "h" },
    resurrect: { folder: null, save: null },
    base_index: 0,
    pane_base_index: 0,
    count: rows.length,
    panes: rows,
  }, save);
}

const saveOf = (rows: SavedRow[]): PastRecord =>
  fromSave({ name: "tmux_resurrect_x.txt", time: RECORD }, rows);

function transcript(of: SessionId, changes: Partial<TranscriptFacts> = {}): TranscriptFacts {
  return {
    id: of,
    title: null,
    folders: ["/w"],
    began: RECORD - 9 * HOUR,
    active: RECORD - HOUR,
    ...changes,
  };
}

function line(
  of: SessionId,
  at: number,
  place: Partial<JournalLine["tmux"]>,
  changes: Partial<Binding> = {},
) {
  const tmux = { ...LIFE, tmux_session: "work", window_index: 0, pane_index: 0, pane_id: "%0", ...place };
  const rest = { schema: 1, seq: 0, event: "start", source: null, previous_id: null, tmux } as const;
  return { ...binding(of, changes), at: iso(at), ...rest } as JournalLine;
}

interface World {
  record: PastRecord;
  journal?: JournalLine[];
  transcripts?: TranscriptFacts[];
  holders?: [SessionId, Alive | { where: "bound"; pane_id: string; address: string }][];
  owned?: SessionId[];
  bound?: SessionId;
}

function ask(world: World, index = 0) {
  const panes = world.record.panes;
  const witnesses: Witnesses = {
    record: world.record,
    journal: world.journal ?? [],
    transcripts: transcriptTable(world.transcripts ?? []),
    key: (folder) => folder,
    sharing: (key) => panes.filter(({ cwd }) => cwd === key).length,
  };
  return candidates({ pane: panes[index], here: { pane_id: "%70", bound: world.bound ?? null } }, {
    ...witnesses,
    claimed: claims(panes, witnesses),
    holders: new Map(world.holders ?? []),
    owns: (of) => world.owned?.includes(of) ?? false,
    crash: CRASH,
    now: NOW,
  });
}

const order = (world: World, index = 0) => ask(world, index).map((one) => one.session_id);

Deno.test("what speaks of the pane itself comes first, its name next, its folder last", () => {
  const world: World = {
    record: recordOf(
      [row(0, { binding: binding(B), window_name: "Fix-login" }), row(1, { cwd: "/other" })],
      [saved(0, { full_command: `claude --resume ${C}` })],
    ),
    journal: [line(D, RECORD - 3 * HOUR, {}), line(B, RECORD - 2 * HOUR, {}), line(A, RECORD + 60_000, {})],
    transcripts: [
      transcript(A),
      transcript(B),
      transcript(C),
      transcript(D),
      transcript(E, { title: "Fix login", active: RECORD - 90 * HOUR }),
      transcript(F, { active: RECORD }),
    ],
  };
  assert.deepEqual(order(world), [A, B, C, D, E, F]);
  assert.deepEqual(ask(world).map(({ evidence }) => evidence[0].replace(/\d{4}-.*:\d\d/, "T")), [
    "journal: it began in this pane after the record",
    "the record of T has it in this pane",
    "tmux-resurrect saved a command that names it",
    "journal: it was in this pane",
    'its window was named "Fix-login"',
    "transcript of this folder",
  ]);
});

Deno.test("a pane that is bound now says so first", () => {
  const world = {
    record: recordOf([row(0, { binding: binding(A) })]),
    transcripts: [transcript(A), transcript(B)],
  };
  const [first] = ask({ ...world, bound: B });
  assert.equal(first.session_id, B);
  assert.equal(first.evidence[0], "bound to this pane now");
});

Deno.test("a shared folder says that it cannot tell, and gives the newest first", () => {
  const record = saveOf([saved(0), saved(1), saved(2)]);
  const world: World = {
    record,
    transcripts: [
      transcript(A, { active: RECORD - 3 * HOUR }),
      transcript(B, { active: RECORD - HOUR }),
      transcript(C, { active: RECORD - 2 * HOUR }),
    ],
  };
  for (const index of [0, 1, 2]) assert.deepEqual(order(world, index), [B, C, A]);
  assert.deepEqual(ask(world)[0], {
    session_id: B,
    title: null,
    evidence: ["transcript of this folder (which 3 panes share: it cannot tell)"],
    age_seconds: 6 * 3_600,
  });
});

Deno.test("what another pane has a better claim to comes after the rest of the folder", () => {
  const record = saveOf([saved(0), saved(1, { full_command: `claude --resume ${B}` })]);
  const world: World = { record, transcripts: [transcript(A, { active: RECORD - 9 * HOUR }), transcript(B)] };
  assert.deepEqual(order(world, 0), [A, B]);
  assert.deepEqual(order(world, 1), [B, A]);
  assert.ok(ask(world, 0)[1].evidence.includes("more likely it was in pane work:1.0"));
});

Deno.test("a name that only one pane has is a claim too, a name that two have is none", () => {
  const transcripts = [transcript(A, { title: "Fix login" }), transcript(B, { active: RECORD - 9 * HOUR })];
  const one = saveOf([saved(0), saved(1, { title: "✳ Fix login" })]);
  assert.deepEqual([order({ record: one, transcripts }, 0), order({ record: one, transcripts }, 1)], [
    [B, A],
    [A, B],
  ]);
  const two = saveOf([saved(0), saved(1, { title: "✳ Fix login" }), saved(2, { window_name: "Fix-login" })]);
  assert.deepEqual(order({ record: two, transcripts }, 0), [A, B]);
});

Deno.test("what is alive or bound elsewhere now comes last, and says where", () => {
  const record = recordOf([row(0, { binding: binding(A) })]);
  const places: [World["holders"], string | null][] = [
    [[[A, { where: "pane", pane_id: "%9", address: "w:1.0" }]], "now alive in pane w:1.0 (%9)"],
    [[[A, { where: "bound", pane_id: "%9", address: "w:1.0" }]], "now bound to pane w:1.0 (%9)"],
    [[[A, { where: "background", pid: 5, job: "j" }]], "it runs in the background now"],
    [[[A, { where: "process", pid: 5 }]], "it is alive now (process 5)"],
    [[[A, { where: "pane", pane_id: "%70", address: "work:0.0" }]], null],
  ];
  for (const [holders, why] of places) {
    const found = ask({ record, holders, transcripts: [transcript(A), transcript(B)] });
    assert.equal(found[why === null ? 0 : 1].session_id, A);
    assert.ok(
      found.find(({ session_id }) => session_id === A)!.evidence.includes(
        why ?? "it is running in this pane now",
      ),
    );
  }
});

Deno.test("a conversation without a transcript comes last, and only when more than its folder speaks for it", () => {
  const world: World = {
    record: recordOf([row(0, { binding: binding(A, { chain: [D], name: "named" }) })]),
    journal: [line(E, RECORD - HOUR, { window_index: 9, pane_id: "%9" })],
    transcripts: [transcript(B)],
    owned: [D],
  };
  assert.deepEqual(order(world), [D, B, A]);
  const last = ask(world)[2];
  assert.equal(last.title, "named");
  assert.ok(last.evidence.includes("no transcript: it cannot be resumed"));
});

Deno.test("what began or went on after the crash comes after what stopped with it", () => {
  const world: World = {
    record: saveOf([saved(0)]),
    transcripts: [
      transcript(A, { active: CRASH + HOUR }),
      transcript(B, { began: CRASH + 1, active: CRASH + HOUR }),
      transcript(C, { active: RECORD - 40 * HOUR }),
    ],
  };
  assert.deepEqual(order(world), [C, A, B]);
  assert.ok(ask(world)[1].evidence.includes("used again since the crash"));
  assert.ok(ask(world)[2].evidence.includes("began after the crash"));
});

Deno.test("worktrees and repositories are related; a name in another folder counts least", () => {
  const world: World = {
    record: saveOf([saved(0, { window_name: "api" })]),
    transcripts: [
      transcript(A, { folders: ["/x"], title: "api" }),
      transcript(B, { folders: ["/w/.claude/worktrees/one"] }),
      transcript(C, { active: RECORD - 90 * HOUR }),
      transcript(D, { folders: ["/w/below"] }),
    ],
  };
  assert.deepEqual(order(world), [C, B, A]);
  const within = saveOf([saved(0, { cwd: "/w/.claude/worktrees/two" })]);
  assert.deepEqual(order({ record: within, transcripts: world.transcripts }), [B, C]);
});

Deno.test("a name alone is a hint only while nothing speaks for another place of the conversation", () => {
  const record = recordOf([row(0, { window_name: "api" })]);
  const elsewhere = transcript(A, { folders: ["/x"], title: "api" });
  assert.deepEqual(order({ record, transcripts: [elsewhere] }), [A]);
  const bound = { where: "bound", pane_id: "%71", address: "work:1.0" } as const;
  assert.deepEqual(order({ record, transcripts: [elsewhere], holders: [[A, bound]] }), []);
});

Deno.test("titles in saved commands, forks, teammates and earlier lives", () => {
  const rows = [
    saved(0, { full_command: "claude --resume Fix login --verbose" }),
    saved(1, {
      full_command: `claude --resume ${B} --fork-session`,
    }),
  ];
  const transcripts = [transcript(A, { title: "Fix login" }), transcript(B), transcript(C), transcript(D)];
  const mate = { claude: { pid: 1, started: "1", version: null, kind: "teammate", wrapper: null } } as const;
  const earlier = { pid: 3, started: 4 };
  const journal = [line(C, RECORD - 99 * HOUR, earlier), line(D, RECORD, earlier, mate)];
  assert.deepEqual(
    ask({ record: saveOf(rows), transcripts, journal }, 0).slice(0, 2).map(({ evidence }) => evidence[0]),
    [
      'the saved command names "Fix login"',
      "journal: it was at this address, in this folder",
    ],
  );
  assert.equal(
    ask({ record: saveOf(rows), transcripts, journal }, 1)[0].evidence[0],
    "tmux-resurrect saved a command that forked it",
  );
});

Deno.test("ages are never negative, unknown ones are null, and the list is bounded", () => {
  const record = saveOf([saved(0)]);
  const many = Array.from({ length: 40 }, (_, index) => {
    const of = sessionId(`00000000-1111-4111-8111-${String(index).padStart(12, "0")}`)!;
    return transcript(of, { active: 0 });
  });
  const found = ask({ record, transcripts: many });
  assert.equal(found.length, MOST);
  assert.ok(found.every(({ age_seconds }) => age_seconds === null));
  assert.equal(ask({ record, transcripts: [transcript(A, { active: NOW + HOUR })] })[0].age_seconds, 0);
});

function present(pane_id: string, window_index: number, changes: Partial<PresentPane> = {}): PresentPane {
  const address = { tmux_session: "work", window_index, pane_index: 0, ...changes } as PaneAddress;
  const { tmux_session, pane_index } = address;
  const addresses = [{ tmux_session, window_index, pane_index }];
  return {
    window_name: "w",
    cwd: "/w",
    bound: null,
    ...address,
    ...changes,
    pane_id,
    addresses,
    window_index,
  };
}

Deno.test("the difference names what is missing, what is extra, and what moved", () => {
  const record = recordOf([
    row(0, { binding: binding(A) }),
    row(1, { binding: binding(B) }),
    row(2),
    row(0, { tmux_session: "old", addresses: [{ tmux_session: "old", window_index: 0, pane_index: 0 }] }),
  ]);
  const now = [
    present("%5", 0, { bound: A }),
    present("%6", 2, { bound: B }),
    present("%7", 0, { tmux_session: "new" }),
  ];
  const found = difference(record, now, { pane_base_index: 0 });
  assert.deepEqual(
    found.missing.map((
      pane,
    ) => [pane.tmux_session, pane.window_index, pane.tmux_session_missing, pane.opens_session]),
    [["work", 1, false, false], ["old", 0, true, true]],
  );
  assert.deepEqual(found.extra.map((pane) => [pane.pane_id, pane.tmux_session_extra]), [["%7", true]]);
  assert.deepEqual(
    found.moved.map(({ session_id, from, to }) => [session_id, from.window_index, to.pane_id]),
    [[B, 1, "%6"]],
  );
  assert.deepEqual([...found.here.values()].map((pane) => pane?.pane_id ?? null), ["%5", null, "%6", null]);
  assert.deepEqual(difference(null, now, { pane_base_index: 0 }).extra, []);
});

Deno.test("another pane-base-index is no difference", () => {
  const record = recordOf([row(0), row(1)]);
  const now = [present("%5", 0, { pane_index: 1 }), present("%6", 1, { pane_index: 1 })];
  const found = difference(record, now, { pane_base_index: 1 });
  assert.deepEqual([found.missing, found.extra], [[], []]);
});

Deno.test("a report is narrowed by pane, tmux session, folder and time", () => {
  const record = saveOf([
    saved(0),
    saved(1, { cwd: "/w/below" }),
    saved(2, { tmux_session: "other", cwd: "/wide" }),
  ]);
  const facts = difference(record, [present("%5", 0)], { pane_base_index: null });
  const aged = (age_seconds: number | null) => ({ session_id: A, title: null, evidence: [], age_seconds });
  const report: Report = {
    record,
    why: "",
    difference: facts,
    panes: record.panes.map((pane: PastPane) => ({
      pane,
      here: facts.here.get(pane) ?? null,
      candidates: [aged(60), aged(7_200), aged(null)],
      isKnown: true,
    })),
  };
  const left = (wanted: Parameters<typeof narrowed>[1]) =>
    narrowed(report, wanted, NOW).panes.map(({ pane }) => pane.window_index);
  assert.deepEqual(left({}), [0, 1, 2]);
  assert.deepEqual(left({ paneId: "%5" }), [0]);
  assert.deepEqual(left({ tmuxSession: "other" }), [2]);
  assert.deepEqual(left({ folder: "/w" }), [0, 1]);
  const recent = narrowed(report, { since: NOW - HOUR }, NOW).panes[0].candidates;
  assert.deepEqual(recent.map(({ age_seconds }) => age_seconds), [60]);
  assert.deepEqual(narrowed(report, { folder: "/wide" }, NOW).difference.missing.map((pane) => pane.cwd), [
    "/wide",
  ]);
  assert.ok(isWithin("/", "/") && isWithin("/a", "/") && !isWithin("/ab", "/a"));
});

Deno.test("the JSON has the shape that was promised, nothing missing and nothing undefined", () => {
  const record = saveOf([saved(0), saved(1)]);
  const differs = difference(record, [present("%5", 0), present("%6", 7, { bound: A })], {
    pane_base_index: null,
  });
  const panes = record.panes.map((pane) => ({
    pane,
    here: differs.here.get(pane) ?? null,
    candidates: [],
    isKnown: false,
  }));
  const json = toJson({ record, why: "is it", panes, difference: differs }, { socket: null });
  assert.deepEqual(JSON.parse(JSON.stringify(json)), {
    snapshot: { at: iso(RECORD), save: "tmux_resurrect_x.txt", why: "is it" },
    panes: [
      { pane_id: "%5", tmux_session: "work", window_index: 0, pane_index: 0, candidates: [] },
      { pane_id: null, tmux_session: "work", window_index: 1, pane_index: 0, candidates: [] },
    ],
    missing: [{
      pane_id: null,
      tmux_session: "work",
      window_index: 1,
      pane_index: 0,
      tmux_session_missing: false,
      window_name: "bash",
      cwd: "/w",
      command: "tmux new-window -d -t '=work:' -n bash -c /w",
    }],
    extra: [{
      pane_id: "%6",
      tmux_session: "work",
      window_index: 7,
      pane_index: 0,
      tmux_session_extra: false,
      window_name: "w",
      cwd: "/w",
      session_id: A,
      command: "tmux kill-pane -t %6",
    }],
    moved: [],
  });
  const none = difference(null, [], { pane_base_index: null });
  assert.equal(
    toJson({ record: null, why: "", panes: [], difference: none }, { socket: null }).snapshot,
    null,
  );
});

Deno.test("a conversation that went elsewhere is told with both places and the way there", () => {
  const record = recordOf([row(0, { binding: binding(A) })]);
  const differs = difference(record, [present("%6", 7, { bound: A })], { pane_base_index: 0 });
  const json = toJson({ record, why: "", panes: [], difference: differs }, { socket: "/s x" });
  assert.deepEqual(JSON.parse(JSON.stringify(json)).moved, [{
    session_id: A,
    from: { pane_id: null, tmux_session: "work", window_index: 0, pane_index: 0 },
    to: { pane_id: "%6", tmux_session: "work", window_index: 7, pane_index: 0 },
    command: "tmux -S '/s x' switch-client -t %6",
  }]);
});

Deno.test("the command that gives a pane its conversation makes a missing pane again first", () => {
  const record = saveOf([saved(0), saved(1)]);
  const differs = difference(record, [present("%5", 0)], { pane_base_index: null });
  const of = (index: number, here: { pane_id: string } | null) =>
    chooseCommand({ pane: record.panes[index], here, candidates: [], isKnown: false } as never, A, differs, {
      socket: null,
    });
  assert.equal(of(0, { pane_id: "%5" }), `tmuxclaude recover --bind %5=${A}`);
  assert.match(of(1, null), /^tmuxclaude recover --bind \$\(tmux new-window -d -P .*-t '=work:'.*\)=a/);
  // A pane that the record does not call missing belongs to no tmux session that is there.
  assert.match(of(0, null), /^tmuxclaude recover --bind \$\(tmux new-session -d -P .*-s work/);
});

Deno.test("what is alive elsewhere, or running in the pane itself, is said", () => {
  const world: World = {
    record: recordOf([row(0, { binding: binding(A) })]),
    transcripts: [transcript(A), transcript(B)],
  };
  const says = (holder: Alive) =>
    ask({ ...world, holders: [[A, holder]] }).find((one) => one.session_id === A)?.evidence.join();
  assert.match(says({ where: "process", pid: 7 })!, /alive now \(process 7\)/);
  assert.match(says({ where: "background", pid: 7, job: "a" })!, /runs in the background now/);
  assert.match(says({ where: "pane", pane_id: "%70", address: "work:0.0" })!, /running in this pane now/);
  assert.match(
    says({ where: "pane", pane_id: "%71", address: "work:1.0" })!,
    /now alive in pane work:1\.0 \(%71\)/,
  );
});

Deno.test("a record that carried a conversation over, or of which the user had ended it, says so; a time that is none is no time", () => {
  const ended = recordOf([
    row(0, {
      inherited: true,
      binding: binding(A, { state: "exited", at: "", candidate: binding(C), chain: [B] }),
    }),
  ]);
  const found = ask({ record: ended, owned: [A, B, C] });
  assert.match(
    found.find((one) => one.session_id === A)!.evidence.join(),
    /carried over from an earlier one, ended there by its user/,
  );
  assert.match(
    found.find((one) => one.session_id === C)!.evidence.join(),
    /announced in this pane before the record/,
  );
  assert.match(found.find((one) => one.session_id === B)!.evidence.join(), /was in this pane before \/clear/);
  assert.equal(formatTime(NaN), "an unknown time");
});

Deno.test("what began after the crash is doubted, and what only a folder speaks for needs a transcript", () => {
  const record = recordOf([row(0, { binding: binding(A) })]);
  const found = ask({
    record,
    transcripts: [transcript(A), transcript(B, { began: CRASH + HOUR, active: CRASH + 2 * HOUR })],
  });
  assert.match(found.find((one) => one.session_id === B)!.evidence.join(), /began after the crash/);
  assert.deepEqual(
    order({
      record: recordOf([row(0)]),
      journal: [line(C, RECORD - HOUR, { pane_id: "%8", window_index: 5 })],
    }),
    [],
  );
});

Deno.test("a pane whose folder nobody knows is matched by no folder", () => {
  const record = saveOf([saved(0, { cwd: "" })]);
  assert.deepEqual(
    order({
      record,
      transcripts: [transcript(A, { folders: [""] })],
      journal: [line(B, RECORD - HOUR, { pane_id: "%9" })],
    }),
    [],
  );
});

Deno.test("commands carry names and folders that hurt, and name the socket when it was given", () => {
  const pane = {
    ...saveOf([saved(0, { tmux_session: "a b", window_name: "#(touch x)", cwd: "/it's #S;" })]).panes[0],
  };
  const missing = { ...pane, tmux_session_missing: true, opens_session: true };
  const at = { socket: null };
  assert.equal(bindCommand("%5", A, at), `tmuxclaude recover --bind %5=${A}`);
  assert.equal(bindCommand("%5", A, { socket: "/s x" }), `tmuxclaude recover --socket '/s x' --bind %5=${A}`);
  assert.equal(
    makeCommand(missing, at),
    `tmux new-session -d -s 'a b' -n '##(touch x)' -c "/it's ##S\\;"`.replace(
      '"/it\'s ##S\\;"',
      "'/it'\\''s ##S\\;'",
    ),
  );
  assert.ok(
    remakeCommand({ ...missing, opens_session: false }, A, at).startsWith(
      "tmuxclaude recover --bind $(tmux new-window -d -P -F '#{pane_id}' -t '=a b:' ",
    ),
  );
  assert.equal(
    resumeCommand(pane, A, { cwd: "/x", configDir: "/c d" }),
    `cd /x && CLAUDE_CONFIG_DIR='/c d' claude --resume ${A}`,
  );
});

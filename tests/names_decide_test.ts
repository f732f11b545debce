// Titles, pushes, outcomes, starts and taken names as tables.
import assert from "node:assert/strict";
import { type SessionId, sessionId } from "../src/binding.ts";
import { decideOutcome, decidePush, type PushDecision, type PushTarget } from "../src/names/decide.ts";
import { type StartFacts, titleAtStart } from "../src/names/start.ts";
import { takenNames, windowNamesIn, type WindowRoot } from "../src/names/taken.ts";
import { cleanTitle, currentTitles, isCollision, type Titles } from "../src/names/title.ts";

const TITLES: [title: string, clean: string][] = [
  ["✳ Fix login", "Fix login"],
  ["⠂ Fix login", "Fix login"],
  ["⠐ Fix login", "Fix login"],
  ["◐ Fix login", "Fix login"],
  ["* Fix login", "Fix login"],
  ["> Fix login", "Fix login"],
  ["✳ ✳ starred", "✳ starred"],
  ["A bug", "A bug"],
  ["日本語 title", "日本語 title"],
  ["claude · resume", "claude · resume"],
  ["", ""],
  ["✳ ", "✳"],
];

for (const [title, clean] of TITLES) {
  Deno.test(`cleanTitle() makes "${clean}" of "${title}"`, () => assert.equal(cleanTitle(title), clean));
}

Deno.test("isCollision() knows Claude's two random words, with and without a number", () => {
  assert.ok(isCollision("foo", "foo-toasty-bentley"));
  assert.ok(isCollision("foo", "foo-toasty-bentley-12"));
  assert.ok(isCollision("日本", "日本-toasty-bentley"));
  for (
    const other of ["foo", "foo-2", "foo-bar", "foobar-toasty-bentley", "foo-Toasty-bentley", "foo-a-b-c"]
  ) {
    assert.ok(!isCollision("foo", other), other);
  }
});

const target: PushTarget = {
  takesTitleFromHook: true,
  conversationKnown: true,
  titles: ["Claude Code"],
  box: "empty",
};

const PUSHES: [why: string, facts: Parameters<typeof decidePush>[0], decision: PushDecision][] = [
  [
    "does nothing for a window that nobody named",
    { deliberate: false, wanted: { name: "zsh" }, target },
    { do: "nothing", because: "not-named" },
  ],
  [
    "does nothing without a live Claude, even for a name that cannot be one",
    { deliberate: true, wanted: { error: "it holds no letter or digit" }, target: null },
    { do: "nothing", because: "no-claude" },
  ],
  [
    "refuses a name of which nothing is left",
    { deliberate: true, wanted: { error: "it holds no letter or digit" }, target },
    { do: "refuse", reason: "it holds no letter or digit" },
  ],
  [
    "does nothing when any title has the name already",
    { deliberate: true, wanted: { name: "foo" }, target: { ...target, titles: ["Claude Code", "foo"] } },
    { do: "nothing", because: "same" },
  ],
  [
    "types into an empty box",
    { deliberate: true, wanted: { name: "foo" }, target },
    { do: "type", name: "foo" },
  ],
  [
    "types into an empty box of a version whose hooks take no title",
    { deliberate: true, wanted: { name: "foo" }, target: { ...target, takesTitleFromHook: false } },
    { do: "type", name: "foo" },
  ],
  [
    "leaves a name for the next prompt when a dialog is open",
    { deliberate: true, wanted: { name: "foo" }, target: { ...target, box: "dialog" } },
    { do: "pending", name: "foo", because: "dialog" },
  ],
  [
    "leaves a name for the next prompt when there is a draft",
    { deliberate: true, wanted: { name: "foo" }, target: { ...target, box: "draft" } },
    { do: "pending", name: "foo", because: "draft" },
  ],
  [
    "leaves it to the coming start while the conversation is not known",
    {
      deliberate: true,
      wanted: { name: "foo" },
      target: { ...target, conversationKnown: false, box: "dialog" },
    },
    { do: "hook", name: "foo" },
  ],
  [
    "types for a conversation that nobody knows, when the box is empty",
    { deliberate: true, wanted: { name: "foo" }, target: { ...target, conversationKnown: false } },
    { do: "type", name: "foo" },
  ],
  [
    "refuses over a draft of a conversation that nobody knows",
    {
      deliberate: true,
      wanted: { name: "foo" },
      target: { ...target, conversationKnown: false, box: "draft" },
    },
    { do: "refuse", reason: "there is a draft in its input box" },
  ],
  [
    "refuses over a draft where no hook can deliver",
    {
      deliberate: true,
      wanted: { name: "foo" },
      target: { ...target, takesTitleFromHook: false, box: "draft" },
    },
    { do: "refuse", reason: "there is a draft in its input box" },
  ],
];

for (const [why, facts, decision] of PUSHES) {
  Deno.test(`decidePush() ${why}`, () => assert.deepEqual(decidePush(facts), decision));
}

const titles = (
  shown: string | null,
  registry: string | null = null,
  stored: string | null = null,
): Titles => ({
  shown,
  registry,
  stored,
});

const NOW: [why: string, titles: Titles, known: string | null, current: string[]][] = [
  ["the pane's title when the registry confirms it", titles("foo", "foo", "old"), null, ["foo"]],
  ["the pane's title when the transcript confirms it", titles("foo", null, "foo"), null, ["foo"]],
  ["the pane's title when we gave it at the start", titles("new", "old", "old"), "new", ["new"]],
  ["the given names when the pane shows Claude's own title", titles("Fix it", "foo", "foo"), null, [
    "foo",
    "foo",
  ]],
  ["the given names when titles are off", titles(null, null, "foo"), null, ["foo"]],
  ["nothing when nobody named it", titles("Claude Code"), null, []],
];

for (const [why, seen, known, current] of NOW) {
  Deno.test(`currentTitles() believes ${why}`, () => assert.deepEqual(currentTitles(seen, known), current));
}

Deno.test("decideOutcome() takes any witness that has the name now as landed", () => {
  for (const after of [titles("foo", "a"), titles("a", "foo"), titles("a", "a", "foo")]) {
    const outcome = decideOutcome("foo", { before: titles("a", "a"), after }, { final: false });
    assert.deepEqual(outcome, { outcome: "landed" });
  }
});

Deno.test("decideOutcome() does not believe a witness that had the name before", () => {
  const seen = titles("a", "foo");
  assert.deepEqual(decideOutcome("foo", { before: seen, after: seen }, { final: true }), {
    outcome: "waiting",
  });
});

Deno.test("decideOutcome() sees a new collision at once, an old one only at the end", () => {
  const title = "foo-toasty-bentley";
  const fresh = { before: titles("a"), after: titles(title) };
  const old = { before: titles(title), after: titles(title) };
  assert.deepEqual(decideOutcome("foo", fresh, { final: false }), { outcome: "collision", title });
  assert.deepEqual(decideOutcome("foo", old, { final: false }), { outcome: "waiting" });
  assert.deepEqual(decideOutcome("foo", old, { final: true }), { outcome: "collision", title });
});

Deno.test("decideOutcome() waits while nothing has changed", () => {
  const same = { before: titles("a"), after: titles("a") };
  assert.deepEqual(decideOutcome("foo", same, { final: true }), { outcome: "waiting" });
});

const fresh: StartFacts = {
  source: "startup",
  takesTitleFromHook: true,
  speaksForWindow: true,
  window: { name: "foo bar", deliberate: true },
  sessionTitle: null,
  names: [],
};
const had = (...names: string[]) => names.map((name) => ({ name, at: "2026-01-01T00:00:00Z" }));

const STARTS: [why: string, facts: Partial<StartFacts>, title: string | null][] = [
  ["gives a new conversation the window's name", {}, "foo-bar"],
  ["is silent in a window that nobody named", { window: { name: "zsh", deliberate: false } }, null],
  ["is silent for a version that takes no title", { takesTitleFromHook: false }, null],
  ["is silent for a second Claude or a teammate in the window", { speaksForWindow: false }, null],
  ["is silent for a name of which nothing is left", { window: { name: "!!", deliberate: true } }, null],
  ["is silent after a compaction", { source: "compact" }, null],
  ["is silent when the title is right", { source: "resume", sessionTitle: "foo-bar" }, null],
  [
    "takes Claude's two words off again",
    { source: "resume", sessionTitle: "foo-bar-toasty-bentley", names: had("foo-bar") },
    "foo-bar",
  ],
  ["gives a resumed conversation without a title the name", { source: "resume" }, "foo-bar"],
  ["leaves a title of -n alone", { sessionTitle: "mine" }, null],
  ["leaves a title it has never seen alone", { source: "resume", sessionTitle: "old talk" }, null],
  [
    "lets a window win that was named after the title",
    { source: "resume", sessionTitle: "old", names: had("older", "old") },
    "foo-bar",
  ],
  [
    "never undoes a /rename that came after the window's name",
    { source: "resume", sessionTitle: "mine", names: had("foo-bar", "mine") },
    null,
  ],
  ["leaves the title that /clear carried over", { source: "clear", sessionTitle: "mine", names: [] }, null],
  ["gives a cleared conversation without a title the name", { source: "clear" }, "foo-bar"],
  ["gives a fork the name of its own window", { source: "fork", sessionTitle: "original" }, "foo-bar"],
];

for (const [why, change, title] of STARTS) {
  Deno.test(`titleAtStart() ${why}`, () => assert.equal(titleAtStart({ ...fresh, ...change }), title));
}

const id = (digit: number) => sessionId(`${digit}`.repeat(8) + "-1111-4111-8111-111111111111") as SessionId;
const own = { session_id: id(1), earlier: [id(2)], names: had("earlier") };
const nothing = { stored: [], live: [], windows: [], own };

Deno.test("takenNames() counts titles of others, never those of the own lineage", () => {
  const stored = [1, 2, 3].map((digit) => ({ session_id: id(digit), title: `title-${digit}` }));
  assert.deepEqual(takenNames({ ...nothing, stored }), ["title-3"]);
});

Deno.test("takenNames() lets a conversation have back a name that it had itself", () => {
  const stored = [{ session_id: id(4), title: "earlier" }];
  assert.deepEqual(takenNames({ ...nothing, stored }), []);
  assert.deepEqual(takenNames({ ...nothing, stored, own: { ...own, names: [] } }), ["earlier"]);
});

Deno.test("takenNames() counts a name that is alive elsewhere, also one it had itself", () => {
  const live = [{ session_id: id(5), name: "earlier", source: "user" }];
  assert.deepEqual(takenNames({ ...nothing, live }), ["earlier"]);
});

Deno.test("takenNames() counts an earlier conversation of this pane when it is alive elsewhere", () => {
  const live = [{ session_id: id(2), name: "moved", source: "user" }];
  assert.deepEqual(takenNames({ ...nothing, live }), ["moved"]);
});

Deno.test("takenNames() never counts derived names, nor the own one", () => {
  const live = [
    { session_id: id(5), name: "proj-98", source: "derived" },
    { session_id: id(1), name: "mine", source: "user" },
  ];
  assert.deepEqual(takenNames({ ...nothing, live }), []);
});

Deno.test("windowNamesIn() counts other named windows of the same folder", () => {
  const window = (number: number, change: Partial<WindowRoot> = {}): WindowRoot => ({
    window_id: `@${number}`,
    name: `w${number}`,
    automatic: false,
    folders: ["/p"],
    ...change,
  });
  const windows = [
    window(1),
    window(2),
    window(3, { folders: ["/q"] }),
    window(4, { automatic: true }),
    window(5, { folders: ["/q", "/p"] }),
    window(6, { name: "" }),
  ];
  assert.deepEqual(windowNamesIn("/p", "@1", windows), ["w2", "w5"]);
});

// The event on a hook's stdin: what Claude really sends, and everything else.
import assert from "node:assert/strict";
import { HOOK_LIMIT, type HookEvent, type HookEventRead, parseHookEvent } from "../src/claude/hook_event.ts";

const ID = "3e671a15-db76-4f66-b7f4-68a6bc197e91";
const START = {
  session_id: ID,
  transcript_path: `/home/u/.claude/projects/-w/${ID}.jsonl`,
  cwd: "/w",
  hook_event_name: "SessionStart",
  source: "startup",
};

function read(text: string): HookEventRead {
  return parseHookEvent(new TextEncoder().encode(text));
}

function eventOf(change: Record<string, unknown> = {}): HookEvent {
  const found = read(JSON.stringify({ ...START, ...change }));
  assert.ok("event" in found, JSON.stringify(found));
  return found.event;
}

function reasonFor(text: string): string {
  const found = read(text);
  assert.ok("reason" in found, `${text.slice(0, 80)} was taken for an event`);
  return found.reason;
}

Deno.test("parseHookEvent() reads a start with the fields that are always there", () => {
  assert.deepEqual(eventOf(), {
    name: "SessionStart",
    sessionId: ID,
    transcriptPath: START.transcript_path,
    cwd: "/w",
    source: "startup",
    reason: null,
    sessionTitle: null,
    agentType: null,
  });
});

Deno.test("parseHookEvent() reads every source, also one that is not known yet", () => {
  for (const source of ["startup", "resume", "clear", "compact", "fork", "teleport-9"]) {
    assert.equal(eventOf({ source }).source, source);
  }
});

Deno.test("parseHookEvent() reads titles, agents and reasons, and drops the prompt", () => {
  const resumed = eventOf({ session_title: " my name ", agent_type: "mate", context_tokens: 12 });
  assert.deepEqual([resumed.sessionTitle, resumed.agentType], ["my name", "mate"]);
  const prompted = eventOf({
    hook_event_name: "UserPromptSubmit",
    prompt: "secret words",
    source: undefined,
  });
  assert.ok(!JSON.stringify(prompted).includes("secret"));
  const ended = eventOf({ hook_event_name: "SessionEnd", reason: "prompt_input_exit" });
  assert.equal(ended.reason, "prompt_input_exit");
});

Deno.test("parseHookEvent() lowers an id and leaves out a field of the wrong type", () => {
  const event = eventOf({
    session_id: ID.toUpperCase(),
    source: 7,
    session_title: ["x"],
    transcript_path: "rel.jsonl",
  });
  assert.deepEqual([event.sessionId, event.source, event.sessionTitle, event.transcriptPath], [
    ID,
    null,
    null,
    null,
  ]);
});

Deno.test("parseHookEvent() keeps folders as they are: blanks, newlines, other scripts", () => {
  for (const cwd of ["/a  b", "/a\nb", "/日本", "/", "/$(x)", "/-x"]) assert.equal(eventOf({ cwd }).cwd, cwd);
});

const NO_EVENTS: [string, RegExp][] = [
  ["", /empty/],
  [" ", /not JSON/],
  ["{", /not JSON/],
  ["null", /no JSON object/],
  ["[]", /no JSON object/],
  [`[${JSON.stringify(START)}]`, /no JSON object/],
  ["7", /no JSON object/],
  ['"SessionStart"', /no JSON object/],
  ["{}", /name/],
  [JSON.stringify(START) + JSON.stringify(START), /not JSON/],
  [JSON.stringify(START) + "\nx", /not JSON/],
  ["\uFEFF" + JSON.stringify(START), /not JSON/],
  [JSON.stringify(START).slice(0, -1), /not JSON/],
  [JSON.stringify(START) + "\0", /not JSON/],
  [JSON.stringify(START) + "// x", /not JSON/],
  [JSON.stringify({ ...START, hook_event_name: "PreToolUse" }), /name/],
  [JSON.stringify({ ...START, hook_event_name: ["SessionStart"] }), /name/],
  [JSON.stringify({ ...START, hook_event_name: "constructor" }), /name/],
  ...["", "x", "../../etc", `${ID};rm`, `${ID}\n`, ` ${ID}`, ID.slice(1), "a".repeat(1000), null, 7, [ID], {
    id: ID,
  }]
    .map((session_id): [string, RegExp] => [JSON.stringify({ ...START, session_id }), /UUID/]),
  ...["", "w", "~", null, 7, "/a\0b", "/".repeat(5000), ["/w"], "/\ud800"].map((cwd): [string, RegExp] => [
    JSON.stringify({ ...START, cwd }),
    /folder/,
  ]),
  [`{"__proto__": ${JSON.stringify(START)}}`, /name/],
  [`{"__proto__": {"session_id": "${ID}"}, "hook_event_name": "SessionStart", "cwd": "/w"}`, /UUID/],
  [`{"hook_event_name": "SessionStart", "cwd": "/w"}`, /UUID/],
];

Deno.test("parseHookEvent() says why something is no event", () => {
  for (const [text, reason] of NO_EVENTS) assert.match(reasonFor(text), reason, text.slice(0, 100));
});

Deno.test("parseHookEvent() refuses what is longer than its limit without parsing it", () => {
  const long = JSON.stringify({ ...START, prompt: "x".repeat(HOOK_LIMIT) });
  assert.match(reasonFor(long), /longer/);
});

Deno.test("parseHookEvent() refuses bytes that are no UTF-8, and deep nesting", () => {
  assert.ok("reason" in parseHookEvent(new Uint8Array([0x7b, 0xff, 0x7d])));
  assert.ok("reason" in parseHookEvent(new Uint8Array([0])));
  assert.ok("reason" in read("[".repeat(100_000)));
  assert.ok("reason" in read('{"a":'.repeat(100_000)));
});

Deno.test("parseHookEvent() takes the last of two equal keys, as Claude's own parser does", () => {
  const text = JSON.stringify(START).replace("{", '{"session_id":"x",');
  assert.ok("event" in read(text));
});

/** A small generator with a seed, so that a failure can be repeated. */
function random(seed: number): () => number {
  return () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
}

Deno.test("parseHookEvent() never throws on damaged events", () => {
  const bytes = new TextEncoder().encode(JSON.stringify(START));
  const next = random(7);
  for (let round = 0; round < 20_000; round++) {
    const damaged = bytes.slice(0, next() < 0.3 ? Math.floor(next() * bytes.length) : undefined);
    for (let hits = 0; hits < 3 && damaged.length > 0; hits++) {
      damaged[Math.floor(next() * damaged.length)] = Math.floor(next() * 256);
    }
    const found = parseHookEvent(damaged);
    if ("event" in found) assert.match(found.event.sessionId, /^[0-9a-f-]{36}$/);
  }
});

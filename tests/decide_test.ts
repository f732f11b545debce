// What hook events do to a pane's binding, as a table.
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type Binding, type ClaudeProcess, newBinding, type SessionId } from "../src/binding.ts";
import type { HookEvent } from "../src/claude/hook_event.ts";
import { decide, type Decision, type EventFacts } from "../src/identity/decide.ts";
import { renamedSince } from "../src/identity/name_history.ts";

const id = (letter: string) => `${letter.repeat(8)}-0000-4000-8000-000000000000` as SessionId;
const [A, B, C] = ["a", "b", "c"].map(id);
const P1: ClaudeProcess = { pid: 10, started: "1", version: null, kind: "interactive", wrapper: null };
const P2: ClaudeProcess = { ...P1, pid: 20 };

const stampOf = (session: SessionId, more: Partial<Binding> = {}): Binding => ({
  ...newBinding(session, "/work", "2026-01-01T00:00:00.000Z"),
  claude: P1,
  ...more,
});

const event = (more: Partial<HookEvent>): HookEvent => ({
  name: "SessionStart",
  sessionId: B,
  transcriptPath: null,
  cwd: "/work",
  source: "startup",
  reason: null,
  sessionTitle: null,
  agentType: null,
  ...more,
});

interface Case {
  says: string;
  stamp: Binding | null;
  event: HookEvent;
  by: ClaudeProcess;
  owns?: SessionId[];
  /** Titles in the transcripts. */
  titles?: Record<SessionId, string[]>;
  /** Session, chain, candidate and state after it; "ignored" when nothing changes. */
  wants: "ignored" | [SessionId, SessionId[], SessionId | null, Binding["state"]];
}

const CASES: Case[] = [
  { says: "a first start binds", stamp: null, event: event({}), by: P1, wants: [B, [], null, "running"] },
  {
    says: "a resume of the same id binds again",
    stamp: stampOf(A, { state: "exited" }),
    event: event({ sessionId: A, source: "resume" }),
    by: P2,
    owns: [A],
    wants: [A, [], null, "running"],
  },
  {
    says: "a throw-away id does not displace one with a transcript",
    stamp: stampOf(A),
    event: event({}),
    by: P2,
    owns: [A],
    wants: [A, [], B, "running"],
  },
  {
    says: "the resume after the throw-away id wins",
    stamp: stampOf(A, { candidate: stampOf(B) }),
    event: event({ sessionId: C, source: "resume" }),
    by: P2,
    owns: [A, C],
    wants: [C, [], null, "running"],
  },
  {
    says: "the throw-away id after the resume stays a candidate",
    stamp: stampOf(C, { claude: P2 }),
    event: event({}),
    by: P2,
    owns: [C],
    wants: [C, [], B, "running"],
  },
  {
    says: "what stays a candidate is described anew by its next start",
    stamp: stampOf(C, { claude: P1, candidate: stampOf(B, { claude: P2 }) }),
    event: event({}),
    by: P2,
    owns: [C],
    wants: [C, [], B, "running"],
  },
  {
    says: "startup in the same process with a transcript is a rotation",
    stamp: stampOf(A),
    event: event({}),
    by: P1,
    owns: [A, B],
    wants: [B, [A], null, "running"],
  },
  {
    says: "/clear moves on before the new id has a transcript, and keeps the chain",
    stamp: stampOf(A, { chain: [C] }),
    event: event({ source: "clear" }),
    by: P1,
    owns: [A],
    wants: [B, [A, C], null, "running"],
  },
  {
    says: "compaction keeps the id, also when the event names a parent",
    stamp: stampOf(B, { chain: [A] }),
    event: event({ sessionId: A, source: "compact" }),
    by: P1,
    owns: [A, B],
    wants: [B, [A], null, "running"],
  },
  {
    says: "a source not known yet with a transcript is taken",
    stamp: stampOf(A),
    event: event({ source: "teleported" }),
    by: P2,
    owns: [A, B],
    wants: [B, [], null, "running"],
  },
  {
    says: "an id without transcript gives way to another one",
    stamp: stampOf(A),
    event: event({}),
    by: P2,
    wants: [B, [], null, "running"],
  },
  {
    says: "a prompt proves the id",
    stamp: stampOf(A),
    event: event({ name: "UserPromptSubmit", source: null }),
    by: P2,
    owns: [A],
    wants: [B, [], null, "running"],
  },
  {
    says: "a prompt of the known conversation is no news",
    stamp: stampOf(B),
    event: event({ name: "UserPromptSubmit", source: null }),
    by: P1,
    wants: "ignored",
  },
  {
    says: "a prompt of a conversation that was thought to be over binds it",
    stamp: stampOf(B, { state: "exited" }),
    event: event({ name: "UserPromptSubmit", source: null }),
    by: P1,
    wants: [B, [], null, "running"],
  },
  {
    says: "the user's own exit is exited",
    stamp: stampOf(A),
    event: event({ name: "SessionEnd", sessionId: A, source: null, reason: "prompt_input_exit" }),
    by: P1,
    wants: [A, [], null, "exited"],
  },
  {
    says: "any other end is ended",
    stamp: stampOf(A),
    event: event({ name: "SessionEnd", sessionId: A, source: null, reason: "other" }),
    by: P1,
    wants: [A, [], null, "ended"],
  },
  {
    says: "the end before /clear changes nothing",
    stamp: stampOf(A),
    event: event({ name: "SessionEnd", sessionId: A, source: null, reason: "clear" }),
    by: P1,
    wants: "ignored",
  },
  {
    says: "a failed resume of an unknown id changes nothing",
    stamp: stampOf(A),
    event: event({ name: "SessionEnd", sessionId: B, source: null, reason: "other" }),
    by: P2,
    owns: [A],
    wants: "ignored",
  },
  {
    says: "a failed resume of the pane's own id changes nothing",
    stamp: stampOf(A, { state: "exited" }),
    event: event({ name: "SessionEnd", sessionId: A, source: null, reason: "other" }),
    by: P2,
    wants: "ignored",
  },
  {
    says: "the end of a candidate ends the candidate alone",
    stamp: stampOf(A, { candidate: stampOf(B, { claude: P2 }) }),
    event: event({ name: "SessionEnd", source: null, reason: "other" }),
    by: P2,
    owns: [A],
    wants: [A, [], B, "running"],
  },
  {
    says: "an end of the holder under an id that never existed changes nothing",
    stamp: stampOf(A),
    event: event({ name: "SessionEnd", source: null, reason: "other" }),
    by: P1,
    owns: [A],
    wants: "ignored",
  },
  {
    says: "an end of the holder under a later id with a transcript moves on to it",
    stamp: stampOf(A),
    event: event({ name: "SessionEnd", source: null, reason: "prompt_input_exit" }),
    by: P1,
    owns: [A, B],
    wants: [B, [A], null, "exited"],
  },
  {
    says: "an end without a binding changes nothing",
    stamp: null,
    event: event({ name: "SessionEnd", source: null, reason: "other" }),
    by: P1,
    wants: "ignored",
  },
];

function facts({ stamp, event, by, owns = [], titles = {} }: Case): EventFacts {
  return {
    event,
    stamp,
    claude: by,
    configDir: null,
    arguments: [],
    transcript: null,
    at: "2026-01-02T00:00:00.000Z",
    owns: (id) => owns.includes(id),
    titles: (id) => titles[id] ?? [],
  };
}

function brief(decision: Decision) {
  if (decision.act === "ignore") return "ignored";
  const { session_id, chain, candidate, state } = decision.binding;
  return [session_id, chain, candidate?.session_id ?? null, state];
}

for (const one of CASES) {
  Deno.test(`decide(): ${one.says}`, () => deepStrictEqual(brief(decide(facts(one))), one.wants));
}

Deno.test("decide() names the previous id when the pane's id changes, and keeps the name history along the chain", () => {
  const stamp = stampOf(A, { name: "one", names: [{ name: "one", at: "t" }] });
  const decision = decide(
    facts({
      says: "",
      stamp,
      event: event({ source: "clear", sessionTitle: "two" }),
      by: P1,
      owns: [A],
      wants: "ignored",
    }),
  );
  if (decision.act !== "bind") throw new Error(decision.because);
  strictEqual(decision.previous, A);
  deepStrictEqual(decision.binding.names.map(({ name }) => name), ["one", "two"]);
});

Deno.test("decide() calls a new title at a prompt a rename", () => {
  const renamed = event({ name: "UserPromptSubmit", source: null, sessionTitle: "two" });
  const decision = decide(facts({ says: "", stamp: stampOf(B), event: renamed, by: P1, wants: "ignored" }));
  if (decision.act !== "bind") throw new Error(decision.because);
  deepStrictEqual([decision.event, decision.binding.name], ["rename", "two"]);
});

const NAMED = { name: "one", names: [{ name: "one", at: "t" }] };
const names = (binding: Binding | null) => binding?.names.map(({ name }) => name);

Deno.test("decide() tells the end of what /clear left, with the names it was given unseen; the new id carries them on", () => {
  const decision = decide(
    facts({
      says: "",
      stamp: stampOf(A, NAMED),
      event: event({ source: "clear", sessionTitle: "three" }),
      by: P1,
      owns: [A],
      titles: { [A]: ["one", "two", "three"] },
      wants: "ignored",
    }),
  );
  if (decision.act !== "bind") throw new Error(decision.because);
  const { left, binding } = decision;
  deepStrictEqual([left?.session_id, left?.state, left?.reason, left?.name], [A, "ended", "clear", "three"]);
  deepStrictEqual([names(left), names(binding)], [["one", "two", "three"], ["one", "two", "three"]]);
});

Deno.test("decide() sees a rename that no prompt followed at the end", () => {
  const end = event({ name: "SessionEnd", sessionId: A, source: null, reason: "prompt_input_exit" });
  const titles = { [A]: ["one", "two"] };
  const decision = decide(
    facts({ says: "", stamp: stampOf(A, NAMED), event: end, by: P1, titles, wants: "ignored" }),
  );
  if (decision.act !== "bind") throw new Error(decision.because);
  deepStrictEqual([decision.binding.name, names(decision.binding)], ["two", ["one", "two"]]);
});

Deno.test("decide() says nothing was left when another process takes the pane", () => {
  const decision = decide(
    facts({ says: "", stamp: stampOf(A), event: event({}), by: P2, owns: [B], wants: "ignored" }),
  );
  if (decision.act !== "bind") throw new Error(decision.because);
  deepStrictEqual([decision.previous, decision.left], [A, null]);
});

const SINCE: [says: string, has: string[], titles: string[], wants: string[]][] = [
  ["nothing new", ["one"], ["one"], ["one"]],
  ["all of them for a conversation without a name", [], ["one", "two"], ["one", "two"]],
  ["those after the current one", ["one"], ["zero", "one", "two", "three"], ["one", "two", "three"]],
  ["a name taken back", ["one", "two"], ["one", "two", "one"], ["one", "two", "one"]],
  ["no older ones when the current one is not written yet", ["one", "two"], ["zero", "one"], ["one", "two"]],
  ["none without a transcript", ["one"], [], ["one"]],
];
for (const [says, has, titles, wants] of SINCE) {
  Deno.test(`renamedSince() adds ${says}`, () => {
    const binding = stampOf(A, { name: has.at(-1) ?? null, names: has.map((name) => ({ name, at: "t" })) });
    deepStrictEqual(names(renamedSince(binding, titles, "t2")), wants);
  });
}

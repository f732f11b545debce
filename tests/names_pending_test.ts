// Pushes that wait: one file each, answered once, and no folder when none waits.
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type SessionId, sessionId } from "../src/binding.ts";
import { peekPending, pendingTitle, putPending, sweepPending, takePending } from "../src/state/pending.ts";
import { realSystem } from "../src/system/real.ts";
import type { System } from "../src/system/system.ts";

const id = (digit: number) => sessionId(`${digit}`.repeat(8) + "-1111-4111-8111-111111111111") as SessionId;
const push = { session_id: id(1), name: "foo", window_id: "@1", title: null, at: "2026-11-30T00:00:00.000Z" };

function withState(work: (system: System, folder: string) => void): void {
  const root = Deno.makeTempDirSync({ prefix: "tmuxclaude-pending-" });
  const env = (name: string) => name === "TMUXCLAUDE_STATE_DIR" ? `${root}/state` : undefined;
  try {
    work({ ...realSystem(), env }, `${root}/state/pending`);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

const prompt = (title: string | null, session = id(1)) => ({
  session_id: session,
  session_title: title,
});

Deno.test("a push that was put can be seen, and is taken once; then its folder is gone", () =>
  withState((system, folder) => {
    putPending(system, push);
    deepStrictEqual(peekPending(system, id(1)), push);
    strictEqual(isThere(folder), true);
    deepStrictEqual(takePending(system, id(1)), push);
    strictEqual(takePending(system, id(1)), null);
    strictEqual(isThere(folder), false);
  }));

Deno.test("pendingTitle() answers a prompt once with the name that waits", () =>
  withState((system, folder) => {
    strictEqual(pendingTitle(system, prompt(null), null), null);
    putPending(system, push);
    strictEqual(pendingTitle(system, prompt(null, id(2)), null), null);
    strictEqual(pendingTitle(system, prompt(null), null), "foo");
    strictEqual(pendingTitle(system, prompt(null), null), null);
    strictEqual(isThere(folder), false);
  }));

Deno.test("pendingTitle() finds a push of the id before a /clear", () =>
  withState((system) => {
    putPending(system, push);
    strictEqual(pendingTitle(system, prompt(null, id(2)), { chain: [id(1)] }), "foo");
  }));

const DROPPED: [why: string, before: string | null, title: string][] = [
  ["the conversation has the name already", null, "foo"],
  ["the user has named it since", null, "mine"],
  ["the user has renamed it since", "old", "mine"],
];

for (const [why, before, title] of DROPPED) {
  Deno.test(`pendingTitle() drops a push when ${why}`, () =>
    withState((system, folder) => {
      putPending(system, { ...push, title: before });
      strictEqual(pendingTitle(system, prompt(title), null), null);
      strictEqual(isThere(folder), false);
    }));
}

Deno.test("pendingTitle() wins over the title that was there when the push was left", () =>
  withState((system) => {
    putPending(system, { ...push, title: "old" });
    strictEqual(pendingTitle(system, prompt("old"), null), "foo");
  }));

Deno.test("pendingTitle() does not take Claude's two words for a rename by the user", () =>
  withState((system) => {
    putPending(system, { ...push, title: "foo" });
    strictEqual(pendingTitle(system, prompt("foo-toasty-bentley"), null), "foo");
  }));

Deno.test("pendingTitle() never throws, and never answers with what is no name", () =>
  withState((system, folder) => {
    for (const text of ["", "{", "[]", '{"session_id":"x","name":"a"}', '{"session_id":1}']) {
      putPending(system, push);
      Deno.writeTextFileSync(`${folder}/${id(1)}.json`, text);
      strictEqual(pendingTitle(system, prompt(null), null), null, text);
    }
    putPending(system, push);
    Deno.writeTextFileSync(`${folder}/${id(1)}.json`, JSON.stringify({ ...push, name: "#(id)\n\u001b[0m" }));
    strictEqual(pendingTitle(system, prompt(null), null), "id-0m");
    Deno.mkdirSync(`${folder}/${id(1)}.json/deep`, { recursive: true });
    strictEqual(pendingTitle(system, prompt(null), null), null);
  }));

Deno.test("sweepPending() removes the pushes of conversations that are gone", () =>
  withState((system, folder) => {
    strictEqual(sweepPending(system, () => true), 0);
    putPending(system, push);
    putPending(system, { ...push, session_id: id(2) });
    strictEqual(sweepPending(system, (one) => one === id(2)), 1);
    strictEqual(isThere(folder), true);
    strictEqual(sweepPending(system, () => false), 1);
    strictEqual(isThere(folder), false);
  }));

// settings.json as text: our hooks go in and come out, and nothing else changes.
import assert from "node:assert/strict";
import { HOOK_EVENTS, HOOK_TIMEOUT, hookCommand } from "../src/install/hook_command.ts";
import { addHooks, removeHooks } from "../src/install/settings_edit.ts";
import { ourHandlers, readSettings, splitBom, withoutOurs } from "../src/install/settings_text.ts";
import type { Edit } from "../src/install/edit.ts";
import { EDITED, PROGRAM, REFUSED } from "./fixtures/settings/variants.ts";

function settingsIn(text: string): Record<string, unknown> {
  const read = readSettings(splitBom(text).body);
  assert.ok("settings" in read, JSON.stringify(read));
  return read.settings;
}

function changed(edit: Edit): Extract<Edit, { kind: "changed" }> {
  assert.equal(edit.kind, "changed", JSON.stringify(edit));
  return edit as Extract<Edit, { kind: "changed" }>;
}

function countOurs(text: string): number[] {
  return HOOK_EVENTS.map((event) => ourHandlers(settingsIn(text), event).length);
}

function hasOurs(text: string): boolean {
  return countOurs(text).some((count) => count > 0);
}

/** What is not ours, each piece on its own: added text may stand anywhere between. */
function foreignPieces(text: string): string[] {
  return text.match(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g)?.filter((piece) => !/tmuxclaude/.test(piece)) ?? [];
}

Deno.test("there are at least 60 variants of settings.json", () => {
  assert.ok(EDITED.length + REFUSED.length >= 60);
});

for (const [name, text] of EDITED) {
  Deno.test(`settings.json with ${name}: each hook once, nothing else changed, and back byte for byte`, async () => {
    const added = changed(await addHooks(text, PROGRAM));
    assert.deepEqual(countOurs(added.text), [1, 1, 1]);
    for (const event of HOOK_EVENTS) {
      const [handler] = ourHandlers(settingsIn(added.text), event);
      assert.equal(handler.command, hookCommand(event, PROGRAM));
      assert.deepEqual([handler.timeout, handler.matchesAll], [HOOK_TIMEOUT, true]);
    }
    assert.equal(withoutOurs(settingsIn(added.text)), withoutOurs(settingsIn(text)));
    assert.equal(added.text.startsWith("\uFEFF"), text.startsWith("\uFEFF"));
    const kept = foreignPieces(added.text);
    for (const piece of hasOurs(text) ? [] : foreignPieces(text)) assert.ok(kept.includes(piece), piece);
    assert.deepEqual(await addHooks(added.text, PROGRAM), { kind: "unchanged" });
    await assertTakenBack(text, added);
  });
}

/** By what was written down, also after the program has moved; and without it. */
async function assertTakenBack(text: string, added: Extract<Edit, { kind: "changed" }>): Promise<void> {
  const moved = changed(await addHooks(added.text, "/opt/new place/tmuxclaude"));
  assert.deepEqual(countOurs(moved.text), [1, 1, 1]);
  const made = { steps: [...added.steps, ...moved.steps], made: added.made };
  const back = changed(await removeHooks(moved.text, made));
  if (hasOurs(text)) assert.deepEqual(countOurs(back.text), [0, 0, 0]);
  else assert.equal(back.text, text);
  const blind = changed(await removeHooks(added.text, null));
  assert.deepEqual(countOurs(blind.text), [0, 0, 0]);
  assert.equal(withoutOurs(settingsIn(blind.text)), withoutOurs(settingsIn(text)));
}

for (const [name, text, reason] of REFUSED) {
  Deno.test(`settings.json with ${name} is left alone, with a reason`, async () => {
    const edit = await addHooks(text, PROGRAM);
    assert.equal(edit.kind, "refused");
    assert.match((edit as { reason: string }).reason, reason);
  });
}

Deno.test("a hook of another tool that was added since stays when ours go", async () => {
  const added = changed(await addHooks('{\n  "a": 1\n}\n', PROGRAM));
  const since = added.text.replace(
    '"SessionStart": [',
    '"SessionStart": [{ "hooks": [{ "command": "theirs" }] },',
  );
  const back = changed(await removeHooks(since, added));
  assert.deepEqual(countOurs(back.text), [0, 0, 0]);
  assert.ok(back.text.includes('{ "hooks": [{ "command": "theirs" }] }'));
});

Deno.test("a key that was added since stays, and the rest is as before", async () => {
  const text = '{\n  "a": 1\n}\n';
  const added = changed(await addHooks(text, PROGRAM));
  const since = added.text.replace('"a": 1', '"b": 2,\n  "a": 1');
  assert.equal(changed(await removeHooks(since, added)).text, '{\n  "b": 2,\n  "a": 1\n}\n');
});

Deno.test("lists that were there before stay when ours go without a record of their text", async () => {
  const added = changed(await addHooks('{"hooks":{"SessionStart":[]}}', PROGRAM));
  const back = changed(await removeHooks(added.text, { steps: [], made: added.made }));
  assert.deepEqual(settingsIn(back.text), { hooks: { SessionStart: [] } });
});

Deno.test("a text without our hooks has nothing to take out", async () => {
  assert.deepEqual(await removeHooks('{ "hooks": { "SessionStart": [] } }', null), { kind: "unchanged" });
});

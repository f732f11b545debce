// Foreign files while others write them, and while the disk fails.
import assert from "node:assert/strict";
import type { PlanEdit } from "../src/install/edit.ts";
import { editForeign } from "../src/install/foreign_file.ts";
import { realSystem } from "../src/system/real.ts";
import { edit, makeWorld, plan, TEXT } from "./fixtures/foreign_file.ts";
import { filesBelow } from "./fixtures/state_world.ts";
import {
  type Act,
  BROKEN,
  CROSS_DEVICE,
  DENIED,
  DISK_FULL,
  failingFiles,
  READ_ONLY,
} from "./helpers/failing_system.ts";

Deno.test("a file that somebody else writes meanwhile is read again, and nothing of theirs is lost", async () => {
  using world = makeWorld();
  Deno.writeTextFileSync(world.path, TEXT);
  let writes = 0;
  const meanwhile: PlanEdit = (text) => {
    if (writes++ < 2) Deno.writeTextFileSync(world.path, `{ "theirs": ${writes} }`);
    return plan(text);
  };
  assert.equal((await editForeign(realSystem(), world.path, meanwhile)).outcome, "changed");
  assert.equal(JSON.parse(Deno.readTextFileSync(world.path)).theirs, 2);
  assert.equal(filesBelow(world.folder).length, 2);
});

Deno.test("a file that somebody else keeps writing is left to them", async () => {
  using world = makeWorld();
  Deno.writeTextFileSync(world.path, TEXT);
  let writes = 0;
  const always: PlanEdit = (text) => {
    Deno.writeTextFileSync(world.path, `{ "theirs": ${writes++} }`);
    return plan(text);
  };
  const outcome = await editForeign(realSystem(), world.path, always);
  assert.ok(outcome.outcome === "by_hand" && /keeps writing/.test(outcome.reason));
  assert.equal(Deno.readTextFileSync(world.path), `{ "theirs": ${writes - 1} }`);
  assert.deepEqual(filesBelow(world.folder), ["settings.json"]);
});

Deno.test("when any step on the disk fails, the file is as before, named, and nothing else is left", async () => {
  for (const error of [DISK_FULL, DENIED, READ_ONLY, BROKEN, CROSS_DEVICE]) {
    for (let failAt = 1, failed = true; failed; failAt++) {
      using world = makeWorld();
      Deno.writeTextFileSync(world.path, TEXT);
      const acts: Act[] = [];
      const outcome = await edit(world.path, {
        files: failingFiles(realSystem().files, { at: failAt, error }, acts),
      });
      failed = acts.length >= failAt;
      if (!failed || outcome.outcome === "changed") continue;
      assert.ok(
        outcome.outcome === "by_hand" && outcome.reason.includes(error.message),
        `${error.message} ${failAt}`,
      );
      assert.equal(Deno.readTextFileSync(world.path), TEXT);
      assert.deepEqual(
        filesBelow(world.folder),
        ["settings.json"],
        `${error.message} at ${acts.at(-1)?.act}`,
      );
    }
  }
});

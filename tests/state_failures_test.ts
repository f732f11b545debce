// The hook's last resort: bounded, tolerant, never an error.
import assert from "node:assert/strict";
import { readFailures, recordFailure } from "../src/state/failures.ts";
import { statePaths } from "../src/state/paths.ts";
import { dryRunSystem } from "../src/system/dry_run.ts";
import { filesBelow, makeState, systemFor } from "./fixtures/state_world.ts";

Deno.test("recordFailure() notes what was not done, with its time, and readFailures() gives it back in order", () => {
  using world = makeState({ now: () => Date.parse("2026-06-15T12:00:00.000Z") });
  assert.deepEqual(readFailures(world.system), []);
  for (const reason of ["first", "second\nline"]) recordFailure(world.system, { where: "hook", reason });
  const at = "2026-06-15T12:00:00.000Z";
  assert.deepEqual(readFailures(world.system), [
    { at, where: "hook", reason: "first" },
    { at, where: "hook", reason: "second\nline" },
  ]);
});

Deno.test("10,000 failures leave two small files and the newest 200 or so", () => {
  using world = makeState();
  for (let n = 0; n < 10_000; n++) {
    recordFailure(world.system, { where: "hook", reason: `${n} `.padEnd(n % 5_000, "x") });
  }
  const reasons = readFailures(world.system).map(({ reason }) => Number(reason.split(" ")[0]));
  assert.ok(reasons.length >= 60 && reasons.length <= 200, String(reasons.length));
  assert.deepEqual(reasons, reasons.map((_, index) => 10_000 - reasons.length + index));
  const sizes = filesBelow(world.root).map((name) => Deno.statSync(`${world.root}/${name}`).size);
  assert.ok(sizes.length === 2 && sizes.every((size) => size < 26_000), String(sizes));
});

Deno.test("readFailures() leaves out what is torn or foreign", () => {
  using world = makeState();
  recordFailure(world.system, { where: "hook", reason: "good" });
  const { failures } = statePaths(world.system);
  Deno.writeTextFileSync(failures, '{"at":"x"}\n\0\0\n[]\n{"at":"x","where":"hoo', { append: true });
  assert.deepEqual(readFailures(world.system).map(({ reason }) => reason), ["good"]);
});

Deno.test("recordFailure() never throws and a dry run notes nothing", () => {
  using world = makeState();
  Deno.writeTextFileSync(`${world.folder}/file`, "");
  for (const root of [`${world.folder}/file`, "relative", "/proc/nowhere"]) {
    recordFailure(systemFor({ TMUXCLAUDE_STATE_DIR: root }), { where: "hook", reason: "x" });
  }
  recordFailure(dryRunSystem(world.system), { where: "hook", reason: "x" });
  assert.deepEqual(filesBelow(world.folder), ["file"]);
});

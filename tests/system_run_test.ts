// Child processes have a time limit that holds, whatever they do about it.
import assert from "node:assert/strict";
import { run } from "../src/system/run.ts";

const SLOW = "a loaded machine may take its time, but not for ever";

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const begin = performance.now();
  return { value: await work(), ms: performance.now() - begin };
}

Deno.test("a child that ignores SIGTERM is ended at its limit", async () => {
  const script = "trap '' TERM; while :; do :; done";
  const { value, ms } = await timed(() => run("sh", ["-c", script], { limitMs: 200 }));
  assert.equal(value.timedOut, true);
  assert.ok(ms < 5_000, SLOW);
});

Deno.test("a child whose own child holds its output open is not waited for", async () => {
  const { value, ms } = await timed(() => run("sh", ["-c", "sleep 8; true"], { limitMs: 200 }));
  assert.equal(value.timedOut, true);
  assert.ok(ms < 5_000, SLOW);
});

Deno.test("a child that does not read its input is ended at its limit too", async () => {
  const { value } = await timed(() => run("sleep", ["8"], { limitMs: 200, stdin: "x".repeat(1 << 20) }));
  assert.equal(value.timedOut, true);
});

Deno.test("the limit of a child that ended does not keep the program from ending", async () => {
  const source = new URL("../src/system/run.ts", import.meta.url);
  const code = `import { run } from "${source}"; await run("true", [], { limitMs: 30000 });`;
  const { value, ms } = await timed(() =>
    run(Deno.execPath(), ["eval", "--no-lock", code], { limitMs: 25_000 })
  );
  assert.deepEqual([value.code, value.timedOut], [0, false], value.stderr);
  assert.ok(ms < 20_000, SLOW);
});

// Broken on purpose, one way at a time: doctor names it, and `--fix` mends what it may.
import assert from "node:assert/strict";
import { type Break, MENDED } from "./fixtures/doctor_breaks.ts";
import { BY_HAND } from "./fixtures/doctor_breaks_by_hand.ts";
import { type Installed, makeInstalled } from "./fixtures/installed_world.ts";

async function assertWell(world: Installed): Promise<void> {
  const { code, checks } = await world.doctor();
  // A slow start says something about the machine the tests run on.
  const bad = [...checks.values()].filter((check) =>
    /fail|warn/.test(check.level) && !/but took/.test(check.message)
  );
  assert.deepEqual(bad.map((check) => `${check.id}: ${check.message}`), []);
  assert.equal(code, 0);
}

async function assertNamed(world: Installed, broken: Break): Promise<void> {
  await broken.doIt(world);
  const { code, checks } = await world.doctor({}, broken.env);
  const check = checks.get(broken.id)!;
  assert.equal(check.level, broken.level, JSON.stringify(check));
  assert.match(check.message, broken.message);
  if (broken.level === "fail") assert.deepEqual([code, check.fix !== null], [1, true]);
}

Deno.test("what --fix may mend: doctor says all is well, names each break, mends it", async (test) => {
  await using world = await makeInstalled();
  await assertWell(world);
  for (const broken of MENDED) {
    await test.step(broken.name, async () => {
      await assertNamed(world, broken);
      const { checks } = await world.doctor({ fix: true, yes: true });
      assert.equal(checks.get(broken.id)!.level, "ok", JSON.stringify(checks.get(broken.id)));
    });
  }
  await assertWell(world);
});

for (const broken of BY_HAND) {
  Deno.test(`doctor names ${broken.name}, and leaves it to the user`, async () => {
    await using world = await makeInstalled();
    await assertNamed(world, broken);
    const { checks } = await world.doctor({ fix: true, yes: true }, broken.env);
    assert.equal(checks.get(broken.id)!.level, broken.level, JSON.stringify(checks.get(broken.id)));
  });
}

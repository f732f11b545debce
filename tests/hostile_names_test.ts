// Generated names: what sanitize() and freeName() promise holds for every one of them (H2).
import assert from "node:assert/strict";
import { freeName, numbered } from "../src/names/free.ts";
import { NAME_LIMIT, sanitize } from "../src/names/sanitize.ts";
import { generateName } from "./fixtures/generated.ts";
import { type Random, randomOf, seedOf } from "./helpers/seeded.ts";

const GENERATED = 100_000;
/** Letters and digits of any script with their marks, "_" and "-": nothing that tmux or a shell reads as anything. */
const NAME = /^(?!-)[\p{L}\p{M}\p{N}_-]+(?<!-)$/u;
// deno-lint-ignore no-control-regex -- control characters are what is looked for
const SPECIAL = /[\u0000-\u002c./:-@[-^`{-\u009f\s]|--/u;

function assertName(name: string, says: string): void {
  assert.match(name, NAME, says);
  assert.doesNotMatch(name, SPECIAL, says);
  assert.ok(name.isWellFormed() && [...name].length <= NAME_LIMIT, says);
  assert.deepEqual(sanitize(name), { name }, says);
}

/** The name itself with some of its numbers, and others. */
function takenBy(random: Random, name: string): string[] {
  const own = Array.from({ length: random.below(6) }, () => numbered(name, 1 + random.below(6)));
  const forms = own.map((one) => random.chance(0.3) ? one.normalize(random.pick(["NFC", "NFD"])) : one);
  return [...forms, ...Array.from({ length: random.below(3) }, () => generateName(random))];
}

Deno.test(`H2: ${GENERATED} generated names become names or an error, and the next free one is one too`, () => {
  const random = randomOf(seedOf(22));
  let named = 0;
  for (let n = 0; n < GENERATED; n++) {
    const text = generateName(random);
    const says = `SEED=${random.seed}, name ${n}: ${JSON.stringify(text)}`;
    const result = sanitize(text);
    if ("error" in result) {
      assert.doesNotMatch(text, /[A-Za-z0-9]/, says);
      continue;
    }
    named++;
    assertName(result.name, says);
    const taken = takenBy(random, result.name);
    const free = freeName(result.name, taken);
    assertName(free, `${says}, taken ${JSON.stringify(taken)}`);
    assert.ok(!taken.some((one) => one.normalize() === free.normalize()), says);
    if (taken.length === 0) assert.equal(free, result.name, says);
  }
  assert.ok(named > GENERATED / 2, `${named} had a name`);
});

Deno.test("H2: with everything taken up to a thousand, a thousand names of one word are all different", () => {
  const taken: string[] = [];
  for (let n = 0; n < 1_000; n++) taken.push(freeName("x".repeat(NAME_LIMIT), taken));
  assert.equal(new Set(taken).size, 1_000);
  taken.forEach((name) => assertName(name, name));
});

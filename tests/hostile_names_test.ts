// Generated names: what sanitize() and freeName() promise holds for every one of them (H2).
import assert from "node:assert/strict";
import { freeName } from "../src/names/free.ts";
import { NAME_LIMIT } from "../src/names/sanitize.ts";
import { checkName, checkText } from "./fixtures/checks.ts";
import { generateName } from "./fixtures/generated.ts";
import { randomOf, seedOf } from "./helpers/seeded.ts";

const GENERATED = 100_000;

Deno.test(`H2: ${GENERATED} generated names become names or an error, and the next free one is one too`, () => {
  const random = randomOf(seedOf(22));
  let named = 0;
  for (let n = 0; n < GENERATED; n++) {
    const text = generateName(random);
    if (checkText(random, text, `SEED=${random.seed}, name ${n}: ${JSON.stringify(text)}`)) named++;
  }
  assert.ok(named > GENERATED / 2, `${named} had a name`);
});

Deno.test("H2: with everything taken up to a thousand, a thousand names of one word are all different", () => {
  const taken: string[] = [];
  for (let n = 0; n < 1_000; n++) taken.push(freeName("x".repeat(NAME_LIMIT), taken));
  assert.equal(new Set(taken).size, 1_000);
  taken.forEach((name) => checkName(name, name));
});

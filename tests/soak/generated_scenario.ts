// Payloads, names and damaged files that nobody would write by hand, by the thousand.
import { checkEvent, checkText } from "../fixtures/checks.ts";
import { damage, generateEvent, generateName } from "../fixtures/generated.ts";
import { makePlace, READERS } from "../fixtures/readers.ts";
import type { Random } from "../helpers/seeded.ts";
import { count, type Scenario, type Tally } from "./scenario.ts";

const EACH = 1_000;
const DAMAGES = 20;
const encoder = new TextEncoder();

export const generatedScenario: Scenario = {
  name: "generated payloads, names and damaged files",
  begin: () => Promise.resolve({ round, [Symbol.asyncDispose]: () => Promise.resolve() }),
};

function round(random: Random, tally: Tally): Promise<void> {
  for (let n = 0; n < EACH; n++) {
    const bytes = generateEvent(random);
    checkEvent(bytes, () => new TextDecoder().decode(bytes));
    const text = generateName(random);
    checkText(random, text, JSON.stringify(text));
  }
  for (const reader of READERS) {
    using place = makePlace(reader);
    for (let n = 0; n < DAMAGES; n++) {
      place.write(damage(random, encoder.encode(reader.good)));
      reader.read(place.system);
    }
  }
  count(tally, "payloads", EACH);
  count(tally, "names", EACH);
  count(tally, "damaged files", READERS.length * DAMAGES);
  tally.checks += 2 * EACH + READERS.length * DAMAGES;
  return Promise.resolve();
}

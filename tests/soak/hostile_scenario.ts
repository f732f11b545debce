// Hostile words in any combination, in any shell, on the whole way from hook to revive.
import { hostileRound } from "../fixtures/hostile_round.ts";
import { HOSTILE } from "../fixtures/hostile_words.ts";
import type { Random } from "../helpers/seeded.ts";
import { type Shell, SHELLS } from "../helpers/tmux_server.ts";
import { count, mustHold, type Scenario, type Tally } from "./scenario.ts";

const PANES = 10;
const SHELL_NAMES = Object.keys(SHELLS) as Shell[];

export const hostileScenario: Scenario = {
  name: "hostile words from hook to revive",
  begin: () => Promise.resolve({ round, [Symbol.asyncDispose]: () => Promise.resolve() }),
};

async function round(random: Random, tally: Tally): Promise<void> {
  const word = () => random.chance(0.3) ? `${pick(random)}${pick(random)}` : pick(random);
  await hostileRound({ panes: PANES, word, shell: () => random.pick(SHELL_NAMES) });
  count(tally, "panes with hostile everything", PANES);
  mustHold(tally, true, () => "");
}

/** Two of them together still have to be the name of a folder. */
function pick(random: Random): string {
  return random.pick(HOSTILE).slice(0, 30).replace(/[\ud800-\udbff]$/, "");
}

// `deno task soak`: breaks things at random for a while and counts what was lost, which has to be nothing.
// Options: --minutes N (default 1), --seed N (tries a failure again), WORD… (only scenarios whose name has it).
// deno-lint-ignore-file no-console
import { randomOf } from "../helpers/seeded.ts";
import { diskScenario } from "./disk_scenario.ts";
import { faultsScenario } from "./faults_scenario.ts";
import { generatedScenario } from "./generated_scenario.ts";
import { growthScenario } from "./growth_scenario.ts";
import { hostileScenario } from "./hostile_scenario.ts";
import { installScenario } from "./install_scenario.ts";
import { journalScenario } from "./journal_scenario.ts";
import { manifestScenario } from "./manifest_scenario.ts";
import { programScenario } from "./program_scenario.ts";
import type { Scenario, Tally, Trial } from "./scenario.ts";

const SCENARIOS = [
  journalScenario,
  manifestScenario,
  programScenario,
  installScenario,
  faultsScenario,
  diskScenario,
  generatedScenario,
  hostileScenario,
  growthScenario,
];
/** A scenario's turn: after so long it is the next one's, with a fresh world the time after. */
const TURN_MS = 10_000;
/** Seeds of two turns never meet. */
const SEEDS_A_TURN = 10_000;

/** After Ctrl-C no round begins, and worlds are taken down as usual. */
let interrupted = false;
const isOver = (end: number) => interrupted || performance.now() > end;

interface Report {
  scenario: Scenario;
  rounds: number;
  tally: Tally;
  losses: string[];
  skipped: string | null;
}

interface Wanted {
  minutes: number;
  seed: number;
  words: string[];
}

function parse(args: string[]): Wanted {
  const wanted: Wanted = { minutes: 1, seed: 1 + Math.floor(Math.random() * 1e6), words: [] };
  for (let index = 0; index < args.length; index++) {
    const word = args[index];
    if (word === "--minutes" || word === "--seed") {
      const number = Number(args[++index]);
      if (!(number > 0)) refuse(`${word} takes a number above 0`);
      wanted[word === "--seed" ? "seed" : "minutes"] = number;
    } else wanted.words.push(word);
  }
  if (!SCENARIOS.some((scenario) => isWanted(scenario, wanted))) {
    refuse(`no scenario has ${wanted.words.join(" or ")}`);
  }
  return wanted;
}

function isWanted({ name }: Scenario, { words }: Wanted): boolean {
  return words.length === 0 || words.some((word) => name.includes(word));
}

function refuse(what: string): never {
  const names = SCENARIOS.map(({ name }) => `  ${name}`).join("\n");
  console.error(`soak: ${what}\nOptions: --minutes N, --seed N. Scenarios:\n${names}`);
  Deno.exit(2);
}

/** Rounds on one world until the time is over, one at least. Every round has a seed of its own. */
async function play(report: Report, trial: Trial, seed: number, end: number): Promise<void> {
  for (let round = 0; round === 0 || !isOver(end); round++) {
    try {
      await trial.round(randomOf(seed + round), report.tally);
    } catch (error) {
      // Ctrl-C reaches the children too.
      if (interrupted) return;
      const what = error instanceof Error && error.name === "Loss"
        ? error.message
        : `${(error as Error).stack}`;
      report.losses.push(`--seed ${seed}: ${what}`);
      return;
    } finally {
      report.rounds++;
    }
  }
}

async function soak(wanted: Wanted): Promise<Report[]> {
  const { minutes, seed } = wanted;
  const reports = SCENARIOS.filter((scenario) => isWanted(scenario, wanted))
    .map((scenario): Report => ({
      scenario,
      rounds: 0,
      tally: { tried: new Map(), checks: 0 },
      losses: [],
      skipped: null,
    }));
  const end = performance.now() + minutes * 60_000;
  const turnMs = Math.min(TURN_MS, minutes * 60_000 / reports.length);
  for (let turn = 0; !isOver(end) && reports.some(({ skipped }) => skipped === null); turn++) {
    for (const report of reports.filter(({ skipped }) => skipped === null)) {
      if (isOver(end)) break;
      const trial = await report.scenario.begin();
      if ("skipped" in trial) {
        report.skipped = trial.skipped;
        continue;
      }
      await using _world = trial;
      await play(report, trial, seed + turn * SEEDS_A_TURN, Math.min(end, performance.now() + turnMs));
    }
  }
  return reports;
}

function print({ scenario, rounds, tally, losses, skipped }: Report): void {
  console.log(`\n${scenario.name}`);
  if (skipped !== null) return console.log(`  skipped: ${skipped}`);
  console.log(`  ${rounds} rounds, ${tally.checks} checks, ${losses.length} lost`);
  for (const [what, times] of tally.tried) console.log(`  ${String(times).padStart(7)}  ${what}`);
  for (const loss of losses) console.log(`  LOST, ${loss}`);
}

const wanted = parse(Deno.args);
Deno.addSignalListener("SIGINT", () => interrupted = true);
console.log(`soak: ${wanted.minutes} minutes, seed ${wanted.seed}`);
const reports = await soak(wanted);
reports.forEach(print);
const lost = reports.reduce((sum, { losses }) => sum + losses.length, 0);
console.log(`\n${lost} lost`);
Deno.exit(lost > 0 ? 1 : 0);

// Runs several commands in turns, so that whatever else the machine does at the time hits all of them.
import { type Command, measure, peakMemory, type Sample } from "./process.ts";

export interface Contest {
  /** By name; they run in this order in each round. */
  commands: Record<string, Command>;
  rounds: number;
  /** After so many milliseconds no round begins any more, except the first that counts. */
  limitMs: number;
  /** Runs once at the end, not measured. */
  last?: Command;
}

export interface Result {
  samples: Record<string, Sample[]>;
  /** Most memory in MiB, by name. */
  peaks: Record<string, number | null>;
}

/** Called ahead of each run, outside the measured time, with the name of the command. */
export type Before = (name: string) => Promise<void>;

/** The time (as performance.now) at which a run had done what counts, when that is before its end; else null. */
export type DoneAt = (name: string) => number | null;

/** Rounds that are not counted: Deno's cache of compiled code is written in the first. */
const WARM_UP = 2;
const PEAK_RUNS = 2;

export async function compete(
  contest: Contest,
  before: Before = async () => {},
  doneAt: DoneAt = () => null,
): Promise<Result> {
  const commands = Object.entries(contest.commands);
  const samples: Result["samples"] = Object.fromEntries(commands.map(([name]) => [name, []]));
  const end = performance.now() + contest.limitMs;
  const isLate = () => performance.now() > end;
  for (let round = -WARM_UP; round < contest.rounds; round++) {
    if (isLate() && round > 0) break;
    if (isLate() && round < 0) continue;
    for (const [name, command] of commands) {
      await before(name);
      const sample = await measure(command, () => doneAt(name));
      if (round >= 0) samples[name].push(sample);
    }
  }
  const peaks = await measurePeaks(contest.commands, before, isLate() ? 1 : PEAK_RUNS);
  if (contest.last) await measure(contest.last);
  return { samples, peaks };
}

async function measurePeaks(
  commands: Contest["commands"],
  before: Before,
  runs: number,
): Promise<Result["peaks"]> {
  const found: Result["peaks"] = {};
  for (const [name, command] of Object.entries(commands)) {
    const seen: number[] = [];
    for (let run = 0; run < runs; run++) {
      await before(name);
      const peak = await peakMemory(command);
      if (peak !== null) seen.push(peak);
    }
    found[name] = seen.length > 0 ? Math.max(...seen) : null;
  }
  return found;
}

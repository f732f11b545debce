// What every part of the benchmark works with.
import { type Before, compete, type Contest, type DoneAt } from "./compare.ts";
import { type Budget, type Line, toLine } from "./line.ts";
import type { World } from "./world.ts";

export interface Settings {
  quick: boolean;
  /** Another command to run beside ours, for `sh -c`, or null. */
  against: string | null;
}

/** A part builds its world and gives lines as it measures them. */
export type Part = (settings: Settings) => AsyncGenerator<Line>;

/** How long and how often: by rounds, and no longer than a part of the whole may take. */
export function extent({ quick }: Settings, rounds: number): Pick<Contest, "rounds" | "limitMs"> {
  return quick ? { rounds: Math.max(3, Math.round(rounds / 4)), limitMs: 1_000 } : { rounds, limitMs: 4_000 };
}

export interface Measured {
  title: string;
  args: string[];
  rounds: number;
  /** How many times longer than others it may take, where a run is long. */
  patience?: number;
  budget?: Budget;
  before?: Before;
  doneAt?: DoneAt;
}

/** One command of ours, called from outside Claude, against the floor: the same build, doing nothing. */
export async function againstFloor(world: World, settings: Settings, what: Measured): Promise<Line> {
  const { env, server: { scratch: { program } } } = world;
  const counter = await tmuxCounter(world);
  const ours = { program, args: what.args, env };
  const contest = { commands: { floor: { program, args: ["--noop"], env }, ours } };
  const { rounds, limitMs } = extent(settings, what.rounds);
  const long = { ...contest, rounds, limitMs: limitMs * (what.patience ?? 1) };
  const result = await compete(long, what.before, what.doneAt);
  await what.before?.("ours");
  await compete({ commands: {}, rounds: 0, limitMs: 0, last: { ...ours, env: counter.env(env) } });
  return toLine(what.title, result, { budget: what.budget, tmuxCalls: await counter.count() });
}

export interface TmuxCounter {
  /** The same environment with a tmux first on PATH that counts its calls. */
  env(env: Record<string, string>): Record<string, string>;
  count(): Promise<number>;
}

export async function tmuxCounter({ server: { scratch } }: World): Promise<TmuxCounter> {
  const folder = `${scratch.root}/counting`;
  const log = `${folder}/log`;
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(log, "");
  const script = `#!/bin/sh\necho >>'${log}'\nPATH=\${PATH#*:}\nexec tmux "$@"\n`;
  await Deno.writeTextFile(`${folder}/tmux`, script, { mode: 0o755 });
  return {
    env: (env) => ({ ...env, PATH: `${folder}:${env.PATH}` }),
    count: async () => (await Deno.readTextFile(log)).length,
  };
}

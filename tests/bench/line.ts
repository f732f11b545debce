// One line of the table: what was measured, the numbers made of its samples, and whether its budget is met.
import type { Result } from "./compare.ts";
import type { Sample } from "./process.ts";
import { median, medianDifference, quantile } from "./stats.ts";

/** What is promised, in milliseconds of wall time and MiB. */
export interface Budget {
  overFloor?: number;
  total?: number;
  peak?: number;
  tmuxCalls?: number;
  /** Taken off before `overFloor` is judged: what others need, such as the shell's echo. */
  besides?: number;
}

export interface Figures {
  wall: Spread;
  cpu: Spread;
  peak: number | null;
  runs: number;
  /** Exit codes other than 0 that were seen. */
  codes: number[];
}

/** Milliseconds. The least is what an idle machine would need: whatever else runs only adds. */
export interface Spread {
  least: number;
  median: number;
  p95: number;
}

export interface Line {
  title: string;
  ours: Figures;
  floor: Figures | null;
  /** The other command of --against. */
  against: Figures | null;
  /** Median of the differences to the floor, round by round, in milliseconds. */
  over: { wall: number; cpu: number } | null;
  tmuxCalls: number | null;
  budget: Budget | null;
  /** Which parts of the budget are not met, by the median and by the fastest run; null without a budget. */
  missed: { median: string[]; least: string[] } | null;
}

export function toLine(
  title: string,
  result: Result,
  more: { budget?: Budget; tmuxCalls?: number | null } = {},
): Line {
  const { ours, floor, against } = result.samples;
  const line = {
    title,
    ours: figures(ours, result.peaks.ours),
    floor: floor ? figures(floor, result.peaks.floor) : null,
    against: against ? figures(against, result.peaks.against) : null,
    over: floor
      ? {
        wall: medianDifference(walls(ours), walls(floor)),
        cpu: medianDifference(cpus(ours), cpus(floor)),
      }
      : null,
    tmuxCalls: more.tmuxCalls ?? null,
    budget: more.budget ?? null,
    missed: null,
  };
  return { ...line, missed: more.budget ? missed(line, more.budget) : null };
}

const walls = (samples: Sample[]) => samples.map(({ wallMs }) => wallMs);
const cpus = (samples: Sample[]) => samples.map(({ cpuMs }) => cpuMs);

function figures(samples: Sample[], peak: number | null): Figures {
  return {
    wall: spread(walls(samples)),
    cpu: spread(cpus(samples)),
    peak: peak ?? null,
    runs: samples.length,
    codes: [...new Set(samples.map(({ code }) => code))].filter((code) => code !== 0),
  };
}

function spread(numbers: number[]): Spread {
  return { least: Math.min(...numbers), median: median(numbers), p95: quantile(numbers, 0.95) };
}

/** How much longer the fastest run took than the fastest of the floor. */
export function leastOver({ ours, floor }: Pick<Line, "ours" | "floor">): number | null {
  return floor && ours.wall.least - floor.wall.least;
}

function missed(line: Omit<Line, "missed">, budget: Budget): Line["missed"] {
  const besides = budget.besides ?? 0;
  const judge = (over: number | null, total: number) => {
    const parts: [number | undefined, number | null, string][] = [
      [budget.overFloor, over && over - besides, "ms over the floor"],
      [budget.total, total, "ms"],
      [budget.peak, line.ours.peak, "MiB"],
      [budget.tmuxCalls, line.tmuxCalls, "calls of tmux"],
    ];
    return parts.flatMap(([limit, value, unit]) =>
      limit !== undefined && value !== null && value > limit ? [`${value.toFixed(0)} ${unit}`] : []
    );
  };
  return {
    median: judge(line.over?.wall ?? null, line.ours.wall.median),
    least: judge(leastOver(line), line.ours.wall.least),
  };
}

/** The budget in words. */
export function budgetText({ overFloor, total, peak, tmuxCalls, besides }: Budget): string {
  return [
    overFloor !== undefined && `floor + ${overFloor} ms${besides ? ` + ${besides.toFixed(0)} (echo)` : ""}`,
    total !== undefined && `${total} ms`,
    peak !== undefined && `${peak} MiB`,
    tmuxCalls !== undefined && `${tmuxCalls} tmux`,
  ].filter(Boolean).join(", ");
}

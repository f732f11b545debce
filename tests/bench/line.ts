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
  wall: { median: number; p95: number };
  cpu: { median: number; p95: number };
  peak: number | null;
  runs: number;
  /** Exit codes other than 0 that were seen. */
  codes: number[];
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
  /** Which parts of the budget are not met; null without a budget. */
  missed: string[] | null;
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
  const both = (numbers: number[]) => ({ median: median(numbers), p95: quantile(numbers, 0.95) });
  return {
    wall: both(walls(samples)),
    cpu: both(cpus(samples)),
    peak: peak ?? null,
    runs: samples.length,
    codes: [...new Set(samples.map(({ code }) => code))].filter((code) => code !== 0),
  };
}

function missed(line: Omit<Line, "missed">, budget: Budget): string[] {
  const over = line.over && line.over.wall - (budget.besides ?? 0);
  const parts: [number | undefined, number | null, string][] = [
    [budget.overFloor, over, "ms over the floor"],
    [budget.total, line.ours.wall.median, "ms"],
    [budget.peak, line.ours.peak, "MiB"],
    [budget.tmuxCalls, line.tmuxCalls, "calls of tmux"],
  ];
  return parts.flatMap(([limit, value, unit]) =>
    limit !== undefined && value !== null && value > limit
      ? [`${value.toFixed(0)} ${unit}, not ${limit}`]
      : []
  );
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

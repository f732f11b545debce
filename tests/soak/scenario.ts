// What a soak is made of: worlds in which something goes wrong in every round, and what must hold after it.
import type { Random } from "../helpers/seeded.ts";

/** Counts what was tried; a check that fails is a loss, which ends the round and is reported with its seed. */
export interface Tally {
  /** By what was done: "killed the hook", "the disk was full", … */
  tried: Map<string, number>;
  checks: number;
}

export class Loss extends Error {
  override name = "Loss";
}

export interface Trial extends AsyncDisposable {
  /** One round of faults, and the checks after it. Throws Loss when something is lost. */
  round(random: Random, tally: Tally): Promise<void>;
}

export interface Scenario {
  name: string;
  /** A world for some rounds, or why it cannot be had here. */
  begin(): Promise<Trial | { skipped: string }>;
}

export function count(tally: Tally, what: string, times = 1): void {
  tally.tried.set(what, (tally.tried.get(what) ?? 0) + times);
}

/** One thing that must hold. */
export function mustHold(tally: Tally, holds: boolean, otherwise: () => string): void {
  tally.checks++;
  if (!holds) throw new Loss(otherwise());
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Lets a process run for some milliseconds and ends it with SIGKILL. Tells whether it had ended by itself. */
export async function killAfter(
  child: Deno.ChildProcess,
  ms: number,
): Promise<{ ended: boolean; code: number }> {
  const status = child.status;
  const ended = await Promise.race([status.then(() => true), pause(ms).then(() => false)]);
  if (!ended) tryToKill(child);
  const { code, signal } = await status;
  return { ended: signal === null, code };
}

function tryToKill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It ended at this very moment.
  }
}

// Random things that are the same in every run, so that a failure can be tried again: SEED=… names another sequence.
import { seeded } from "../fixtures/state_world.ts";

export interface Random {
  /** For messages: what to set SEED to. */
  seed: number;
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, limit). */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** A list of `length` picks, put together. */
  text(pool: readonly string[], length: number): string;
}

/** The sequence of a seed. */
export function randomOf(seed: number): Random {
  const next = seeded(seed);
  // The first numbers of neighbouring seeds are alike.
  for (let skipped = 0; skipped < 8; skipped++) next();
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(list: readonly T[]) => list[below(list.length)];
  return {
    seed,
    next,
    below,
    chance: (probability) => next() < probability,
    pick,
    text: (pool, length) => Array.from({ length }, () => pick(pool)).join(""),
  };
}

/** SEED of the environment, else the given one. */
export function seedOf(otherwise: number): number {
  const given = Number(Deno.env.get("SEED") ?? "");
  return Number.isSafeInteger(given) && given > 0 ? given : otherwise;
}

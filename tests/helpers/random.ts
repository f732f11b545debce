// Random choices that a seed repeats.

export interface Random {
  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Picks one of the names; a name with a larger weight comes more often. */
  weighted<T extends string>(weights: Record<T, number>): T;
}

/** The same seed gives the same choices (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)],
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let at = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      return entries.find(([, weight]) => (at -= weight) < 0)![0];
    },
  };
}

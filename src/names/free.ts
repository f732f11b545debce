// The next free name: foo, foo-2, foo-3. Pure.
import { cutName, NAME_LIMIT } from "./sanitize.ts";

/** Whether two names are one to a reader: the same letters, composed or not. Case counts, as it does for Claude. */
export function sameName(a: string, b: string): boolean {
  return a === b || a.normalize() === b.normalize();
}

/**
 * The name itself when nobody has it, else the first free of `-2`, `-3`, …; never longer than a name may be.
 * A name that ends in a number gets one more (`v-2` → `v-2-2`): its number is the user's, not ours.
 */
export function freeName(name: string, taken: readonly string[]): string {
  const held = new Set(taken.map((other) => other.normalize()));
  for (let count = 1;; count++) {
    const candidate = numbered(name, count);
    if (!held.has(candidate.normalize())) return candidate;
  }
}

/** The name with its suffix: `numbered("foo", 2)` is `foo-2`; 1 is the name itself. */
export function numbered(name: string, count: number): string {
  if (count === 1) return name;
  const suffix = `-${count}`;
  return cutName(name, NAME_LIMIT - suffix.length) + suffix;
}

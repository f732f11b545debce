// What was changed in a foreign file, kept so small that it can be taken back byte for byte. Pure.

/** One place of a text where something was put in (and, at most, blanks were taken out). */
export interface Step {
  /** Where it was, as long as nobody changed what is before it. */
  at: number;
  /** Up to 40 characters before the place, to find it again. */
  before: string;
  removed: string;
  inserted: string;
}

const CONTEXT = 40;

/** The one place where two texts differ. */
export function stepBetween(old: string, text: string): Step {
  const shorter = Math.min(old.length, text.length);
  let start = 0;
  while (start < shorter && old[start] === text[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === text.at(-1 - end)) end++;
  return {
    at: start,
    before: old.slice(Math.max(0, start - CONTEXT), start),
    removed: old.slice(start, old.length - end),
    inserted: text.slice(start, text.length - end),
  };
}

/** Takes the steps back, the last one first. Null when one of them cannot be found any more. */
export function undo(text: string, steps: Step[]): string | null {
  let result = text;
  for (const step of steps.toReversed()) {
    const place = find(result, step);
    if (place === null) return null;
    result = result.slice(0, place) + step.removed + result.slice(place + step.inserted.length);
  }
  return result;
}

function find(text: string, { at, before, inserted }: Step): number | null {
  if (at >= before.length && text.startsWith(before + inserted, at - before.length)) return at;
  const exact = text.lastIndexOf(before + inserted);
  if (exact >= 0) return exact + before.length;
  const alone = text.indexOf(inserted);
  return inserted !== "" && alone >= 0 && alone === text.lastIndexOf(inserted) ? alone : null;
}

// A span such as "2h" or "3d". Pure.

const UNITS: Record<string, number> = {
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** The moment so long ago, in milliseconds since the epoch; null when the text is no span. */
export function parseSince(text: string, now: number): number | null {
  const found = /^(\d{1,6}(?:\.\d+)?)\s*(s|min|m|h|d|w)$/.exec(text.trim());
  return found ? now - Number(found[1]) * UNITS[found[2]] : null;
}

// Ages for people. Pure.

const NOW = "just now";

/** "3 h", "2 d", "40 s" for a time in milliseconds; "just now" for the future (a clock that jumped). */
export function formatAge(ms: number): string {
  if (Number.isNaN(ms)) return "unknown"; // a stamp written by hand has no time
  if (ms < 1_000) return NOW;
  const units: [number, string][] = [[86_400_000, "d"], [3_600_000, "h"], [60_000, "min"], [1_000, "s"]];
  const [size, unit] = units.find(([length]) => ms >= length)!;
  return `${Math.floor(ms / size)} ${unit}`;
}

/** The same as part of a sentence: "3 h old", "just now". */
export function formatOld(ms: number): string {
  if (Number.isNaN(ms)) return "of unknown age";
  const age = formatAge(ms);
  return age === NOW ? age : `${age} old`;
}

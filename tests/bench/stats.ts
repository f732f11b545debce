// Numbers about samples.

/** The value that `share` (0 to 1) of the numbers do not exceed; NaN without numbers. */
export function quantile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)];
  return sorted.length === 0 ? NaN : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median of a[i] - b[i]: what both had to bear in the same round cancels. */
export function medianDifference(a: number[], b: number[]): number {
  return median(a.slice(0, b.length).map((value, index) => value - b[index]));
}

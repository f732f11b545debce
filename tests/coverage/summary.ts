// What `deno coverage` prints, read and judged. Pure.

/** A file of src/, or "All files". */
export interface Covered {
  path: string;
  /** Per cent of its lines. */
  lines: number;
}

/** The rows of its table: file, branches, functions, lines; the last one is the sum. */
export function parseSummary(text: string): Covered[] {
  const rows = [...text.matchAll(/^\| (\S.*?) +\| +[\d.]+ \| +[\d.]+ \| +([\d.]+) \|$/gm)];
  return rows.map(([, name, lines]) => ({
    path: name === ALL ? name : `src/${name}`,
    lines: Number(lines),
  }));
}

const ALL = "All files";

/** A line for every file that is reached less than it should be, and for all together. */
export function shortfalls(
  covered: Covered[],
  pure: string[],
  least: { pure: number; all: number },
): string[] {
  const leastOf = (path: string) =>
    path === ALL ? least.all : pure.some((folder) => path.startsWith(folder)) ? least.pure : 0;
  const short = covered.filter(({ path, lines }) => lines < leastOf(path));
  const lines = short.map(({ path, lines }) => `${path}: ${lines} % of its lines, ${leastOf(path)} % wanted`);
  return covered.some(({ path }) => path === ALL) ? lines : [...lines, "there is no sum of all files"];
}

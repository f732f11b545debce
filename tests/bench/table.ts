// The lines as a table for people.
import { budgetText, type Figures, type Line } from "./line.ts";

const HEAD = [
  "",
  "wall ms: median",
  "p95",
  "floor",
  "ratio",
  "over",
  "least",
  "CPU ms",
  "p95",
  "over",
  "MiB",
  "tmux",
  "runs",
  "budget",
  "",
];

/** From this column on there is text. */
const TEXT_FROM = 13;

/** The lines, and what the columns are. */
export function table(lines: Line[]): string {
  const rows = [HEAD, ...lines.flatMap(rowsOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row.map((cell, column) => align(cell, widths[column], column)).join("  ").trimEnd()
  )
    .join("\n");
}

function align(cell: string, width: number, column: number): string {
  return column === 0 || column >= TEXT_FROM ? cell.padEnd(width) : cell.padStart(width);
}

function rowsOf(line: Line): string[][] {
  const own = cells(line.title, line.ours, line);
  const budget = line.budget ? budgetText(line.budget) : "";
  const failed = line.ours.codes.length > 0 ? `exit code ${line.ours.codes.join(", ")}! ` : "";
  const rows = [[...own, budget, failed + verdict(line)]];
  if (line.against) {
    rows.push([
      ...cells("  the other command", line.against, { ...line, over: null, tmuxCalls: null }),
      "",
      "",
    ]);
  }
  return rows;
}

function verdict({ missed }: Line): string {
  if (missed === null) return "";
  if (missed.median.length === 0) return "met";
  if (missed.least.length > 0) return `NOT MET: ${missed.least.join(", ")} at least`;
  return `met by the fastest runs; ${missed.median.join(", ")} in the median`;
}

function cells(title: string, figures: Figures, { floor, over, tmuxCalls }: Line): string[] {
  const number = (value: number | undefined | null, digits = 0) => value == null ? "" : value.toFixed(digits);
  return [
    title,
    number(figures.wall.median),
    number(figures.wall.p95),
    number(floor?.wall.median),
    floor ? `${number(figures.wall.median / floor.wall.median, 1)}×` : "",
    over ? signed(over.wall) : "",
    floor && over ? signed(figures.wall.least - floor.wall.least) : "",
    number(figures.cpu.median),
    number(figures.cpu.p95),
    over ? signed(over.cpu) : "",
    number(figures.peak),
    number(tmuxCalls),
    number(figures.runs),
  ];
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(0)}`;
}

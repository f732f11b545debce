// Tables for people: columns as wide as their content, cut where the terminal ends. Pure.
import { fit, pad, textWidth } from "./width.ts";

export interface Column {
  title: string;
  /** Where it may be cut when there is too little room (what stays), and to how many columns; never when absent. */
  cut?: { keep: "start" | "end"; least: number };
}

const GAP = "  ";

/**
 * The widths that fit into `room` columns: the widest of those that may be cut gives way first. Where that is not
 * enough the last columns are left out.
 */
export function columnWidths(columns: Column[], rows: string[][], room: number): number[] {
  const widths = columns.map((column, index) =>
    rows.reduce((widest, row) => Math.max(widest, textWidth(row[index])), textWidth(column.title))
  );
  const least = (index: number) => columns[index].cut?.least ?? Infinity;
  for (let over = totalWidth(widths) - room; over > 0; over--) {
    const widest = widths.reduce(
      (found, width, index) => width > least(index) && width > (widths[found] ?? 0) ? index : found,
      -1,
    );
    if (widest < 0) break;
    widths[widest]--;
  }
  while (widths.length > 1 && totalWidth(widths) > room) widths.pop();
  return widths;
}

function totalWidth(widths: number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
}

/** One line of the table. `paint` may add colour to a cell that has its width already. */
export function tableLine(
  columns: Column[],
  widths: number[],
  cells: string[],
  paint: (text: string, column: number) => string = (text) => text,
): string {
  const shown = widths.map((width, index) => pad(fit(cells[index], width, columns[index].cut?.keep), width));
  const last = shown.length - 1;
  shown[last] = shown[last].trimEnd();
  return shown.map(paint).join(GAP).trimEnd();
}

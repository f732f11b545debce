// What a restore tells a person.
import { formatAddress } from "../binding.ts";
import type { RestoredRow } from "../survey/restored_row.ts";
import { printable } from "./width.ts";

/** One pane in one line. */
export function describe(row: RestoredRow): string {
  const reason = row.reason ? `: ${row.reason}` : "";
  return printable(
    `  ${formatAddress(row)}  ${row.action}  ${row.name ?? row.session_id.slice(0, 8)}${reason}`,
  );
}

/** One pane of a dry run, with the line that would be typed. */
export function plannedText(row: RestoredRow): string {
  const line = row.line ? `      in ${printable(row.cwd)}: ${printable(row.line)}\n` : "";
  return `${describe(row)}\n${line}`;
}

/** Nothing could be typed there, and the row says why: a Claude runs, a transcript is gone. */
function staysAsItIs({ action, line, reason }: RestoredRow): boolean {
  return (action === "skipped" || action === "stamped") && line === null && reason !== null;
}

/** All panes in one sentence. */
export function summary(rows: RestoredRow[], reviveKey: string): string {
  const count = (...actions: RestoredRow["action"][]) =>
    rows.filter((row) => actions.includes(row.action) && !staysAsItIs(row)).length;
  const parts = [
    [count("verified", "launched"), "running again"],
    [count("typed"), "typed, press Enter in them"],
    [count("failed"), "failed"],
    [count("stamped", "skipped"), `can be revived: prefix + ${reviveKey}`],
    [rows.filter(staysAsItIs).length, "stay as they are"],
  ] as const;
  const told = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  const left = count("left") > 0 ? [`${count("left")} left (tmuxclaude recover)`] : [];
  return [...(told.length > 0 ? told : ["no pane fits the record"]), ...left].join(", ");
}

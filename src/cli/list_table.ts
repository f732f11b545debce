// The list of panes as a table, a block for each tmux session. Pure.
import { formatAge } from "../ladder/age.ts";
import { withTilde } from "../path.ts";
import type { ListedPane } from "../survey/inventory.ts";
import { type Column, columnWidths, tableLine } from "./table.ts";
import { fit, printable } from "./width.ts";

export interface TableOptions {
  /** Columns of a line, Infinity for no limit. */
  room: number;
  home: string;
  color: boolean;
}

const INDENT = "  ";
const STATE_COLUMN = 2;
const COLORS: Record<string, number> = { running: 32, exited: 2, lost: 31, restored: 33 };

/** Lines for a person. */
export function listTable(panes: ListedPane[], options: TableOptions): string[] {
  const withTeams = panes.some(({ team }) => team !== null && team.id !== "unassigned");
  const columns = columnsOf(withTeams);
  const rows = panes.map((pane) => cellsOf(pane, options.home, withTeams).map(printable));
  const room = options.room - INDENT.length;
  const widths = columnWidths(columns, rows, room);
  const heads = columns.map(({ title }) => title);
  const paint = painter(options.color);
  const lines = [INDENT + tableLine(columns, widths, heads)];
  for (const [session, members] of Map.groupBy(rows.keys(), (index) => panes[index].tmux_session)) {
    lines.push(fit(printable(session), room));
    for (const index of members) lines.push(INDENT + tableLine(columns, widths, rows[index], paint));
  }
  return lines;
}

function columnsOf(withTeams: boolean): Column[] {
  return [
    { title: "PANE" },
    { title: "WINDOW", cut: { keep: "start", least: 6 } },
    { title: "STATE" },
    { title: "NAME", cut: { keep: "start", least: 6 } },
    { title: "FOLDER", cut: { keep: "end", least: 6 } },
    ...(withTeams ? [{ title: "TEAM", cut: { keep: "start", least: 4 } } as const] : []),
    { title: "AGE" },
    { title: "REVIVE", cut: { keep: "start", least: 12 } },
  ];
}

function cellsOf(pane: ListedPane, home: string, withTeams: boolean): string[] {
  const more = pane.addresses.length > 1 ? ` +${pane.addresses.length - 1}` : "";
  return [
    pane.pane_id,
    `${pane.window_index}.${pane.pane_index} ${pane.window_name}${more}`,
    pane.state,
    pane.name ?? pane.session_id?.slice(0, 8) ?? "-",
    withTilde(pane.cwd, home),
    ...(withTeams ? [pane.team?.id ?? "-"] : []),
    pane.age_seconds === null ? "-" : formatAge(pane.age_seconds * 1_000),
    wouldDo(pane),
  ];
}

function wouldDo(pane: ListedPane): string {
  const { outcome, rung } = pane.revive;
  if (outcome === "running") return runningNotes(pane);
  if (pane.remark !== null) return pane.remark;
  if (outcome === "would_respawn") return "respawn it, and resume";
  return rung === "journal" ? "type a line recorded after the last save" : "type its line";
}

function runningNotes({ kind, evidence }: ListedPane): string {
  const notes = [
    kind === "interactive" ? null : kind,
    evidence.includes("suspended") ? "suspended: fg" : null,
  ];
  return notes.filter((note) => note !== null).join(", ");
}

function painter(color: boolean): (text: string, column: number) => string {
  if (!color) return (text) => text;
  return (text, column) =>
    column === STATE_COLUMN ? `\u001b[${COLORS[text.trim()] ?? 0}m${text}\u001b[0m` : text;
}

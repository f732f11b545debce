// What the journal adds to a record: panes that began after the last save. Pure.
import { addressOf, sameLife, type ServerLife } from "../binding.ts";
import { isUsers } from "../policy/later.ts";
import type { JournalLine, JournalPane } from "../state/journal.ts";
import type { PastPane, PastRecord } from "./past.ts";

type PlacedLine = JournalLine & { tmux: JournalPane };

/** The last line of each pane of a server life, in the journal's order. */
function lastLines(journal: JournalLine[], life: ServerLife): PlacedLine[] {
  const byPane = new Map<string, PlacedLine>();
  for (const line of journal) {
    if (line.tmux && sameLife(line.tmux, life) && isUsers(line.claude)) {
      byPane.set(line.tmux.pane_id, line as PlacedLine);
    }
  }
  return [...byPane.values()];
}

/** Conversations of a server life by the journal: those it held, and those that were only put back there. */
export function conversationsOf(
  journal: JournalLine[],
  life: ServerLife,
): { held: string[]; known: string[] } {
  const lines = journal.filter(({ tmux, claude }) => tmux && sameLife(tmux, life) && isUsers(claude));
  const held = lines.filter(({ event }) => event === "start" || event === "rename" || event === "end");
  const ids = (of: JournalLine[]) => [...new Set(of.map((line) => line.session_id))];
  return { held: ids(held), known: ids(lines) };
}

/**
 * The record with the panes that only the journal knows: those whose last line is newer than the record. Without a
 * record, all panes of the life that the journal knows; null when there is none.
 */
export function withJournal(
  record: PastRecord | null,
  journal: JournalLine[],
  life: ServerLife,
): PastRecord | null {
  const known = new Set(record?.panes.map((pane) => pane.pane_id));
  const lines = lastLines(journal, life).filter(({ at, tmux }) =>
    !known.has(tmux.pane_id) && (record === null || Date.parse(at) > record.time)
  );
  if (record) return { ...record, panes: [...record.panes, ...lines.map(toPane)] };
  if (lines.length === 0) return null;
  const time = Math.max(...lines.map(({ at }) => Date.parse(at) || 0));
  return { time, save: null, life, pane_base_index: null, panes: lines.map(toPane), manifest: null };
}

function toPane(line: PlacedLine): PastPane {
  const { socket, pid, started, pane_id } = line.tmux;
  const address = addressOf(line.tmux);
  return {
    ...address,
    addresses: [address],
    window_name: "",
    title: "",
    cwd: line.cwd,
    command: "",
    full_command: "",
    active: Date.parse(line.at) || null,
    pane_id,
    life: { socket, pid, started },
    row: null,
  };
}

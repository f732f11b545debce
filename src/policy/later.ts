// What the journal knows of a pane after its snapshot. Pure.
import { type Binding, sameLife } from "../binding.ts";
import type { JournalLine } from "../state/journal.ts";
import type { Manifest, ManifestRow } from "../state/manifest.ts";

/**
 * The newest journal line about a row's pane that is newer than the snapshot and names another conversation.
 * Within one server life a pane id names one pane.
 */
export function laterLine(row: ManifestRow, manifest: Manifest, journal: JournalLine[]): JournalLine | null {
  const about = ({ tmux, claude }: JournalLine) =>
    tmux?.pane_id === row.pane_id && sameLife(tmux, manifest.server) && isUsers(claude);
  const line = journal.findLast(about);
  if (!line || line.at <= manifest.at || line.session_id === row.binding?.session_id) return null;
  return line;
}

/** Teammates and headless runs are recorded, and never offered. */
export function isUsers(claude: Binding["claude"]): boolean {
  return claude === null || claude.kind === "interactive";
}

/** The binding part of a journal line. */
export function bindingOf(line: JournalLine): Binding {
  const { schema: _1, seq: _2, event: _3, source: _4, previous_id: _5, tmux: _6, ...binding } = line;
  return binding;
}

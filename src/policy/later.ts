// What the journal knows of a pane after its snapshot. Pure.
// Within one server life a pane id names one pane, so a line with that id is about the row's pane.
import { type Binding, sameLife } from "../binding.ts";
import type { JournalLine } from "../state/journal.ts";
import type { Manifest, ManifestRow } from "../state/manifest.ts";

/** The last thing that is known of the conversation a row's pane held when its server ended. */
export interface LastKnown {
  binding: Binding;
  /** Whether a Claude was alive there: not ended by the user, not killed before. */
  running: boolean;
}

/** The row's conversation as it was at the end of its server, or the one that took its place after the save. */
export function lastKnown(row: ManifestRow, manifest: Manifest, journal: JournalLine[]): LastKnown | null {
  const line = newestLine(row, manifest, journal);
  const same = line?.session_id === row.binding?.session_id;
  if (line) {
    const from = same ? "manifest" as const : "journal" as const;
    return { binding: { ...bindingOf(line), restored_from: from }, running: line.state !== "exited" };
  }
  if (!row.binding) return null;
  const running = row.live && row.binding.state !== "exited";
  return { binding: { ...row.binding, restored_from: "manifest" }, running };
}

/** The newest line after the snapshot that names another conversation than the row, null when there is none. */
export function laterLine(row: ManifestRow, manifest: Manifest, journal: JournalLine[]): JournalLine | null {
  const line = newestLine(row, manifest, journal);
  return line && line.session_id !== row.binding?.session_id ? line : null;
}

function newestLine(row: ManifestRow, manifest: Manifest, journal: JournalLine[]): JournalLine | null {
  const line = journal.findLast(({ tmux, claude }) =>
    tmux?.pane_id === row.pane_id && sameLife(tmux, manifest.server) && isUsers(claude)
  );
  return line && line.at > manifest.at ? line : null;
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

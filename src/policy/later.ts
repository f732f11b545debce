// What the journal knows of a pane after its snapshot. Pure.
// Within one server life a pane id names one pane, so a line with that id is about the row's pane.
import { type Binding, sameAddress, sameLife, type ServerLife, type SessionId } from "../binding.ts";
import type { JournalLine, JournalPane } from "../state/journal.ts";
import type { Manifest, ManifestRow } from "../state/manifest.ts";

/** The last thing that is known of the conversation a row's pane held when its server ended. */
export interface LastKnown {
  binding: Binding;
  /** Whether a Claude was alive there: not ended by the user, not killed before. */
  running: boolean;
}

/** Whether a conversation can be resumed: one that began later counts only then. */
export type Owns = (id: SessionId, binding: Binding) => boolean;

/** The row's conversation as it was at the end of its server, or the one that took its place after the save. */
export function lastKnown(
  row: ManifestRow,
  manifest: Manifest,
  journal: JournalLine[],
  owns: Owns,
): LastKnown | null {
  const lines = linesOf(row, manifest, journal);
  const whole = lines.reduce(followed, row.binding);
  if (!whole) return null;
  const { candidate } = whole;
  const binding = candidate && owns(candidate.session_id, candidate) ? candidate : whole;
  const line = lines.findLast(({ session_id, state }) =>
    session_id === binding.session_id && state !== "restored"
  );
  const running = line ? line.state !== "exited" : row.live && row.binding?.state !== "exited";
  return { binding: restoredFrom(binding, binding.session_id === row.binding?.session_id), running };
}

/** The binding after one more line. One that nobody prompted yet is a candidate, as on the pane's stamp. */
function followed(binding: Binding | null, line: JournalLine): Binding {
  const part = bindingOf(line);
  if (binding && isCandidate(line, binding)) return { ...binding, candidate: part };
  return line.event === "end" && binding?.session_id === part.session_id
    ? { ...part, candidate: binding.candidate }
    : part;
}

function isCandidate(line: JournalLine, binding: Binding): boolean {
  if (line.session_id === binding.candidate?.session_id) return true;
  const isOther = line.event === "start" && line.previous_id === binding.session_id;
  return isOther && line.transcript === null && !line.chain.includes(binding.session_id);
}

/** What was put back as "recorded after the save" and not revived since then stays that. */
function restoredFrom(binding: Binding, isOfSave: boolean): Binding {
  const from = isOfSave && binding.restored_from !== "journal" ? "manifest" : "journal";
  return { ...binding, restored_from: from };
}

/** The newest line after the snapshot that names another conversation than the row, null when there is none. */
export function laterLine(row: ManifestRow, manifest: Manifest, journal: JournalLine[]): JournalLine | null {
  const line = linesOf(row, manifest, journal).at(-1);
  return line && line.session_id !== row.binding?.session_id ? line : null;
}

/**
 * The lines after the snapshot about the row's pane, and about the panes that came back for it in later lives. Lines
 * of lives that did not come back from this snapshot are not to be among the journal.
 */
function linesOf(row: ManifestRow, manifest: Manifest, journal: JournalLine[]): JournalLine[] {
  let pane: ServerLife & { pane_id: string } = { ...manifest.server, pane_id: row.pane_id };
  return journal.filter((line) => {
    const { tmux } = line;
    if (!tmux || line.at <= manifest.at || !isUsers(line.claude)) return false;
    if (isSuccessor(line, tmux, row, pane)) pane = tmux;
    return tmux.pane_id === pane.pane_id && sameLife(tmux, pane);
  });
}

/** A pane of a later life at the row's place: put back by a restore, or a conversation began there in its folder. */
function isSuccessor(line: JournalLine, tmux: JournalPane, row: ManifestRow, pane: ServerLife): boolean {
  if (tmux.socket !== pane.socket || tmux.started <= pane.started || !sameAddress(tmux, row)) return false;
  return line.event === "restore" || (line.event === "start" && line.cwd === row.cwd);
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

// What the journal knows about names: what lived in a pane before, and what the Claudes that run now are called.
import {
  type Binding,
  type PaneAddress,
  sameAddress,
  sameLife,
  type ServerLife,
  type SessionId,
} from "../binding.ts";
import type { LiveName, OwnLives } from "../names/taken.ts";
import { type JournalLine, readJournal } from "../state/journal.ts";
import type { System } from "../system/system.ts";

/** The pane as the journal knows panes. */
export interface Place {
  pane_id: string;
  server: ServerLife;
  addresses: readonly PaneAddress[];
  cwd: string;
}

/** The journal's lines, oldest first; none when it cannot be read: that only means a suffix too many or too few. */
export function journalLines(system: System): JournalLine[] {
  try {
    return readJournal(system).lines;
  } catch {
    return [];
  }
}

/**
 * The conversation's own lineage: its ids through /clear, and every conversation that the journal saw in this pane, or
 * before a crash at its address in its folder.
 */
export function ownLives(
  lines: readonly JournalLine[],
  own: { id: SessionId | null; binding: Binding | null },
  place: Place,
): OwnLives {
  const { id, binding } = own;
  const chain = binding ? [binding.session_id, ...binding.chain] : [];
  const candidate = binding?.candidate ? [binding.candidate.session_id] : [];
  const earlier = [...chain, ...candidate, ...livedHere(lines, place)];
  return { session_id: id ?? binding?.session_id ?? null, earlier, names: binding?.names ?? [] };
}

function livedHere(lines: readonly JournalLine[], place: Place): SessionId[] {
  const here = lines.filter(({ tmux, cwd }) => {
    if (!tmux) return false;
    if (sameLife(tmux, place.server)) return tmux.pane_id === place.pane_id;
    return cwd === place.cwd && tmux.socket === place.server.socket &&
      place.addresses.some((address) => sameAddress(address, tmux));
  });
  return [...new Set(here.map((line) => line.session_id))];
}

/**
 * The registry's names with those that it lacks: a title that our answer gave at the start is in no registry, and in no
 * transcript before the first prompt. Counted as last recorded, while the process runs.
 */
export function runningNames(
  system: System,
  lines: readonly JournalLine[],
  folder: string,
  registry: readonly LiveName[],
): LiveName[] {
  const named = new Set(registry.filter(({ source }) => source !== "derived").map((item) => item.session_id));
  const last = new Map(lines.filter((line) => line.cwd === folder).map((line) => [line.session_id, line]));
  const recorded = [...last.values()].flatMap(({ session_id, name, claude, state }) => {
    if (named.has(session_id) || name === null || state !== "running" || !claude) return [];
    const runs = system.processes.read(claude.pid)?.started === claude.started;
    return runs ? [{ session_id, name, source: "recorded" }] : [];
  });
  return [...registry, ...recorded];
}

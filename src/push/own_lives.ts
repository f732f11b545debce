// What lived in this pane before: earlier lives of the same handle, whose titles are nobody else's.
import {
  type Binding,
  type PaneAddress,
  sameAddress,
  sameLife,
  type ServerLife,
  type SessionId,
} from "../binding.ts";
import type { OwnLives } from "../names/taken.ts";
import { readJournal } from "../state/journal.ts";
import type { System } from "../system/system.ts";

/** The pane as the journal knows panes. */
export interface Place {
  pane_id: string;
  server: ServerLife;
  addresses: readonly PaneAddress[];
  cwd: string;
}

/**
 * The conversation's own lineage: its ids through /clear, and every conversation that the journal saw in this pane, or
 * before a crash at its address in its folder. An unreadable journal only means a suffix too many.
 */
export function ownLives(
  system: System,
  id: SessionId | null,
  binding: Binding | null,
  place: Place,
): OwnLives {
  const chain = binding ? [binding.session_id, ...binding.chain] : [];
  const candidate = binding?.candidate ? [binding.candidate.session_id] : [];
  const earlier = [...chain, ...candidate, ...livedHere(system, place)];
  return { session_id: id ?? binding?.session_id ?? null, earlier, names: binding?.names ?? [] };
}

function livedHere(system: System, place: Place): SessionId[] {
  try {
    const lines = readJournal(system).lines.filter(({ tmux, cwd }) => {
      if (!tmux) return false;
      if (sameLife(tmux, place.server)) return tmux.pane_id === place.pane_id;
      return cwd === place.cwd && tmux.socket === place.server.socket &&
        place.addresses.some((address) => sameAddress(address, tmux));
    });
    return [...new Set(lines.map((line) => line.session_id))];
  } catch {
    return [];
  }
}

// Which id of a binding is resumed, and whether it may be. Pure.
import type { Binding, SessionId } from "../binding.ts";

/** What is known of an id's transcript. */
export type TranscriptState = "present" | "empty" | "missing" | "unknown";

/** Where a conversation lives now. */
export type Alive =
  | { where: "pane"; pane_id: string; address: string }
  /** `job`: what `claude attach` knows it by. */
  | { where: "background"; pid: number; job: string }
  | { where: "process"; pid: number };

/** Ids in the order they are tried: a later conversation of the pane, the current id, then the ids before /clear. */
export function candidates(binding: Binding): { id: SessionId; binding: Binding }[] {
  const later = binding.candidate ? [{ id: binding.candidate.session_id, binding: binding.candidate }] : [];
  return [...later, ...[binding.session_id, ...binding.chain].map((id) => ({ id, binding }))];
}

export type Pick =
  /** Resume this id with this binding's folder, arguments and config dir. */
  | { can: "resume"; id: SessionId; binding: Binding }
  /** Nobody prompted it: there is nothing to resume, a new start in its folder is what was there. */
  | { can: "fresh"; binding: Binding }
  /** It had a transcript once, and has none now. */
  | { can: "gone"; binding: Binding }
  | { can: "alive"; id: SessionId; alive: Alive }
  | { can: "unknown"; id: SessionId };

/** The recorded transcript is the binding's own, not one of the ids before /clear. */
function wasSeen({ id, binding }: { id: SessionId; binding: Binding }): boolean {
  return id === binding.session_id && binding.transcript !== null;
}

/**
 * The first id that owns a transcript. One that is alive elsewhere is refused unless forced: two processes on one
 * conversation interleave its transcript.
 */
export function pick(
  binding: Binding,
  transcript: (id: SessionId, binding: Binding) => TranscriptState,
  alive: (id: SessionId) => Alive | null,
  options: { force: boolean },
): Pick {
  const states = candidates(binding).map((entry) => ({
    ...entry,
    state: transcript(entry.id, entry.binding),
  }));
  const found = states.find((entry) => entry.state === "present");
  if (found) {
    const place = options.force ? null : alive(found.id);
    return place
      ? { can: "alive", id: found.id, alive: place }
      : { can: "resume", id: found.id, binding: found.binding };
  }
  const unknown = states.find((entry) => entry.state === "unknown");
  if (unknown) return { can: "unknown", id: unknown.id };
  const lost = states.some((entry) => entry.state === "missing" && wasSeen(entry));
  return lost ? { can: "gone", binding } : { can: "fresh", binding: binding.candidate ?? binding };
}

// The revival ladder: which conversation a pane is offered, and how sure that is. Pure; first hit wins.
import { type Binding, type PaneAddress, sameAddress, type SessionId } from "../binding.ts";
import { bindingOf, isUsers } from "../policy/later.ts";
import type { JournalLine } from "../state/journal.ts";
import type { Manifest, ManifestRow } from "../state/manifest.ts";

export type Rung = "running" | "stamp" | "manifest" | "journal" | "folder" | "nothing";

/** What is known of the pane and around it. */
export interface OfferFacts {
  /** Folder of the pane. */
  cwd: string;
  /** The pane's own binding (its stamp, weighed with the other witnesses). */
  binding: Binding | null;
  /** What a restore would put back here, from an earlier life of the server. */
  restorable: Binding | null;
  /** Oldest first. */
  journal: JournalLine[];
  /** Conversations that are alive, or that another pane of this server holds or certainly gets back. */
  taken: (id: SessionId) => boolean;
  /** Whether the id can be resumed. */
  owns: (id: SessionId, binding: Binding) => boolean;
}

export interface Offer {
  rung: Exclude<Rung, "running">;
  /** Whether it is certain that this pane held it. Anything else is called what it is. */
  exact: boolean;
  binding: Binding | null;
}

/** Walks the ladder from the pane's own stamp down to nothing. */
export function offer(facts: OfferFacts): Offer {
  return fromStamp(facts) ?? fromSnapshot(facts) ?? fromFolder(facts) ??
    { rung: "nothing", exact: false, binding: null };
}

function fromStamp({ binding }: OfferFacts): Offer | null {
  if (!binding) return null;
  const late = binding.restored_from === "journal";
  return { rung: late ? "journal" : "stamp", exact: !late, binding };
}

/** The record of the pane's place; what the journal recorded for that pane after the save comes first. */
function fromSnapshot({ restorable, taken }: OfferFacts): Offer | null {
  if (!restorable || taken(restorable.session_id)) return null;
  const late = restorable.restored_from === "journal";
  return { rung: late ? "journal" : "manifest", exact: !late, binding: restorable };
}

/** The newest conversation of the folder that nobody else holds and that can be resumed. */
function fromFolder({ cwd, journal, taken, owns }: OfferFacts): Offer | null {
  const line = journal.findLast((one) =>
    one.cwd === cwd && isUsers(one.claude) && !taken(one.session_id) && owns(one.session_id, one)
  );
  return line ? { rung: "folder", exact: false, binding: bindingOf(line) } : null;
}

/** The row of an address, also when the row lists it among others (grouped sessions, linked windows). */
export function rowAt(manifest: Manifest, address: PaneAddress): ManifestRow | null {
  const own = manifest.panes.find((row) => sameAddress(row, address));
  return own ?? manifest.panes.find((row) => row.addresses.some((one) => sameAddress(one, address))) ?? null;
}

// The revival ladder: which conversation a pane is offered, and how sure that is. Pure; first hit wins.
import {
  type Binding,
  type PaneAddress,
  sameAddress,
  sameLife,
  type ServerLife,
  type SessionId,
} from "../binding.ts";
import { foldersAgree } from "../policy/agree.ts";
import { bindingOf, isUsers, laterLine } from "../policy/later.ts";
import type { JournalLine } from "../state/journal.ts";
import type { Manifest, ManifestRow } from "../state/manifest.ts";

export type Rung = "running" | "stamp" | "manifest" | "journal" | "folder" | "nothing";

/** What is known of the pane and around it. */
export interface OfferFacts {
  pane: PaneAddress & { pane_id: string; cwd: string; dead: boolean };
  /** The pane's own binding (its stamp, weighed with the other witnesses). */
  binding: Binding | null;
  server: ServerLife;
  /** False for a pane that was made after this server's restore: an old address is not its own. */
  old: boolean;
  /** The snapshot the layout came from (of an earlier server life), null when there is none. */
  manifest: Manifest | null;
  /** Oldest first. */
  journal: JournalLine[];
  home: string;
  isGone: (folder: string) => boolean;
  /** Whether the row's window stands at another place now. */
  moved: (row: ManifestRow) => boolean;
  /** Conversations that are alive, or bound to another pane of this server. */
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

/** The row of the pane's address; what the journal recorded for that pane after the save comes first. */
function fromSnapshot(facts: OfferFacts): Offer | null {
  const row = ownRow(facts);
  if (!row) return null;
  const later = laterLine(row, facts.manifest!, facts.journal);
  const binding = later ? bindingOf(later) : row.binding;
  if (!binding || facts.taken(binding.session_id) || wentOn(facts, binding.session_id)) return null;
  return { rung: later ? "journal" : "manifest", exact: !later, binding };
}

/** Whether another pane of this life had it since, so that it is not this pane's any more, wherever that one is now. */
function wentOn({ pane, server, journal }: OfferFacts, id: SessionId): boolean {
  return journal.some(({ session_id, event, tmux }) =>
    session_id === id && event !== "revive" && event !== "restore" &&
    tmux !== null && tmux.pane_id !== pane.pane_id && sameLife(tmux, server)
  );
}

/** The newest conversation of the folder that nobody else holds and that can be resumed. */
function fromFolder({ pane, journal, taken, owns }: OfferFacts): Offer | null {
  const line = journal.findLast((one) =>
    one.cwd === pane.cwd && isUsers(one.claude) && !taken(one.session_id) && owns(one.session_id, one)
  );
  return line ? { rung: "folder", exact: false, binding: bindingOf(line) } : null;
}

/** The row of the pane's address in the snapshot, when the pane can be the one that was saved there. */
function ownRow({ pane, server, old, manifest, home, isGone, moved }: OfferFacts): ManifestRow | null {
  if (!manifest || !old || sameLife(manifest.server, server)) return null;
  const row = rowAt(manifest, pane);
  return row && !moved(row) && (pane.dead || foldersAgree(row, pane.cwd, home, isGone)) ? row : null;
}

/** The row of an address, also when the row lists it among others (grouped sessions, linked windows). */
export function rowAt(manifest: Manifest, address: PaneAddress): ManifestRow | null {
  const own = manifest.panes.find((row) => sameAddress(row, address));
  return own ?? manifest.panes.find((row) => row.addresses.some((one) => sameAddress(one, address))) ?? null;
}

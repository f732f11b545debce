// The revival ladder for one pane, with its facts read.
import type { SessionId } from "../binding.ts";
import { type Offer, offer } from "../ladder/offer.ts";
import type { Match } from "../policy/match.ts";
import { type JournalLine, readJournal } from "../state/journal.ts";
import type { System } from "../system/system.ts";
import { claims } from "./age.ts";
import { matchSnapshot } from "./matched.ts";
import { chooseSnapshot } from "./snapshot.ts";
import type { Survey, SurveyedPane } from "./survey.ts";

/** What the ladder reads once for all panes. */
export interface Records {
  /** What a restore would put back, and where. */
  matches: Match[];
  journal: JournalLine[];
}

const NONE: Records = { matches: [], journal: [] };

/** The records behind the ladder. */
export function readRecords(system: System, seen: Survey): Records {
  return { matches: restorable(system, seen), journal: readJournal(system).lines };
}

/** What a restore would put back now: into panes that one can have made, and nothing once ours has compared them. */
export function restorable(system: System, seen: Survey): Match[] {
  const chosen = seen.server.compared ? null : chooseSnapshot(system, seen.server);
  if (!chosen) return [];
  const hasClaim = claims(system, seen);
  return matchSnapshot(system, seen, chosen).filter(({ verdict, pane }) =>
    verdict === "stamp" && hasClaim(seen.panes.find((one) => one.pane.pane_id === pane!.pane_id)!.pane)
  );
}

/** What the pane is offered. A pane with a stamp of its own needs no records. */
export function offered(seen: Survey, one: SurveyedPane, records: () => Records): Offer {
  const { matches, journal } = one.binding ? NONE : records();
  const isHere = ({ pane }: Match) => pane!.pane_id === one.pane.pane_id;
  const isClaimed = (id: SessionId) =>
    matches.some((match) => !isHere(match) && isExact(match) && match.binding.session_id === id);
  return offer({
    cwd: one.pane.cwd,
    binding: one.binding,
    restorable: matches.find(isHere)?.binding ?? null,
    journal,
    taken: (id) => seen.alive.has(id) || holderOf(seen, id, one) !== null || isClaimed(id),
    owns: (id, binding) => seen.transcript(id, binding).state === "present",
  });
}

function isExact({ binding }: Match): boolean {
  return binding.restored_from !== "journal";
}

/** The other pane that was bound to the conversation last, null when there is none. */
export function holderOf(seen: Survey, id: SessionId, except: SurveyedPane): SurveyedPane | null {
  const holds = ({ binding }: SurveyedPane) =>
    binding?.session_id === id || binding?.candidate?.session_id === id;
  const others = seen.panes.filter((one) => one.pane.pane_id !== except.pane.pane_id && holds(one));
  const [last] = others.toSorted((a, b) => a.binding!.at < b.binding!.at ? 1 : -1);
  return last ?? null;
}

// The revival ladder for one pane, with its facts read.
import type { SessionId } from "../binding.ts";
import { type Offer, offer } from "../ladder/offer.ts";
import { type Journal, readJournal } from "../state/journal.ts";
import { isMovedWindow } from "../policy/match.ts";
import type { Manifest, ManifestRow } from "../state/manifest.ts";
import type { System } from "../system/system.ts";
import { isOld } from "./age.ts";
import { isFolder } from "./resume_plan.ts";
import { chooseSnapshot } from "./snapshot.ts";
import { homeOf, type Survey, type SurveyedPane } from "./survey.ts";

/** What the ladder reads once for all panes. */
export interface Records {
  manifest: Manifest | null;
  journal: Journal;
}

/** The records behind the ladder. */
export function readRecords(system: System, seen: Survey): Records {
  const chosen = chooseSnapshot(system, seen.server);
  // A record whose layout differs from the tmux save says nothing exact about addresses.
  const manifest = chosen && chosen.sessions
    ? onlySessions(chosen.manifest, chosen.sessions)
    : chosen?.manifest ?? null;
  return { manifest, journal: readJournal(system) };
}

function onlySessions(manifest: Manifest, sessions: Set<string>): Manifest {
  return { ...manifest, panes: manifest.panes.filter((row) => sessions.has(row.tmux_session)) };
}

/** What the pane is offered. A pane with a stamp of its own needs no records. */
export function offered(system: System, seen: Survey, one: SurveyedPane, records: () => Records): Offer {
  if (one.binding) return offer({ ...facts(system, seen, one), manifest: null, journal: [] });
  const { manifest, journal } = records();
  const usable = manifest?.pane_base_index === seen.server.pane_base_index ? manifest : null;
  return offer({ ...facts(system, seen, one), manifest: usable, journal: journal.lines });
}

function facts(system: System, seen: Survey, one: SurveyedPane) {
  return {
    pane: one.pane,
    binding: one.binding,
    server: seen.server,
    old: isOld(system, seen, one.pane),
    home: homeOf(system),
    isGone: (folder: string) => !isFolder(system, folder),
    moved: (row: ManifestRow) => isMovedWindow(row, one.pane, seen.panes.map(({ pane }) => pane)),
    taken: (id: SessionId) => seen.alive.has(id) || holderOf(seen, id, one) !== null,
    owns: (id: SessionId, binding: Parameters<Survey["transcript"]>[1]) =>
      seen.transcript(id, binding).state === "present",
  };
}

/** Another pane that is bound to the conversation, null when there is none. */
export function holderOf(seen: Survey, id: SessionId, except: SurveyedPane): SurveyedPane | null {
  const holds = ({ binding }: SurveyedPane) =>
    binding?.session_id === id || binding?.candidate?.session_id === id;
  return seen.panes.find((one) => one.pane.pane_id !== except.pane.pane_id && holds(one)) ?? null;
}

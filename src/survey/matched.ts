// The restored layout compared with the record.
import { type Match, matchRows } from "../policy/match.ts";
import { readJournal } from "../state/journal.ts";
import type { System } from "../system/system.ts";
import { isFolder } from "./resume_plan.ts";
import type { ChosenSnapshot } from "./snapshot.ts";
import { homeOf, type Survey } from "./survey.ts";

/** One verdict for every conversation of the record. What happened after `before` (milliseconds) does not count. */
export function matchSnapshot(
  system: System,
  seen: Survey,
  chosen: ChosenSnapshot,
  before = Infinity,
): Match[] {
  return matchRows({
    manifest: chosen.manifest,
    sessions: chosen.sessions,
    panes: seen.panes.map(({ pane, live }) => ({ ...pane, live: live !== null })),
    journal: readJournal(system).lines.filter((line) => !(Date.parse(line.at) >= before)),
    pane_base_index: seen.server.pane_base_index,
    home: homeOf(system),
    isGone: (folder) => !isFolder(system, folder),
  });
}

// The restored layout compared with the record.
import { sameLife } from "../binding.ts";
import { type Match, matchRows } from "../policy/match.ts";
import { type JournalLine, readJournal } from "../state/journal.ts";
import { type Manifest, readManifest } from "../state/manifest.ts";
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
  const { lines } = readJournal(system);
  return matchRows({
    manifest: chosen.manifest,
    doubt: chosen.doubt,
    places: chosen.places,
    present: presentRecord(system, seen.server),
    panes: seen.panes.map(({ pane, live }) => ({ ...pane, live: live !== null })),
    journal: lines.filter((line) => !(Date.parse(line.at) >= before) && counts(line, seen, chosen)),
    since: lines.filter(({ tmux }) => tmux !== null && sameLife(tmux, seen.server)),
    owns: (id, binding) => seen.transcript(id, binding).state === "present",
    pane_base_index: seen.server.pane_base_index,
    home: homeOf(system),
    isGone: (folder) => !isFolder(system, folder),
  });
}

/** The last record of the running server, null when there is none. */
function presentRecord(system: System, server: Survey["server"]): Manifest | null {
  const last = readManifest(system, server.socket);
  return last.found && sameLife(last.manifest.server, server) ? last.manifest : null;
}

/** Not what happens in the running server; of other lives than the record's only when they may have come back from it. */
function counts({ tmux }: JournalLine, { server }: Survey, { manifest, isNewest }: ChosenSnapshot): boolean {
  if (!tmux || sameLife(tmux, server)) return false;
  return isNewest || sameLife(tmux, manifest.server);
}

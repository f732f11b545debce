// What happened lately: failures of the silent hook, panes that are not bound, conversations that are gone.
import { formatAddress } from "../binding.ts";
import { readFailures } from "../state/failures.ts";
import { type Check, type Finding, hidden, ok, skip, warn } from "./check.ts";
import type { Facts } from "./facts.ts";
import { counted } from "../counted.ts";

export const recentChecks: Check[] = [
  { id: "recent.failures", group: "recent", run: failures },
  { id: "recent.unbound", group: "recent", run: unbound },
  { id: "recent.transcripts", group: "recent", run: transcripts },
];

const DAY_MS = 86_400_000;

function failures({ system }: Facts): Finding {
  const recent = readFailures(system).filter((failure) => system.now() - Date.parse(failure.at) < DAY_MS);
  if (recent.length === 0) return ok("nothing failed in silence within a day");
  const { where, reason } = recent.at(-1)!;
  return warn(
    `${recent.length} times within a day something failed in silence, last in ${where}: ${hidden(reason)}`,
    {
      fix: "See the checks above; the list is failures.jsonl in the folder of the records",
      data: { count: recent.length, last: { where, reason } },
    },
  );
}

/** A Claude that was started before the hook was registered is bound at its next start or `/clear`. */
async function unbound({ server, survey }: Facts): Promise<Finding> {
  if (!await server()) return skip("no tmux server is running");
  const { panes } = await survey();
  const live = panes.filter(({ live }) => live?.kind === "interactive");
  const missing = live.filter(({ binding }) => binding === null);
  const data = { live: live.length, unbound: missing.length };
  if (missing.length === 0) {
    return ok(`Claude runs in ${counted(live.length, "pane")}, none of them unbound`, data);
  }
  return warn(
    `Claude runs unbound in ${missing.length} of ${counted(live.length, "pane")}, first in ${
      hidden(formatAddress(missing[0].pane))
    }`,
    {
      fix:
        "Claude before 2.1, or started before the hook was there: leave it and start it again with claude --continue",
      data,
    },
  );
}

async function transcripts({ server, survey }: Facts): Promise<Finding> {
  if (!await server()) return skip("no tmux server is running");
  const { panes, transcript } = await survey();
  const idle = panes.filter(({ binding, live }) => binding !== null && live === null);
  const gone = idle.filter(({ binding }) => transcript(binding!.session_id, binding).state === "missing");
  const data = { revivable: idle.length - gone.length, gone: gone.length };
  if (gone.length === 0) return ok(`${counted(idle.length, "pane")} without Claude can be revived`, data);
  return warn(
    `the transcript is gone of what ${counted(gone.length, "pane")} held, first ${
      hidden(formatAddress(gone[0].pane))
    }`,
    {
      fix:
        "They were never prompted, or Claude has deleted them (see claude.retention): start a new one there",
      data,
    },
  );
}

// What a restore reports for each pane: its JSON, and the line that would be typed there.
import { addressOf, type PaneAddress } from "../binding.ts";
import type { Action } from "../policy/actions.ts";
import type { Match } from "../policy/match.ts";
import type { System } from "../system/system.ts";
import { lineFor, shownShell } from "./line.ts";
import { planResume } from "./resume_plan.ts";
import type { Survey } from "./survey.ts";

export interface RestoredRow extends PaneAddress {
  pane_id: string | null;
  session_id: string;
  name: string | null;
  cwd: string;
  line: string | null;
  action: "stamped" | "typed" | "launched" | "verified" | "failed" | "skipped" | "left";
  reason: string | null;
}

/** The row with an action and a reason. */
export function toRestoredRow(
  match: Match,
  action: RestoredRow["action"],
  reason: string | null,
): RestoredRow {
  const { session_id, name, cwd } = match.binding;
  const pane_id = match.pane?.pane_id ?? null;
  return { pane_id, ...addressOf(match.row), session_id, name, cwd, line: null, action, reason };
}

/** A row that was not certain: reported, never touched. */
export function leftRow(match: Match): RestoredRow {
  return toRestoredRow(match, "left", match.reason);
}

/** What happens, or would happen, in a matched pane, with the whole line. */
export function plannedRow(system: System, seen: Survey, match: Match, action: Action): RestoredRow {
  const pane = seen.panes.find((one) => one.pane.pane_id === match.pane!.pane_id)!;
  if (pane.live) return toRestoredRow(match, "skipped", "a Claude is running there");
  const plan = planResume(system, seen, match.binding, { force: false, paneId: pane.pane.pane_id });
  const named = { stamp: "stamped", type: "typed", launch: "launched" } as const;
  const kept = action === "stamp" && match.verdict === "kept";
  if (!plan.can) return toRestoredRow(match, action === "stamp" ? "stamped" : "skipped", plan.message);
  const row = toRestoredRow(match, kept ? "skipped" : named[action], kept ? match.reason : plan.note);
  return { ...row, line: lineFor(system, plan.wanted, shownShell(pane.pane)) };
}

// One push from a window's name to its conversation's title: facts, decision, delivery.
import { renamed } from "../identity/name_history.ts";
import { decidePush, type PushDecision, whyNot } from "../names/decide.ts";
import { freeName, sameName } from "../names/free.ts";
import { sanitize } from "../names/sanitize.ts";
import { note } from "../survey/noted.ts";
import { placeOf, type Survey, survey, type SurveyedPane } from "../survey/survey.ts";
import { runTmux, type Tmux } from "../tmux/client.ts";
import { stampCommands } from "../tmux/options.ts";
import type { Pane } from "../tmux/panes.ts";
import { renameWindow } from "../tmux/rename.ts";
import { isNamedOnPurpose } from "../tmux/window_names.ts";
import { type Delivered, deliverLater, deliverTyped, type Push } from "./deliver.ts";
import { describeTarget, takenFor, type Target, targetOf, targetPane } from "./target.ts";

/** What became of a push. */
export interface Pushed {
  outcome: Delivered["outcome"] | "nothing" | "start" | "refused";
  via: Delivered["via"] | "hook";
  /** The window's name when we came, and now. */
  wanted: string;
  name: string;
  reason: string | null;
  /** The pane whose conversation it was about, null when there was none. */
  pane: Pane | null;
}

/** Pushes a window's name, or finds that there is nothing to do. Null when there is no such window. */
export async function pushName(tmux: Tmux, windowId: string): Promise<Pushed | null> {
  const seen = await survey(tmux);
  const window = seen.panes.find(({ pane }) => pane.window_id === windowId)?.pane;
  if (!window) return null;
  const found = targetPane(seen, windowId);
  const nothing = {
    outcome: "nothing",
    via: null,
    wanted: window.window_name,
    name: window.window_name,
  } as const;
  if (!found || !await isNamedOnPurpose(tmux, window)) {
    return { ...nothing, reason: found ? "not-named" : "no-claude", pane: found?.pane ?? null };
  }
  const { push, decision } = await decide(tmux, seen, found);
  const done = await carryOut(tmux, push, decision);
  if (done.outcome === "landed") await remember(tmux, found.pane, push.target, done.name);
  return { ...done, wanted: window.window_name, pane: found.pane };
}

async function decide(
  tmux: Tmux,
  seen: Survey,
  found: SurveyedPane,
): Promise<{ push: Push; decision: PushDecision }> {
  const { window_id, window_name: windowName } = found.pane;
  const target = targetOf(tmux, found);
  const facts = await describeTarget(tmux, target);
  const clean = sanitize(windowName);
  const hasIt = "name" in clean && facts?.titles.some((title) => sameName(title, clean.name));
  const taken = "error" in clean || hasIt ? [] : takenFor(tmux, seen, found, target);
  const wanted = "error" in clean ? clean : { name: freeName(clean.name, taken) };
  const decision = decidePush({ deliberate: true, wanted, target: facts });
  return {
    push: { window_id, windowName, target, name: "name" in wanted ? wanted.name : "", taken },
    decision,
  };
}

async function carryOut(
  tmux: Tmux,
  push: Push,
  decision: PushDecision,
): Promise<Omit<Pushed, "wanted" | "pane">> {
  const name = push.windowName;
  switch (decision.do) {
    case "type":
      return await deliverTyped(tmux, push);
    case "pending":
      return await deliverLater(tmux, push, whyNot(decision.because));
    case "hook":
      return { outcome: "start", via: "hook", name, reason: "its conversation has not started yet" };
    case "refuse":
      return { outcome: "refused", via: null, name, reason: decision.reason };
    case "nothing":
      return await tidyWindow(tmux, push, decision.because);
  }
}

/** The conversation has the name already, but the window may still have it in a form that cannot be one. */
async function tidyWindow(tmux: Tmux, push: Push, because: string): Promise<Omit<Pushed, "wanted" | "pane">> {
  const { window_id, windowName: from, name: to } = push;
  const tidy = because === "same" && from !== to && await renameWindow(tmux, window_id, { from, to });
  return { outcome: "nothing", via: null, name: tidy ? to : from, reason: because };
}

/** Writes the name into the binding's history at once: a crash may come before the next event of the hook. */
async function remember(tmux: Tmux, { pane_id }: Pane, target: Target, name: string): Promise<void> {
  const after = await survey(tmux);
  const found = after.panes.find(({ pane }) => pane.pane_id === pane_id);
  if (!found?.pane.stamp || found.pane.stamp.session_id !== target.id) return;
  const at = new Date(tmux.system.now()).toISOString();
  const binding = renamed(found.pane.stamp, name, at);
  if (binding === found.pane.stamp) return;
  await runTmux(tmux, stampCommands(pane_id, binding));
  const place = placeOf(after.server, found.pane);
  const line = { ...binding, at, event: "rename", source: "window", previous_id: null, tmux: place } as const;
  await note(tmux.system, [line]);
}

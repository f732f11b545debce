// Every pane with Claude, with its state and with what a revive would do there now.
import type { Binding, ClaudeProcess, Label, PaneAddress } from "../binding.ts";
import { type PaneState, paneState } from "../ladder/pane_state.ts";
import type { Offer } from "../ladder/offer.ts";
import type { System } from "../system/system.ts";
import type { Tmux } from "../tmux/client.ts";
import { frontShell } from "../tmux/prompt.ts";
import { offered, readRecords, type Records } from "./offered.ts";
import { decideRevival, type Revival } from "./revival.ts";
import type { Survey, SurveyedPane } from "./survey.ts";

export interface ListedPane extends PaneAddress {
  pane_id: string;
  /** All of them: grouped tmux sessions and linked windows show a pane more than once. */
  addresses: PaneAddress[];
  window_name: string;
  state: PaneState;
  /** Who its Claude works, or worked, for; null when nobody saw it. */
  kind: ClaudeProcess["kind"] | null;
  session_id: string | null;
  name: string | null;
  cwd: string;
  config_dir: string | null;
  team: Label | null;
  episode: Label | null;
  /** Since the last change of the binding. */
  age_seconds: number | null;
  evidence: string[];
  revive: ListedRevive;
  /** What a person should know of the revival, null when it is as usual. */
  remark: string | null;
}

export interface ListedRevive {
  outcome: "running" | "nothing" | "refused" | "would_type" | "would_respawn";
  rung: Offer["rung"] | "running";
  line: string | null;
  reason: string | null;
}

/** One record for each pane that holds a conversation, or held one by an exact record, in tmux's order. */
export async function inventory(tmux: Tmux, seen: Survey): Promise<ListedPane[]> {
  const records = once(() => readRecords(tmux.system, seen));
  const listed: ListedPane[] = [];
  for (const one of seen.panes) {
    const held = holding(seen, one, records);
    if (!held) continue;
    const revival = await decideRevival({ tmux, seen, one }, { force: false, records, prompt: frontShell });
    listed.push(toListed(tmux.system, one, held, revival));
  }
  return listed;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

interface Held {
  binding: Binding | null;
  evidence: string[];
}

/** What the pane holds, or held before the tmux server went away. A guess by its folder is no holding. */
function holding(seen: Survey, one: SurveyedPane, records: () => Records): Held | null {
  if (one.live) return { binding: one.binding, evidence: [...one.evidence, ...suspended(one)] };
  if (one.binding) return { binding: one.binding, evidence: one.evidence };
  const { rung, binding } = offered(seen, one, records);
  if (rung === "manifest") return { binding, evidence: ["manifest of the server's earlier life"] };
  if (rung === "journal") return { binding, evidence: ["journal, after the last manifest"] };
  return null;
}

function suspended({ live }: SurveyedPane): string[] {
  return live?.process.state === "T" ? ["suspended"] : [];
}

function toListed(
  system: System,
  one: SurveyedPane,
  { binding, evidence }: Held,
  revival: Revival,
): ListedPane {
  const { pane, live } = one;
  const { tmux_session, window_index, pane_index, pane_id, addresses, window_name } = pane;
  return {
    pane_id,
    tmux_session,
    window_index,
    pane_index,
    addresses,
    window_name,
    state: paneState({ live: live !== null, binding }),
    kind: live?.kind ?? binding?.claude?.kind ?? null,
    session_id: binding?.session_id ?? null,
    name: binding?.name ?? null,
    cwd: binding?.cwd ?? pane.cwd,
    config_dir: binding?.config_dir ?? null,
    team: binding?.team ?? null,
    episode: binding?.episode ?? null,
    age_seconds: age(system, binding),
    evidence,
    revive: toListedRevive(revival),
    remark: "plan" in revival ? revival.plan.note : revival.message,
  };
}

function age(system: System, binding: Binding | null): number | null {
  const at = Date.parse(binding?.at ?? "");
  return Number.isNaN(at) ? null : Math.max(0, Math.floor((system.now() - at) / 1_000));
}

function toListedRevive(revival: Revival): ListedRevive {
  switch (revival.act) {
    case "none":
      return { outcome: revival.outcome, rung: revival.outcome, line: null, reason: null };
    case "refuse":
      return { outcome: "refused", rung: revival.found.rung, line: null, reason: revival.reason };
    case "type":
      return { outcome: "would_type", rung: revival.found.rung, line: revival.line, reason: null };
    case "respawn":
      return { outcome: "would_respawn", rung: revival.found.rung, line: revival.line, reason: null };
  }
}

// What is offered in a trial, compared with the truth.
import type { SessionId } from "../../src/binding.ts";
import type { Rebuilt } from "./resurrect_copy.ts";
import type { Listed, Row, TrialWorld, Truth } from "./trial_world.ts";

export interface Outcome {
  seed: number;
  /** Wrong conversations called exact, one offered twice, refusals without a reason. */
  wrong: string[];
  /** Wrong ones that were called guesses. */
  guesses: string[];
  /** Conversations that their own pane was offered. */
  right: number;
  /** Conversations that no pane was offered, by the reason that was given. */
  missed: Map<string, number>;
  /** What happened, for a person who looks into a failure. */
  log: string[];
}

export function newOutcome(seed: number): Outcome {
  return { seed, wrong: [], guesses: [], right: 0, missed: new Map(), log: [] };
}

/** Judges what every pane is offered, and what a restore said of each row. */
export function judge(world: TrialWorld, outcome: Outcome, listed: Listed[], rows: Row[] = []): void {
  const { wrong, log } = outcome;
  log.push(`list: ${listed.map(describe).join(", ")}`);
  for (const { action, reason, session_id } of rows) {
    const isDone = action === "stamped" || action === "skipped";
    if (!isDone && !reason) wrong.push(`${session_id} is ${action} without a reason`);
  }
  const offered = new Map<string, string>();
  for (const one of listed) {
    if (one.revive.outcome === "refused" && !one.revive.reason) wrong.push(`${one.pane_id}: no reason`);
    if (!one.revive.outcome.startsWith("would_")) continue;
    judgeOffer(world, outcome, one);
    const other = offered.get(one.session_id!);
    if (other) wrong.push(`${one.session_id} is offered in ${other} and ${one.pane_id}`);
    offered.set(one.session_id!, one.pane_id);
  }
}

function judgeOffer(world: TrialWorld, outcome: Outcome, { pane_id, session_id, revive }: Listed): void {
  const truth = world.truthOf(pane_id);
  const id = session_id as SessionId;
  if (truth.last === null && truth.also === id) takeOver(world, truth, id);
  if (truth.last === id) return;
  const isExact = revive.rung === "stamp" || revive.rung === "manifest";
  const list = isExact ? outcome.wrong : outcome.guesses;
  list.push(`${pane_id} is offered ${id} (${revive.rung}), it held ${truth.last}`);
}

function takeOver({ owner }: TrialWorld, truth: Truth, id: SessionId): void {
  truth.last = id;
  owner.set(id, truth);
}

/** Counts the restored panes that are, and are not, offered what they held. */
export function recordMissed(world: TrialWorld, outcome: Outcome, rebuilt: Rebuilt[], rows: Row[]): void {
  for (const paneId of new Set(rebuilt.map(({ paneId }) => paneId))) {
    const truth = world.truthOf(paneId);
    if (!truth.last || world.owner.get(truth.last) !== truth) continue;
    const row = rows.find(({ session_id }) => session_id === truth.last);
    if (row?.pane_id === paneId && row.action !== "left") outcome.right++;
    else note(outcome, row?.reason ?? "no record");
  }
}

/** Reasons that differ in names and numbers only count as one. */
function note({ missed }: Outcome, reason: string): void {
  const kind = reason.replaceAll(/was .* and is .* now/g, "was … and is … now").replaceAll(
    /\S*[:/%\d]\S*/g,
    "…",
  )
    .replaceAll(/"[^"]*"/g, "…");
  missed.set(kind, (missed.get(kind) ?? 0) + 1);
}

function describe({ pane_id, session_id, revive: { rung, outcome, reason } }: Listed): string {
  return `${pane_id} ${session_id} ${rung} ${outcome} ${reason ?? ""}`.trimEnd();
}

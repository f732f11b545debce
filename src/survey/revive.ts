// The revival of one pane, done: what the key does.
import type { Offer } from "../ladder/offer.ts";
import { promptState } from "../tmux/prompt.ts";
import { typeLine } from "../tmux/typing.ts";
import { note } from "./noted.ts";
import { readRecords } from "./offered.ts";
import { respawn } from "./respawn.ts";
import {
  type CanResume,
  decideRevival,
  noticeOf,
  type Patient,
  type Revival,
  type RevivalOptions,
} from "./revival.ts";
import { placeOf } from "./survey.ts";

/** What came of it: the JSON of the command, and the text for a person. */
export interface Result {
  outcome: "typed" | "respawned" | "running" | "refused" | "nothing" | "would_type" | "would_respawn";
  rung: Offer["rung"] | "running" | null;
  session_id: string | null;
  line: string | null;
  reason: string | null;
  message: string;
}

export interface ReviveOptions {
  enter: boolean;
  force: boolean;
  dryRun: boolean;
  prompt?: RevivalOptions["prompt"];
}

/** Decides, and unless it is a dry run does it. Throws TmuxError when the server goes away meanwhile. */
export async function revive(patient: Patient, options: ReviveOptions): Promise<Result> {
  const revival = await decideRevival(patient, {
    force: options.force,
    records: () => readRecords(patient.tmux.system, patient.seen),
    prompt: options.prompt ?? promptState,
  });
  switch (revival.act) {
    case "none":
      return result(revival.outcome, revival.outcome, revival.message);
    case "refuse":
      return refused(revival);
    case "type":
      return await type(patient, revival, options);
    case "respawn":
      return await bringBack(patient, revival, options);
  }
}

/** A result without a conversation. */
export function result(outcome: Result["outcome"], rung: Result["rung"], message: string): Result {
  return { outcome, rung, session_id: null, line: null, reason: null, message };
}

function refused({ found, session_id, reason, message }: Extract<Revival, { act: "refuse" }>): Result {
  return { ...result("refused", found.rung, message), session_id, reason };
}

type Typing = Extract<Revival, { act: "type" }>;

async function type(patient: Patient, revival: Typing, options: ReviveOptions): Promise<Result> {
  const { found, plan, prompt, line, message } = revival;
  const { tmux, one } = patient;
  const done = { ...result("typed", found.rung, message), session_id: plan.wanted.id, line };
  if (options.dryRun) return { ...done, outcome: "would_type" };
  // A guess is never run by us: the person presses Enter.
  const enter = options.enter && found.exact && plan.wanted.form === "resume";
  const typed = await typeLine(tmux, one.pane, line, {
    enter,
    shell: prompt.shell,
    shellPid: prompt.shellPid,
  });
  if (!typed.typed) return notTyped(done, typed.reason);
  await record(patient, found, plan);
  return { ...done, message: noticeOf(tmux.system, found, plan, enter ? "entered" : "typed") };
}

type Respawning = Extract<Revival, { act: "respawn" }>;

async function bringBack(patient: Patient, revival: Respawning, options: ReviveOptions): Promise<Result> {
  const { found, plan, message } = revival;
  const { tmux, seen, one } = patient;
  const done = {
    ...result("respawned", found.rung, message),
    session_id: plan.wanted.id,
    line: revival.line,
  };
  if (options.dryRun) return { ...done, outcome: "would_respawn" };
  const respawned = await respawn(tmux, seen.server, one.pane, plan.wanted);
  if ("reason" in respawned) return notTyped({ ...done, line: respawned.line }, respawned.reason);
  await record(patient, found, plan);
  return { ...done, line: respawned.line, message: noticeOf(tmux.system, found, plan, "respawned") };
}

function notTyped(done: Result, reason: string): Result {
  return { ...done, outcome: "refused", reason: "not-typed", message: reason };
}

async function record(
  { tmux: { system }, seen, one }: Patient,
  found: Offer,
  plan: CanResume,
): Promise<void> {
  const { binding, id } = plan.wanted;
  const at = new Date(system.now()).toISOString();
  const line = { ...binding, session_id: id, at, source: found.rung, previous_id: null };
  await note(system, [{ ...line, event: "revive", tmux: placeOf(seen.server, one.pane) }]);
}

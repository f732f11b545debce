// The key: brings the conversation of one pane back, typed at its prompt. When in doubt nothing is typed.
import { printJson, say } from "../cli/output.ts";
import { ExitCode, UserError } from "../errors.ts";
import type { Offer } from "../ladder/offer.ts";
import { showCandidates } from "../survey/candidate_menu.ts";
import { note } from "../survey/noted.ts";
import { readRecords } from "../survey/offered.ts";
import { respawn } from "../survey/respawn.ts";
import { type CanResume, decideRevival, type Patient, type Revival } from "../survey/revival.ts";
import { placeOf, type Survey, survey, type SurveyedPane } from "../survey/survey.ts";
import type { System } from "../system/system.ts";
import { connect, explain, type Tmux } from "../tmux/client.ts";
import { runLater } from "../tmux/jobs.ts";
import { showMessage } from "../tmux/messages.ts";
import { promptState } from "../tmux/prompt.ts";
import { typeLine } from "../tmux/typing.ts";

export interface ReviveFlags {
  pane?: string;
  client?: string;
  /** Show what the pane may have held as a menu, and let the person choose. */
  menu?: boolean;
  enter?: boolean;
  force?: boolean;
  dryRun?: boolean;
  json?: boolean;
  socket?: string;
}

type Outcome = "typed" | "respawned" | "running" | "refused" | "nothing" | "would_type" | "would_respawn";

/** What came of it: the JSON of the command, and the text for a person. */
interface Result {
  outcome: Outcome;
  rung: Offer["rung"] | "running" | null;
  session_id: string | null;
  line: string | null;
  reason: string | null;
  message: string;
}

/** Revives the pane of `--pane`, else the one this runs in. */
export async function run(system: System, flags: ReviveFlags): Promise<number> {
  const tmux = connect(system, flags.socket);
  const paneId = flags.pane ?? system.env("TMUX_PANE") ?? "";
  const seen = await survey(tmux).catch((error) => {
    throw explain(error, "Cannot revive the pane");
  });
  const one = seen.panes.find(({ pane }) => pane.pane_id === paneId);
  if (!one) throw noSuchPane(paneId);
  if (flags.menu) return await choose(tmux, seen, one, flags);
  if (!flags.dryRun && isForeground(system, seen, one.pane)) return await reviveAfterwards(tmux, one, flags);
  const result = await revive({ tmux, seen, one }, flags);
  await report(tmux, one, flags, result);
  return exitCode(result.outcome);
}

async function choose(tmux: Tmux, seen: Survey, one: SurveyedPane, flags: ReviveFlags): Promise<number> {
  const { pane_id } = one.pane;
  const shown = one.live ? 0 : await showCandidates(tmux, seen, pane_id, flags.client).catch((error) => {
    throw explain(error, "Cannot show the menu");
  });
  if (shown > 0) return ExitCode.done;
  const nothing = one.live ? result("running", "running", "Claude is running in this pane") : NO_CANDIDATE;
  await report(tmux, one, flags, nothing);
  return exitCode(nothing.outcome);
}

const NO_CANDIDATE = result(
  "nothing",
  "nothing",
  "no conversation is known that this pane may have held: claude --resume",
);

/** Whether this very program has the pane's keyboard: somebody typed `tmuxclaude revive` at its prompt. */
function isForeground(system: System, seen: Survey, pane: SurveyedPane["pane"]): boolean {
  const self = seen.processes.find(({ pid }) => pid === system.pid);
  const top = seen.processes.find(({ pid }) => pid === pane.pid);
  return self !== undefined && top !== undefined && self.terminal === top.terminal &&
    self.group === top.foreground;
}

/** Long enough for us to end and for the shell to show its prompt, in seconds. */
const AFTERWARDS_S = 0.3;

/** The prompt comes back when we end: tmux calls us again then. */
async function reviveAfterwards(tmux: Tmux, one: SurveyedPane, flags: ReviveFlags): Promise<number> {
  const switches = [...(flags.enter ? ["--enter"] : []), ...(flags.force ? ["--force"] : [])];
  await runLater(tmux, [tmux.system.self(), "revive", "--pane", one.pane.pane_id, ...switches], AFTERWARDS_S);
  return ExitCode.done;
}

function noSuchPane(paneId: string): UserError {
  const why = paneId === "" ? "no pane was given and this is not one" : "the server has no such pane";
  const next =
    'Name one by its id: tmuxclaude revive --pane %3 (ids: tmux list-panes -a -F "#{pane_id} #{pane_title}")';
  return new UserError(`Cannot revive pane "${paneId}"`, why, next, ExitCode.nothing);
}

async function revive(patient: Patient, flags: ReviveFlags): Promise<Result> {
  const revival = await decideRevival(patient, {
    force: flags.force ?? false,
    records: () => readRecords(patient.tmux.system, patient.seen),
    prompt: promptState,
  });
  switch (revival.act) {
    case "none":
      return result(revival.outcome, revival.outcome, revival.message);
    case "refuse":
      return refused(revival);
    case "type":
      return await type(patient, revival, flags);
    case "respawn":
      return await bringBack(patient, revival, flags);
  }
}

function result(outcome: Outcome, rung: Result["rung"], message: string): Result {
  return { outcome, rung, session_id: null, line: null, reason: null, message };
}

function refused({ found, session_id, reason, message }: Extract<Revival, { act: "refuse" }>): Result {
  return { ...result("refused", found.rung, message), session_id, reason };
}

type Typing = Extract<Revival, { act: "type" }>;

async function type(patient: Patient, revival: Typing, flags: ReviveFlags): Promise<Result> {
  const { found, plan, prompt, line, message } = revival;
  const { tmux, seen, one } = patient;
  const done = { ...result("typed", found.rung, message), session_id: plan.wanted.id, line };
  if (flags.dryRun) return { ...done, outcome: "would_type" };
  // A guess is never run by us: the person presses Enter.
  const enter = (flags.enter ?? seen.server.revive_enter) && found.exact && plan.wanted.form === "resume";
  const typed = await typeLine(tmux, one.pane, line, { enter, shell: prompt.shell });
  if (!typed.typed) return { ...done, outcome: "refused", reason: "not-typed", message: typed.reason };
  await record(patient, found, plan);
  return done;
}

type Respawning = Extract<Revival, { act: "respawn" }>;

async function bringBack(patient: Patient, revival: Respawning, flags: ReviveFlags): Promise<Result> {
  const { found, plan, line, message } = revival;
  const { tmux, seen, one } = patient;
  const done = { ...result("respawned", found.rung, message), session_id: plan.wanted.id, line };
  if (flags.dryRun) return { ...done, outcome: "would_respawn" };
  await respawn(tmux, seen.server, one, plan.wanted, { dryRun: false });
  await record(patient, found, plan);
  return done;
}

async function record({ tmux, seen, one }: Patient, found: Offer, plan: CanResume): Promise<void> {
  const at = new Date(tmux.system.now()).toISOString();
  const line = {
    ...plan.wanted.binding,
    session_id: plan.wanted.id,
    at,
    source: found.rung,
    previous_id: null,
  };
  await note(tmux.system, [{ ...line, event: "revive", tmux: placeOf(seen.server, one.pane) }]);
}

async function report(tmux: Tmux, one: SurveyedPane, flags: ReviveFlags, result: Result): Promise<void> {
  const { pane_id, tmux_session, window_index, pane_index } = one.pane;
  if (flags.json) {
    return printJson(tmux.system, { pane_id, tmux_session, window_index, pane_index, ...result });
  }
  if (flags.dryRun && result.line) tmux.system.stdout(`${result.line}\n`);
  if (flags.client || !tmux.system.isTerminal("stderr")) {
    await showMessage(tmux, result.message, flags.client);
  } else say(tmux.system, result.message);
}

function exitCode(outcome: Outcome): number {
  if (outcome === "nothing") return ExitCode.nothing;
  return outcome === "refused" ? ExitCode.failed : ExitCode.done;
}

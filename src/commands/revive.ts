// The key: brings the conversation of one pane back, typed at its prompt. When in doubt nothing is typed.
import { formatAddress } from "../binding.ts";
import { printJson, say } from "../cli/output.ts";
import { ExitCode, UserError } from "../errors.ts";
import type { Offer } from "../ladder/offer.ts";
import { notice } from "../ladder/notice.ts";
import { appendJournal } from "../state/journal.ts";
import { lineFor } from "../survey/line.ts";
import { holderOf, offered, readRecords } from "../survey/offered.ts";
import { planResume, type ResumePlan } from "../survey/resume_plan.ts";
import { respawn } from "../survey/respawn.ts";
import { placeOf, type Survey, survey, type SurveyedPane } from "../survey/survey.ts";
import type { System } from "../system/system.ts";
import { connect, explain, type Tmux } from "../tmux/client.ts";
import { showMessage } from "../tmux/messages.ts";
import { promptState } from "../tmux/prompt.ts";
import { typeLine } from "../tmux/typing.ts";

export interface ReviveFlags {
  pane?: string;
  client?: string;
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

interface Revival {
  tmux: Tmux;
  seen: Survey;
  one: SurveyedPane;
  flags: ReviveFlags;
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
  const result = await revive({ tmux, seen, one, flags });
  await report(tmux, one, flags, result);
  return exitCode(result.outcome);
}

function noSuchPane(paneId: string): UserError {
  const why = paneId === "" ? "no pane was given and this is not one" : "the server has no such pane";
  const next =
    'Name one by its id: tmuxclaude revive --pane %3 (ids: tmux list-panes -a -F "#{pane_id} #{pane_title}")';
  return new UserError(`Cannot revive pane "${paneId}"`, why, next, ExitCode.nothing);
}

async function revive(revival: Revival): Promise<Result> {
  const { tmux: { system }, seen, one, flags } = revival;
  if (one.live) return result("running", "running", "Claude is already running in this pane");
  const found = offered(system, seen, one, () => readRecords(system, seen));
  if (!found.binding) {
    return result("nothing", "nothing", "no conversation was recorded for this pane: claude --resume");
  }
  const moved = found.exact && !flags.force ? laterHolder(revival, found) : null;
  if (moved) {
    return refused(
      found,
      "moved",
      `its conversation went on in pane ${formatAddress(moved.pane)}: revive it there`,
    );
  }
  const plan = planResume(system, seen, found.binding, {
    force: flags.force ?? false,
    paneId: one.pane.pane_id,
  });
  if (!plan.can) return refused(found, plan.reason, plan.message);
  return one.pane.dead ? await bringBack(revival, found, plan) : await type(revival, found, plan);
}

/** Another pane that was bound to the same conversation after this one. */
function laterHolder({ seen, one }: Revival, { binding }: Offer): SurveyedPane | null {
  const holder = holderOf(seen, binding!.session_id, one);
  return holder && holder.binding!.at > binding!.at ? holder : null;
}

function result(outcome: Outcome, rung: Result["rung"], message: string): Result {
  return { outcome, rung, session_id: null, line: null, reason: null, message };
}

function refused(found: Offer, reason: string, message: string): Result {
  return { ...result("refused", found.rung, message), session_id: found.binding!.session_id, reason };
}

type CanResume = Extract<ResumePlan, { can: true }>;

async function type(revival: Revival, found: Offer, plan: CanResume): Promise<Result> {
  const { tmux, seen, one, flags } = revival;
  const prompt = await promptState(tmux.system, one.pane, seen.processes);
  if (!prompt.ready) return refused(found, prompt.because, prompt.message);
  const shell = { shell: prompt.shell, pid: prompt.shellPid, cwd: one.pane.cwd, ascii: prompt.ascii };
  const line = lineFor(tmux.system, plan.wanted, shell);
  const message = notice(found, plan.note, tmux.system.now());
  const done = { ...result("typed", found.rung, message), session_id: plan.wanted.id, line };
  if (flags.dryRun) return { ...done, outcome: "would_type" };
  // A guess is never run by us: the person presses Enter.
  const enter = (flags.enter ?? seen.server.revive_enter) && found.exact && plan.wanted.form === "resume";
  const typed = await typeLine(tmux, one.pane, line, { enter });
  if (!typed.typed) return { ...done, outcome: "refused", reason: "not-typed", message: typed.reason };
  await record(revival, found, plan);
  return done;
}

async function bringBack(revival: Revival, found: Offer, plan: CanResume): Promise<Result> {
  const { tmux, seen, one, flags } = revival;
  if (!found.exact) {
    return refused(found, "dead", "this pane is dead, and its conversation only a guess: respawn it first");
  }
  const outcome = await respawn(tmux, seen.server, one, plan.wanted, { dryRun: flags.dryRun ?? false });
  if ("reason" in outcome) return refused(found, "dead", outcome.reason);
  const done = {
    ...result("respawned", found.rung, "the pane was dead: started again"),
    session_id: plan.wanted.id,
    line: outcome.line,
  };
  if (flags.dryRun) return { ...done, outcome: "would_respawn" };
  await record(revival, found, plan);
  return done;
}

async function record({ tmux, seen, one }: Revival, found: Offer, plan: CanResume): Promise<void> {
  const at = new Date(tmux.system.now()).toISOString();
  const line = {
    ...plan.wanted.binding,
    session_id: plan.wanted.id,
    at,
    source: found.rung,
    previous_id: null,
  };
  await appendJournal(tmux.system, { ...line, event: "revive", tmux: placeOf(seen.server, one.pane) });
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

// The key: brings the conversation of one pane back, typed at its prompt. When in doubt nothing is typed.
import { printJson, say } from "../cli/output.ts";
import { ExitCode, UserError } from "../errors.ts";
import { inTurn } from "../state/turn.ts";
import { showCandidates } from "../survey/candidate_menu.ts";
import type { Patient } from "../survey/revival.ts";
import { type Result, result, revive } from "../survey/revive.ts";
import { type Survey, survey } from "../survey/survey.ts";
import type { System } from "../system/system.ts";
import { connect, explain, type Tmux, TmuxError } from "../tmux/client.ts";
import { runLater } from "../tmux/jobs.ts";
import { showMessage } from "../tmux/messages.ts";
import { isOurs, promptBehindUs } from "../tmux/own_prompt.ts";
import { clientOf } from "../tmux/window_names.ts";

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

/** Revives the pane of `--pane`, else the one this runs in. */
export async function run(system: System, flags: ReviveFlags): Promise<number> {
  const tmux = connect(system, flags.socket);
  try {
    return await press(tmux, flags);
  } catch (error) {
    if (flags.client) await showError(tmux, error, flags.client);
    throw error;
  }
}

/** Who pressed a key sees no terminal of ours. */
async function showError(tmux: Tmux, error: unknown, client: string): Promise<void> {
  if (!(error instanceof UserError) || error.cause instanceof TmuxError) return;
  await showMessage(tmux, `${error.what}: ${error.why}`, client);
}

async function press(tmux: Tmux, flags: ReviveFlags): Promise<number> {
  const seen = await look(tmux);
  if (flags.dryRun || flags.menu) return await act(tmux, seen, flags);
  const turn = await inTurn(tmux.system, seen.server.socket, async (waited) => {
    return await act(tmux, waited ? await look(tmux) : seen, flags);
  });
  if (turn.held) return turn.value;
  throw new UserError("Cannot revive the pane", "another revive takes too long", "Press the key again");
}

async function look(tmux: Tmux): Promise<Survey> {
  return await survey(tmux).catch(cannot);
}

function cannot(error: unknown): never {
  throw explain(error, "Cannot revive the pane");
}

async function act(tmux: Tmux, seen: Survey, flags: ReviveFlags): Promise<number> {
  const paneId = flags.pane ?? tmux.system.env("TMUX_PANE") ?? "";
  const one = seen.panes.find(({ pane }) => pane.pane_id === paneId);
  if (!one) throw noSuchPane(paneId);
  const patient = { tmux, seen, one };
  if (flags.menu) return await choose(patient, flags);
  if (isOurs(tmux.system, seen.processes, one.pane)) return await actAfterwards(patient, flags);
  return await report(patient, flags, await revive(patient, optionsOf(patient, flags)).catch(cannot));
}

function optionsOf({ seen }: Patient, { enter, force = false, dryRun = false }: ReviveFlags) {
  return { enter: enter ?? seen.server.revive_enter, force, dryRun };
}

async function choose(patient: Patient, flags: ReviveFlags): Promise<number> {
  const { tmux, seen, one } = patient;
  if (one.live) {
    return await report(patient, flags, result("running", "running", "Claude is running in this pane"));
  }
  const shown = await showCandidates(tmux, seen, one.pane.pane_id, flags.client).catch((error) => {
    throw explain(error, "Cannot show the menu");
  });
  return shown > 0 ? ExitCode.done : await report(patient, flags, NO_CANDIDATE);
}

const NO_CANDIDATE = result(
  "nothing",
  "nothing",
  "nothing is known that this pane may have held: claude --resume",
);

/** Long enough for us to end and for the shell to show its prompt, in seconds. */
const AFTERWARDS_S = 0.3;

/** Somebody typed our name at the pane's own prompt, which comes back when we end: tmux calls us again then. */
async function actAfterwards(patient: Patient, flags: ReviveFlags): Promise<number> {
  const { tmux, one } = patient;
  const planned = await revive(patient, {
    ...optionsOf(patient, flags),
    dryRun: true,
    prompt: promptBehindUs,
  });
  if (flags.dryRun || planned.outcome !== "would_type") return await report(patient, flags, planned);
  if (flags.json) await report(patient, flags, planned);
  const switches = [...(flags.enter ? ["--enter"] : []), ...(flags.force ? ["--force"] : [])];
  await runLater(tmux, [tmux.system.self(), "revive", "--pane", one.pane.pane_id, ...switches], AFTERWARDS_S);
  return ExitCode.done;
}

function noSuchPane(paneId: string): UserError {
  const why = paneId === "" ? "no pane was given and this is not one" : "the server has no such pane";
  const next =
    'Name one by its id: tmuxclaude revive --pane %3 (ids: tmux list-panes -a -F "#{pane_id} #{pane_title}")';
  const code = paneId === "" ? ExitCode.noServer : ExitCode.nothing;
  return new UserError(paneId === "" ? "Cannot revive" : `Cannot revive pane "${paneId}"`, why, next, code);
}

async function report(patient: Patient, flags: ReviveFlags, result: Result): Promise<number> {
  const { pane_id, tmux_session, window_index, pane_index } = patient.one.pane;
  if (flags.json) {
    printJson(patient.tmux.system, { pane_id, tmux_session, window_index, pane_index, ...result });
  } else await tell(patient, flags, result);
  return exitCode(result.outcome);
}

async function tell({ tmux, one }: Patient, flags: ReviveFlags, result: Result): Promise<void> {
  if (flags.dryRun && result.line) tmux.system.stdout(`${result.line}\n`);
  if (!flags.client) say(tmux.system, result.message);
  if (!flags.client && tmux.system.isTerminal("stderr")) return;
  await showMessage(tmux, result.message, flags.client ?? await clientOf(tmux, one.pane));
}

function exitCode(outcome: Result["outcome"]): number {
  if (outcome === "nothing") return ExitCode.nothing;
  return outcome === "refused" ? ExitCode.failed : ExitCode.done;
}

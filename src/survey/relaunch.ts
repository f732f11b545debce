// Typing and starting conversations one after the other: spaced, within memory, each verified.
import type { SessionId } from "../binding.ts";
import type { Action } from "../policy/actions.ts";
import type { Match } from "../policy/match.ts";
import { inTurn } from "../state/turn.ts";
import type { System } from "../system/system.ts";
import type { Tmux } from "../tmux/client.ts";
import type { Pane } from "../tmux/panes.ts";
import { promptState } from "../tmux/prompt.ts";
import type { Refusal } from "../tmux/refusal.ts";
import { typeLine } from "../tmux/typing.ts";
import { lineFor } from "./line.ts";
import { type RestoredRow, toRestoredRow } from "./restored_row.ts";
import { planResume, type ResumePlan } from "./resume_plan.ts";
import { type Survey, survey, type SurveyedPane } from "./survey.ts";
import { waitForPrompt } from "./wait_prompt.ts";

export interface RelaunchOptions {
  /** The server's, for taking turns at it. */
  socket: string;
  spacingMs: number;
  /** Bytes that must stay available. */
  minMemory: number;
  /** Starts at most so many. */
  limit: number;
  progress: (row: RestoredRow) => void;
}

export interface Planned {
  match: Match;
  action: Action;
}

/** How long a pane's shell may take to show its prompt (slow start files), in milliseconds. */
const SHELL_PATIENCE_MS = 20_000;
/** How young a pane's shell must be for a program in it to belong to its start files. */
const NEW_SHELL_MS = 10_000;
/** How long a Claude may take to be there with its id, in milliseconds. */
const START_PATIENCE_MS = 45_000;
const POLL_MS = 200;

/** Acts on each pane in turn; one that fails does not stop the others. Stops starting at the first limit. */
export async function relaunch(
  tmux: Tmux,
  planned: Planned[],
  options: RelaunchOptions,
): Promise<RestoredRow[]> {
  const rows: RestoredRow[] = [];
  let started = 0;
  let stopped: string | null = null;
  for (const { match, action } of planned) {
    if (action === "launch") stopped ??= whyStop(tmux.system, started, options);
    const row = action === "launch" && stopped
      ? toRestoredRow(match, "left", stopped)
      : await one(tmux, match, action, options.socket);
    rows.push(row);
    options.progress(row);
    if (row.action !== "verified") continue;
    started++;
    if (hasMore(planned, rows.length)) await tmux.system.sleep(options.spacingMs);
  }
  return rows;
}

function hasMore(planned: Planned[], done: number): boolean {
  return planned.slice(done).some(({ action }) => action === "launch");
}

function whyStop(system: System, started: number, { limit, minMemory }: RelaunchOptions): string | null {
  if (started >= limit) return `the limit of ${limit} was reached`;
  const available = system.availableMemory();
  if (available === null || available >= minMemory) return null;
  return `only ${gib(available)} GiB of memory are available, ${gib(minMemory)} must stay`;
}

const gib = (bytes: number) => (bytes / 1024 ** 3).toFixed(1);

async function one(tmux: Tmux, match: Match, action: Action, socket: string): Promise<RestoredRow> {
  const { pane_id } = match.pane!;
  const isStarting = ({ because }: Refusal, pane: Pane) =>
    because === "starting" || (because === "program" && isNewShell(tmux.system, pane));
  const looked = await waitForPrompt(tmux, pane_id, SHELL_PATIENCE_MS, isStarting);
  if (!looked) return toRestoredRow(match, "failed", GONE);
  if (!looked.prompt.ready) return toRestoredRow(match, "skipped", looked.prompt.message);
  const turn = await inTurn(tmux.system, socket, () => typeIn(tmux, match, action));
  if (!turn.held) return toRestoredRow(match, "failed", "another revive takes too long");
  const { row, starts } = turn.value;
  if (starts === null) return row;
  const alive = await verify(tmux, pane_id, starts);
  return { ...row, action: alive ? "verified" : "failed", reason: alive ? null : NOT_SEEN };
}

/** zsh and dash run the programs of their start files in the foreground, as if the user had (seen). */
function isNewShell(system: System, pane: Pane): boolean {
  const shell = system.processes.read(pane.pid);
  const started = shell && system.processes.startedAt(shell);
  return started !== null && system.now() - started < NEW_SHELL_MS;
}

const GONE = "its pane is gone";

interface Resumable {
  seen: Survey;
  pane: Pane;
  plan: Extract<ResumePlan, { can: true }>;
}

/** The match's pane and what can be done there now; or its row, when that is nothing. */
async function look(tmux: Tmux, match: Match): Promise<Resumable | { left: RestoredRow }> {
  const seen = await survey(tmux);
  const one = seen.panes.find(({ pane }) => pane.pane_id === match.pane!.pane_id);
  if (!one) return { left: toRestoredRow(match, "failed", GONE) };
  if (one.live) return { left: toRestoredRow(match, "skipped", "a Claude is running there") };
  const plan = planResume(tmux.system, seen, match.binding, { force: false, paneId: one.pane.pane_id });
  return plan.can ? { seen, pane: one.pane, plan } : { left: toRestoredRow(match, "skipped", plan.message) };
}

interface TypedRow {
  row: RestoredRow;
  /** The conversation whose Claude was started, null when none was. */
  starts: SessionId | null;
}

/** Looks again first: shells that start slowly and other turns took their time. */
async function typeIn(tmux: Tmux, match: Match, action: Action): Promise<TypedRow> {
  const now = await look(tmux, match);
  if ("left" in now) return { row: now.left, starts: null };
  const { seen, pane, plan } = now;
  const prompt = await promptState(tmux.system, pane, seen.processes);
  if (!prompt.ready) return { row: toRestoredRow(match, "skipped", prompt.message), starts: null };
  const shell = { shell: prompt.shell, pid: prompt.shellPid, cwd: pane.cwd, ascii: prompt.ascii };
  const line = lineFor(tmux.system, plan.wanted, shell);
  const enter = action === "launch" && plan.wanted.form === "resume";
  const options = { enter, shell: prompt.shell, shellPid: prompt.shellPid };
  const typed = await typeLine(tmux, pane, line, options);
  if (!typed.typed) return { row: { ...toRestoredRow(match, "failed", typed.reason), line }, starts: null };
  const row = { ...toRestoredRow(match, "typed", enter ? null : plan.note), line };
  return { row, starts: enter ? plan.wanted.id : null };
}

const NOT_SEEN = "its Claude was not seen with this conversation in time: look at the pane";

/** A live Claude with that id in that pane: by its registry entry, by its stamp, or by its own arguments. */
async function verify(tmux: Tmux, paneId: string, id: string): Promise<boolean> {
  const end = tmux.system.now() + START_PATIENCE_MS;
  while (tmux.system.now() < end) {
    const seen = await survey(tmux);
    const pane = seen.panes.find(({ pane }) => pane.pane_id === paneId);
    if (pane && holds(pane, id)) return true;
    await tmux.system.sleep(POLL_MS);
  }
  return false;
}

function holds({ live, registry, binding }: SurveyedPane, id: string): boolean {
  if (!live) return false;
  if (registry) return registry.sessionId === id;
  return binding?.session_id === id && (binding.claude?.pid === live.process.pid || live.argv.includes(id));
}

// What a revive does in one pane, decided and not done: the key does it, a dry run and a list show it.
import { formatAddress, type SessionId } from "../binding.ts";
import { type Deed, notice } from "../ladder/notice.ts";
import type { Offer } from "../ladder/offer.ts";
import type { Process, System } from "../system/system.ts";
import type { Tmux } from "../tmux/client.ts";
import type { Pane } from "../tmux/panes.ts";
import type { PromptState } from "../tmux/refusal.ts";
import { lineFor } from "./line.ts";
import { holderOf, offered, type Records } from "./offered.ts";
import { planResume, type ResumePlan, shortAddress } from "./resume_plan.ts";
import { respawnLine, whyNotRespawned } from "./respawn.ts";
import { homeOf, type Survey, type SurveyedPane } from "./survey.ts";

export type CanResume = Extract<ResumePlan, { can: true }>;
type Ready = Extract<PromptState, { ready: true }>;

/** `message`: one line for the person, as long as nothing was done. `reason`: a word for programs. */
export type Revival =
  | { act: "none"; outcome: "running" | "nothing"; message: string }
  | { act: "refuse"; found: Offer; session_id: SessionId; reason: string; message: string }
  | { act: "type"; found: Offer; plan: CanResume; prompt: Ready; line: string; message: string }
  | { act: "respawn"; found: Offer; plan: CanResume; line: string; message: string };

/** The pane in question, among all. */
export interface Patient {
  tmux: Tmux;
  seen: Survey;
  one: SurveyedPane;
}

export interface RevivalOptions {
  force: boolean;
  /** Read once, when a pane without a stamp of its own asks. */
  records: () => Records;
  /** How the pane's prompt is proven. */
  prompt: (system: System, pane: Pane, all: Process[]) => PromptState | Promise<PromptState>;
}

/** Decides; sends nothing to the pane and changes nothing. */
export async function decideRevival(patient: Patient, options: RevivalOptions): Promise<Revival> {
  const { tmux: { system }, seen, one } = patient;
  if (one.live) return { act: "none", outcome: "running", message: runningMessage(one.live) };
  const found = offered(seen, one, options.records);
  if (!found.binding) return { act: "none", outcome: "nothing", message: NOTHING };
  const moved = options.force ? null : laterHolder(patient, found);
  if (moved) return refusal(found, "moved", movedTo(moved));
  const kind = found.binding.claude?.kind ?? "interactive";
  if (kind !== "interactive") return refusal(found, kind, OTHERS[kind]);
  const plan = planResume(system, seen, found.binding, {
    force: options.force,
    paneId: one.pane.pane_id,
  });
  if (!plan.can) return refusal(found, plan.reason, plan.message);
  return one.pane.dead ? respawning(patient, found, plan) : await typing(patient, { found, plan }, options);
}

function runningMessage({ process }: NonNullable<SurveyedPane["live"]>): string {
  return process.state === "T"
    ? "Claude is suspended in this pane: type fg to go on"
    : "Claude is already running in this pane";
}

const OTHERS = {
  teammate: "this pane held a teammate, which its leader starts: claude --resume",
  headless: "this pane held a run without a terminal (claude -p): claude --resume",
  background: "this pane held a background session: claude agents",
};

const NOTHING = "no conversation was recorded for this pane: claude --resume";

function movedTo({ pane }: SurveyedPane): string {
  return `its conversation went on in pane ${shortAddress(formatAddress(pane))}: go there`;
}

/** Another pane that was bound to the same conversation after this one. Where it is alive, that is what is told. */
function laterHolder({ seen, one }: Patient, { binding }: Offer): SurveyedPane | null {
  const holder = holderOf(seen, binding!.session_id, one);
  return holder && !holder.live && holder.binding!.at > binding!.at ? holder : null;
}

function refusal(found: Offer, reason: string, message: string): Revival {
  return { act: "refuse", found, session_id: found.binding!.session_id, reason, message };
}

async function typing(
  { tmux, seen, one }: Patient,
  { found, plan }: { found: Offer; plan: CanResume },
  options: RevivalOptions,
): Promise<Revival> {
  const prompt = await options.prompt(tmux.system, one.pane, seen.processes);
  if (!prompt.ready) return refusal(found, prompt.because, prompt.message);
  const shell = { shell: prompt.shell, pid: prompt.shellPid, cwd: one.pane.cwd, ascii: prompt.ascii };
  const line = lineFor(tmux.system, plan.wanted, shell);
  return {
    act: "type",
    found,
    plan,
    prompt,
    line,
    message: noticeOf(tmux.system, found, plan, "would-type"),
  };
}

/** What the person is told of the line. */
export function noticeOf(system: System, found: Offer, { wanted }: CanResume, deed: Deed): string {
  const { id, binding, form, folder = null } = wanted;
  const earlier = form === "resume" && id !== binding.session_id;
  return notice(found, { deed, form, earlier, folder, now: system.now(), home: homeOf(system) });
}

function respawning({ tmux: { system }, seen, one }: Patient, found: Offer, plan: CanResume): Revival {
  if (!found.exact) return refusal(found, "dead", DEAD_GUESS);
  const reason = whyNotRespawned(one.pane.start_command);
  if (reason) return refusal(found, "dead", reason);
  const line = respawnLine(system, seen.server, plan.wanted);
  return { act: "respawn", found, plan, line, message: noticeOf(system, found, plan, "would-respawn") };
}

const DEAD_GUESS = "this pane is dead, and what it held a guess: tmux respawn-pane first";

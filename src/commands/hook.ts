// Called by Claude at SessionStart, UserPromptSubmit and SessionEnd. Prints nothing that the user or the model
// would see, never fails, never delays Claude: what goes wrong becomes one line in failures.jsonl.
import type { Binding } from "../binding.ts";
import { HOOK_LIMIT, type HookEvent, parseHookEvent } from "../claude/hook_event.ts";
import { reasonOf } from "../errors.ts";
import { decide, type Decision } from "../identity/decide.ts";
import { claudeOf, eventFacts, type OwnClaude } from "../survey/hook_facts.ts";
import { labelled } from "../survey/labelled.ts";
import { recordFailure } from "../state/failures.ts";
import { appendJournal, readJournal } from "../state/journal.ts";
import type { System } from "../system/system.ts";
import { connect, runTmux, type Tmux, TmuxError } from "../tmux/client.ts";
import { stampCommands } from "../tmux/options.ts";
import { HOOK_LIMIT_MS, type OwnPane, readOwnPane } from "../tmux/own_pane.ts";

/** Longest wait for the event on stdin, in milliseconds: Claude writes it at once. */
const STDIN_LIMIT_MS = 2_000;

/** Reads one event and binds its conversation to the pane. Always resolves. */
export async function hook(system: System): Promise<void> {
  try {
    if (system.isTerminal("stdin")) return explainItself(system);
    if (!system.env("TMUX") && !system.env("TMUX_PANE")) return;
    const parsed = parseHookEvent(await system.readStdin(HOOK_LIMIT, STDIN_LIMIT_MS));
    if ("reason" in parsed) return recordFailure(system, { where: "hook", reason: parsed.reason });
    await takeEvent(system, parsed.event);
  } catch (error) {
    recordFailure(system, { where: "hook", reason: reasonOf(error) });
  }
}

function explainItself(system: System): void {
  system.stderr(
    "tmuxclaude hook is called by Claude Code, which writes the event on its stdin.\n" +
      '  To see whether it is registered and works, run "tmuxclaude doctor".\n',
  );
}

async function takeEvent(system: System, event: HookEvent): Promise<void> {
  const paneId = system.env("TMUX_PANE") ?? "";
  if (!/^%\d+$/.test(paneId)) throw new Error(`TMUX_PANE is not a pane id: "${paneId.slice(0, 40)}"`);
  const tmux = connect(system);
  const pane = await readOwnPane(tmux, paneId).catch((error) => afterTheServer(system, event, error));
  if (!pane) return;
  const claude = claudeOf(system, event, pane.pid);
  if (claude) await bind(tmux, event, pane, claude);
}

async function bind(tmux: Tmux, event: HookEvent, pane: OwnPane, claude: OwnClaude): Promise<void> {
  const decision = decide(eventFacts(tmux.system, event, pane.stamp, claude));
  if (decision.act === "ignore") return;
  const binding = labelled(tmux.system, decision.binding, pane);
  await record(tmux.system, { ...decision, binding }, pane);
  await runTmux(tmux, stampCommands(pane.pane_id, binding), HOOK_LIMIT_MS);
}

async function record(system: System, decision: Decision & { act: "bind" }, pane: OwnPane): Promise<void> {
  const { binding, event, source, previous } = decision;
  const { tmux_session, window_index, pane_index, pane_id } = pane;
  const tmux = { ...pane.server, tmux_session, window_index, pane_index, pane_id };
  const line = { ...binding, source, previous_id: previous, tmux };
  await appendJournal(system, { ...line, event });
  if (event === "start" && isNewName(pane.stamp, binding)) {
    await appendJournal(system, { ...line, event: "rename" });
  }
}

function isNewName(before: Binding | null, after: Binding): boolean {
  return before?.session_id === after.session_id && after.name !== null && after.name !== before.name;
}

function lastLine(system: System, event: HookEvent) {
  return readJournal(system).lines.findLast((line) => line.session_id === event.sessionId);
}

/** A SessionEnd comes after its server when the server was killed: the journal still knows the place. */
async function afterTheServer(system: System, event: HookEvent, error: unknown): Promise<null> {
  const gone = error instanceof TmuxError && error.kind === "no-server";
  const last = gone && event.name === "SessionEnd" ? lastLine(system, event) : undefined;
  if (!last) throw error;
  const state = event.reason === "prompt_input_exit" ? "exited" : "ended";
  const at = new Date(system.now()).toISOString();
  const { schema: _schema, seq: _seq, ...line } = last;
  const end = { event: "end", source: event.reason, previous_id: null, reason: event.reason } as const;
  await appendJournal(system, { ...line, ...end, state, at });
  return null;
}

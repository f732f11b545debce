// Called by Claude at SessionStart, UserPromptSubmit and SessionEnd. Prints nothing that the user or the model
// would see, never fails, never delays Claude: what goes wrong becomes one line in failures.jsonl.
import type { Binding } from "../binding.ts";
import { HOOK_LIMIT, type HookEvent, parseHookEvent } from "../claude/hook_event.ts";
import { reasonOf } from "../errors.ts";
import { closed, decide, type Decision, partOf } from "../identity/decide.ts";
import { renamedSince } from "../identity/name_history.ts";
import { titleAnswer } from "../push/answer.ts";
import { chainOf, claudeOf, eventFacts, isItsEnd, type OwnClaude, titlesOf } from "../survey/hook_facts.ts";
import { labelled } from "../survey/labelled.ts";
import { recordFailure } from "../state/failures.ts";
import { appendJournal, readJournal } from "../state/journal.ts";
import type { System } from "../system/system.ts";
import { connect, runTmux, type Tmux, TmuxError } from "../tmux/client.ts";
import { foregroundCommand, stampCommands } from "../tmux/options.ts";
import { HOOK_LIMIT_MS, type OwnPane, readOwnPane } from "../tmux/own_pane.ts";

/** How long the event may still take once tmux has answered, in milliseconds: Claude writes it at once. */
const STDIN_GRACE_MS = 1_000;

/** Reads one event and binds its conversation to the pane. Always resolves. */
export async function hook(system: System): Promise<void> {
  try {
    if (system.isTerminal("stdin")) return explainItself(system);
    if (!system.env("TMUX") && !system.env("TMUX_PANE")) return;
    await takeEvent(system);
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

/** tmux is asked while the event still arrives. */
async function takeEvent(system: System): Promise<void> {
  const tmux = connect(system);
  const asked = askForPane(tmux);
  const parsed = parseHookEvent(await system.readStdin(HOOK_LIMIT, asked, STDIN_GRACE_MS));
  if ("reason" in parsed) throw new Error(parsed.reason);
  const chain = chainOf(system);
  const pane = await asked.catch((error) => afterTheServer(parsed.event, error));
  if (!pane) return await endWithoutPane(system, parsed.event);
  const claude = claudeOf(system, parsed.event, chain, pane.pid);
  if (claude) await bind(tmux, parsed.event, pane, claude);
}

async function askForPane(tmux: Tmux): Promise<OwnPane | null> {
  const paneId = tmux.system.env("TMUX_PANE") ?? "";
  if (!/^%\d+$/.test(paneId)) throw new Error(`TMUX_PANE is not a pane id: "${paneId.slice(0, 40)}"`);
  return await readOwnPane(tmux, paneId);
}

async function bind(tmux: Tmux, event: HookEvent, pane: OwnPane, claude: OwnClaude): Promise<void> {
  const { system } = tmux;
  const decision = decide(eventFacts(system, event, pane.stamp, claude));
  const bound = decision.act === "bind" ? labelled(system, decision.binding, pane) : pane.stamp;
  const answer = bound && titleAnswer(system, event, pane, bound);
  if (!bound || (decision.act === "ignore" && !answer)) return;
  const binding = answer?.binding ?? bound;
  const stamp = [...stampCommands(pane.pane_id, binding), foregroundCommand(pane.pane_id)];
  const commands = [...stamp, ...answer?.commands ?? []];
  const stamped = errorOf(runTmux(tmux, commands, HOOK_LIMIT_MS));
  const written = errorOf(recordAll(system, newsOf(decision, pane.stamp, binding, event), pane));
  const failed = [await stamped, await written].find((one) => one !== null);
  if (failed) throw failed.error;
  if (answer) system.stdout(titleOutput(event.name, answer.title));
}

/**
 * Both are waited for, whatever fails: the stamp holds where nothing can be written. Caught at once, because a rejection
 * that nobody awaits yet would end the program with an error that Claude shows.
 */
async function errorOf(work: Promise<unknown>): Promise<{ error: unknown } | null> {
  return await work.then(() => null, (error: unknown) => ({ error }));
}

async function recordAll(system: System, all: News[], pane: OwnPane): Promise<void> {
  for (const news of all) await record(system, news, pane);
}

/** What the journal is told: the event, and a name that is new. */
type News = Pick<Decision & { act: "bind" }, "event" | "source" | "previous" | "binding">;

function newsOf(decision: Decision, stamp: Binding | null, bound: Binding, { sessionId }: HookEvent): News[] {
  const [before, after] = [stamp && partOf(stamp, sessionId), partOf(bound, sessionId)];
  if (decision.act === "ignore") return [renameOf(after)];
  const main = { ...decision, binding: after };
  if (decision.event === "end") return [...renames(before, after), main];
  const left = decision.left ? endOf(stamp, decision.left) : [];
  return [...left, main, ...(decision.event === "start" ? renames(before, after) : [])];
}

/** The conversation that the process left: the name it had at last, and its end. */
function endOf(before: Binding | null, binding: Binding): News[] {
  return [...renames(before, binding), { event: "end", source: binding.reason, previous: null, binding }];
}

function renames(before: Binding | null, after: Binding): News[] {
  return isNewName(before, after) ? [renameOf(after)] : [];
}

function renameOf(binding: Binding): News {
  return {
    event: "rename",
    source: null,
    previous: null,
    binding: { ...binding, state: "running", reason: null },
  };
}

/** A title is news when the conversation had another one; a start tells its first. */
function isNewName(before: Binding | null, after: Binding): boolean {
  return before?.session_id === after.session_id && after.name !== null && after.name !== before.name;
}

async function record(system: System, news: News, pane: OwnPane): Promise<void> {
  const { event, source, previous, binding } = news;
  const { tmux_session, window_index, pane_index, pane_id } = pane;
  const tmux = { ...pane.server, tmux_session, window_index, pane_index, pane_id };
  await appendJournal(system, { ...binding, event, source, previous_id: previous, tmux });
}

/** Claude's own form for a title; nothing else of it is shown to anybody. */
function titleOutput(hookEventName: string, sessionTitle: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName, sessionTitle } });
}

/** A SessionEnd comes after its server when the server was killed. Anything else without a server is a failure. */
function afterTheServer(event: HookEvent, error: unknown): null {
  if (event.name === "SessionEnd" && error instanceof TmuxError) return null;
  throw error;
}

/** The pane is gone already: the journal still knows where this process held the conversation. */
async function endWithoutPane(system: System, event: HookEvent): Promise<void> {
  if (event.name !== "SessionEnd") return;
  const last = readJournal(system).lines.findLast((line) => line.session_id === event.sessionId);
  if (!last?.claude || !isItsEnd(system, last.claude, last.state)) return;
  const { schema: _schema, seq: _seq, ...line } = last;
  const at = new Date(system.now()).toISOString();
  const named = renamedSince(line, titlesOf(system, event, line.session_id, line), at);
  const end = closed(named, event.reason, at);
  await appendJournal(system, { ...line, ...end, event: "end", source: event.reason, previous_id: null });
}

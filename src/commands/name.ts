// Pushes a window's name into its conversation. Called by tmux's after-rename-window hook, and by people.
import { ExitCode, UserError } from "../errors.ts";
import { printJson, say } from "../cli/output.ts";
import { freeName } from "../names/free.ts";
import { sanitize } from "../names/sanitize.ts";
import { type Pushed, pushName } from "../push/push.ts";
import { withLock } from "../state/lock.ts";
import { prepareState } from "../state/paths.ts";
import type { System } from "../system/system.ts";
import { connect, explain, runTmux, type Tmux } from "../tmux/client.ts";
import { showMessage } from "../tmux/messages.ts";
import { clientOf } from "../tmux/window_names.ts";

export interface NameFlags {
  /** Window id. */
  window?: string;
  /** Pane id: its window is meant. */
  pane?: string;
  /** Only print the text as a name. */
  sanitize?: string;
  /** Only print the first free form of this name. */
  free?: string;
  taken?: readonly string[];
  json?: boolean;
  socket?: string;
}

/** One push at a time: two at once would type into one box, and give two conversations one name. */
const WAIT_MS = 30_000;

/** Pushes the name of one window; `--sanitize` and `--free` only print, without tmux. */
export async function run(system: System, flags: NameFlags): Promise<number> {
  if (flags.sanitize !== undefined) return printFree(system, flags.sanitize, { json: flags.json });
  if (flags.free !== undefined) return printFree(system, flags.free, flags);
  const tmux = connect(system, flags.socket);
  const windowId = await windowOf(tmux, flags);
  const pushed = await push(tmux, windowId);
  if (flags.json) printJson(system, toJson(windowId, pushed));
  else await report(tmux, pushed);
  return pushed.outcome === "failed" || pushed.outcome === "refused" ? ExitCode.failed : ExitCode.done;
}

function printFree(system: System, text: string, { taken = [], json }: NameFlags): number {
  const name = freeName(nameOf(text), taken);
  if (json) printJson(system, { name });
  else system.stdout(`${name}\n`);
  return ExitCode.done;
}

function nameOf(text: string): string {
  const result = sanitize(text);
  if ("name" in result) return result.name;
  const next = "Give a name with a letter or a digit in it";
  throw new UserError(`Cannot make a name of ${JSON.stringify(text)}`, result.error, next);
}

async function windowOf(tmux: Tmux, { window, pane }: NameFlags): Promise<string> {
  if (window !== undefined) return checked(window, /^@\d+$/, "--window @3");
  const paneId = checked(pane ?? tmux.system.env("TMUX_PANE") ?? "", /^%\d+$/, "--pane %3 or --window @3");
  const text = await runTmux(tmux, [["list-panes", "-a", "-F", "#{pane_id} #{window_id}"]]).catch(noServer);
  const found = text.split("\n").find((line) => line.startsWith(`${paneId} `));
  if (!found) throw nothingThere(`pane "${paneId}"`);
  return found.slice(paneId.length + 1);
}

function checked(id: string, form: RegExp, example: string): string {
  if (form.test(id)) return id;
  const why = id === "" ? "no window is given, and this is no pane of tmux" : `"${id}" is no id of tmux`;
  const code = id === "" ? ExitCode.noServer : ExitCode.usage;
  throw new UserError("Cannot push a name", why, `Give it like ${example}`, code);
}

function nothingThere(what: string): UserError {
  const next = 'See "tmuxclaude list" for what there is';
  return new UserError(
    "Cannot push a name",
    `there is no ${what} on this tmux server`,
    next,
    ExitCode.nothing,
  );
}

function noServer(error: unknown): never {
  throw explain(error, "Cannot push a name");
}

async function push(tmux: Tmux, windowId: string): Promise<Pushed> {
  const { namesLock } = prepareState(tmux.system);
  const options = { exclusive: true, waitMs: WAIT_MS };
  const done = await withLock(
    tmux.system,
    namesLock,
    options,
    () => pushName(tmux, windowId).catch(noServer),
  );
  if (!done.held) {
    throw new UserError("Cannot push a name", "another push takes too long", "Name the window again");
  }
  if (!done.value) throw nothingThere(`window "${windowId}"`);
  return done.value;
}

function toJson(windowId: string, { wanted, name, outcome, via, reason }: Pushed) {
  return { window_id: windowId, wanted, name, outcome, via, reason };
}

/** Success shows itself in the title. Whoever pressed the key sees the rest on the status line, a terminal its own. */
async function report(tmux: Tmux, pushed: Pushed): Promise<void> {
  const text = sentence(pushed);
  if (text === null) return;
  say(tmux.system, text);
  if (tmux.system.isTerminal("stderr") || !pushed.pane || isQuiet(pushed)) return;
  await showMessage(tmux, text, await clientOf(tmux, pushed.pane));
}

function isQuiet({ outcome }: Pushed): boolean {
  return outcome === "nothing" || outcome === "landed" || outcome === "superseded" || outcome === "start";
}

const NOTHING: Record<string, string> = {
  "not-named": "nothing to do: the window has no name of its own",
  "no-claude": "nothing to do: no Claude of yours runs in the window",
  "same": "nothing to do: the conversation has this name already",
};

function sentence({ outcome, wanted, name, reason }: Pushed): string | null {
  switch (outcome) {
    case "nothing":
      return NOTHING[reason ?? ""];
    case "landed":
      return name === wanted ? `named "${name}"` : `named "${name}" ("${wanted}" cannot be used as it is)`;
    case "start":
      return `"${name}" is given when the conversation starts`;
    case "pending":
      return `"${name}" comes with your next prompt: ${reason}`;
    case "refused":
      return `cannot name the conversation "${name}": ${reason}`;
    case "failed":
      return `the conversation is not called "${name}" yet: ${reason}`;
    case "superseded":
      return reason;
  }
}

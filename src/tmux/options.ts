// Names of our tmux options, in one place. The stamp's names are a contract (other tools may read them).
import type { Binding, SessionId } from "../binding.ts";
import { parseRecord, toBinding } from "../from_disk.ts";
import type { Command } from "./client.ts";

/** By what they hold. */
export const OPTION = {
  /** Stamp, pane options. */
  session: "@tmuxclaude_session",
  cwd: "@tmuxclaude_cwd",
  binding: "@tmuxclaude_binding",
  /** running, exited, ended or restored: for formats, which cannot look into the binding. */
  state: "@tmuxclaude_state",
  /** What tmux calls the pane's program while Claude has it: "sh" for a script that starts Claude and waits. */
  foreground: "@tmuxclaude_foreground",
  /** Window option: the name we are giving it, only while we do. */
  pushed: "@tmuxclaude_pushed",
  /** Server option: time (ms) of the restore of this server's life. */
  restored: "@tmuxclaude_restored",
  /** Server option: set once a restore has compared this life's panes with its record, also when it left them all. */
  compared: "@tmuxclaude_compared",
  /** What the user may set. */
  restorePolicy: "@tmuxclaude-restore",
  reviveEnter: "@tmuxclaude-revive-enter",
  /** The key after the prefix that revives, as install chose it. */
  reviveKey: "@tmuxclaude-revive-key",
} as const;

/** Commands that write a binding on a pane, named by its id. */
export function stampCommands(paneId: string, binding: Binding): Command[] {
  const state = (binding.candidate ?? binding).state;
  return [...firstStampCommands(paneId, binding), setOption(paneId, OPTION.state, state)];
}

/**
 * The same for a pane without a stamp in which no Claude runs. Its state is left out: formats only ask whether that is
 * "running", and with many windows each option takes tmux 0.2 ms.
 */
export function firstStampCommands(paneId: string, binding: Binding): Command[] {
  return [
    setOption(paneId, OPTION.session, binding.session_id),
    setOption(paneId, OPTION.cwd, binding.cwd),
    setOption(paneId, OPTION.binding, JSON.stringify(binding)),
  ];
}

function setOption(paneId: string, option: string, value: string): Command {
  return ["set-option", "-p", "-t", paneId, option, value];
}

/** Remembers the program that is in the pane's foreground now; for the hook, which only a Claude in front calls. */
export function foregroundCommand(paneId: string): Command {
  return ["set-option", "-pF", "-t", paneId, OPTION.foreground, "#{pane_current_command}"];
}

/** Commands that take the stamp off a pane. */
export function unstampCommands(paneId: string): Command[] {
  return [OPTION.session, OPTION.cwd, OPTION.binding, OPTION.state, OPTION.foreground].map((option) => [
    "set-option",
    "-pu",
    "-t",
    paneId,
    option,
  ]);
}

/**
 * The binding in a pane's three options. The session option decides: a stamp whose parts disagree (written by
 * hand, or half of it lost) keeps only what the short options say.
 */
export function readStamp(
  session: SessionId | null,
  cwd: string,
  binding: string,
  at: string,
): Binding | null {
  if (session === null) return null;
  const full = toBinding(parseRecord(binding));
  if (full?.session_id === session) return full;
  return toBinding({ session_id: session, cwd, at });
}

// Keys and text for a pane that go there only while a shell has its keyboard: tmux checks and acts in one step.
import { type Command, runTmux, type Tmux, TmuxError } from "./client.ts";
import { programName, SHELL_NAMES } from "../line/shell.ts";
import type { System } from "../system/system.ts";
import type { Pane } from "./panes.ts";
import { parseScreen, type Screen, screenCommands } from "./screen.ts";

/** A pane as it was when its prompt was proven. */
export interface TargetPane extends Pick<Pane, "pane_id" | "pid" | "synchronized"> {
  /** The shell that was found in front; unknown: any shell is taken for it. */
  shellPid?: number;
  /** What tmux calls that shell. */
  shellNames?: string[];
}

/** How long the guard may fail: a prompt may run a program of its own. */
const GUARD_MS = 500;
const GUARD_POLL_MS = 20;
/** How long after it was asked tmux may still act: shorter than we wait for its answer. */
const PROMPTLY_MS = 2_000;

/** What to do in a pane. */
export interface Action {
  prepare: Command[];
  /** Done only while the guard holds. */
  then: string;
  guard: string;
  /** Takes back what was prepared. */
  otherwise: Command | null;
}

/**
 * Does something in the pane, but only if it is alive with a shell in its foreground at that very moment: tmux checks
 * and acts in one step. Pasting into a dead pane would crash a server up to 3.3a. Tries again for a short while,
 * since a prompt may run a program of its own. Gives the screen after it, null when it was not done.
 */
export async function act(tmux: Tmux, pane: TargetPane, action: Action): Promise<Screen | null> {
  const id = pane.pane_id;
  const undo = action.otherwise ? `${action.otherwise.join(" ")} ; ` : "";
  const [then, otherwise] = [`${action.then} ; display-message -p done`, `${undo}display-message -p left`];
  const guarded: Command = ["if-shell", "-F", "-t", id, promptly(tmux.system, action.guard), then, otherwise];
  const deadline = tmux.system.now() + GUARD_MS;
  do {
    if (isInFront(tmux.system, pane)) {
      const printed = await orNull(
        tmux,
        [...action.prepare, guarded, ...screenCommands(id)],
        action.otherwise,
      );
      if (printed === null) return null;
      if (printed.startsWith("done\n")) return parseScreen(id, printed.slice("done\n".length));
    }
    await tmux.system.sleep(GUARD_POLL_MS);
  } while (tmux.system.now() < deadline);
  return null;
}

/** tmux knows a program by its name only, and a script that starts Claude is called as its shell is. */
function isInFront({ processes }: System, { pid, shellPid }: TargetPane): boolean {
  if (shellPid === undefined) return true;
  const shell = processes.read(shellPid);
  return shell !== null && processes.read(pid)?.foreground === shell.group;
}

/**
 * The condition, true only for a moment from now on. A server that hangs does what it was told when it goes on, though
 * the client that told it is long gone: nothing may be typed then. Seen to work on 3.2a, 3.3a and 3.7c.
 */
export function promptly(system: System, condition: string): string {
  const end = Math.ceil((system.now() + PROMPTLY_MS) / 1_000);
  return `#{&&:#{<:#{T:#{l:%s}},${end}},${condition}}`;
}

/** The pane's screen, null when the pane is gone. */
export async function readScreen(tmux: Tmux, paneId: string): Promise<Screen | null> {
  const printed = await orNull(tmux, screenCommands(paneId), null);
  return printed === null ? null : parseScreen(paneId, printed);
}

/** What tmux printed, null when it refused (the pane is gone, or just exiting): then what was prepared is taken back. */
async function orNull(tmux: Tmux, commands: Command[], undo: Command | null): Promise<string | null> {
  try {
    return await runTmux(tmux, commands);
  } catch (error) {
    if (!(error instanceof TmuxError) || error.kind !== "failed") throw error;
    if (undo) await runTmux(tmux, [undo]).catch(() => {});
    return null;
  }
}

const ANY_SHELL = `^(${SHELL_NAMES.join("|")})(-[0-9.]+)?$`;

/** What tmux may call a shell: on Linux by its arguments, on macOS by its program. */
export function namesOf({ processes }: System, pid: number): string[] {
  const names = [programName(processes.argv(pid)[0] ?? ""), processes.read(pid)?.name ?? ""];
  return names.filter((name) => new RegExp(ANY_SHELL).test(name));
}

/** A format that is true while the pane lives and the shell that was there is in its foreground. */
function guardOf(pane: TargetPane, more = "1"): string {
  const names = pane.shellNames?.length ? `^(${pane.shellNames.join("|")})$` : ANY_SHELL;
  const shell = `#{m/r:${names},#{pane_current_command}}`;
  const alive = `#{&&:#{==:#{pane_id},${pane.pane_id}},#{?pane_dead,0,1}}`;
  return `#{&&:${more},#{&&:${alive},${shell}}}`;
}

/** Leaving any mode, then a key. It would be mirrored by synchronize-panes, so the pane leaves that for the moment. */
export async function pressKey(tmux: Tmux, pane: TargetPane, name: "C-c" | "Escape"): Promise<Action> {
  const id = pane.pane_id;
  const key = `send-keys -t ${id} ${name}`;
  const leave = `copy-mode -q -t ${id}`;
  const action = { prepare: [], otherwise: null };
  if (!pane.synchronized) {
    return { ...action, guard: guardOf(pane, "#{?pane_synchronized,0,1}"), then: `${leave} ; ${key}` };
  }
  const option = `-t ${id} synchronize-panes`;
  const own = (await runTmux(tmux, [["show-options", "-pqv", "-t", id, "synchronize-panes"]])).trim();
  const back = own === "" ? `set-option -pu ${option}` : `set-option -p ${option} ${own}`;
  const then = `${leave} ; set-option -p ${option} off ; ${key} ; ${back}`;
  return { ...action, guard: guardOf(pane), then };
}

/** Text as it is, from a buffer of its own: neither bracketed nor mirrored to synchronized panes. */
export function paste(tmux: Tmux, pane: TargetPane, text: string): Action {
  const buffer = `tmuxclaude-${tmux.system.randomHex(8)}`;
  return {
    prepare: [["set-buffer", "-b", buffer, "--", text]],
    guard: guardOf(pane),
    then: `paste-buffer -d -b ${buffer} -t ${pane.pane_id}`,
    otherwise: ["delete-buffer", "-b", buffer],
  };
}

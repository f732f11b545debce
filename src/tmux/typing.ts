// Typing one command line at a shell prompt, so that it stands there alone and whole, or saying why it does not.
// The caller has proven the prompt (prompt.ts) just before.
import type { Shell } from "../line/quote.ts";
import { shellOf } from "../line/shell.ts";
import { type Command, runTmux, type Tmux } from "./client.ts";
import type { Pane } from "./panes.ts";
import { cursorText, parseScreen, type Screen, screenCommands, textBefore } from "./screen.ts";
import { editorWaits, terminalModes } from "./terminal.ts";

export type Typed = { typed: true } | { typed: false; reason: string };

export interface TypeOptions {
  /** Press Enter once the line stands there. */
  enter: boolean;
  /** The shell as `promptState` found it; else it is taken from the pane's command. */
  shell?: Shell;
}

type PaneFacts = Pick<Pane, "pane_id" | "tty" | "command" | "synchronized">;

/** How long a shell may take to show its prompt again, and then the line, in milliseconds. */
const PATIENCE_MS = 2_000;
const POLL_MS = 5;
/** fish says nothing to C-c at an empty prompt: so long a silence counts as its answer. */
const SILENCE_MS = 40;
/** A prompt that leaves the cursor in the first column must stand so long. */
const FIRST_COLUMN_MS = 100;

/**
 * Types the line at the pane's prompt: leaves copy mode, clears half-typed input with C-c, pastes the line raw from a
 * buffer of its own (neither bracketed nor mirrored to synchronized panes) and reads the pane to see it stand there.
 * Enter is pressed only after that. On failure nothing more is sent and the reason quotes what stands there.
 */
export async function typeLine(
  tmux: Tmux,
  pane: PaneFacts,
  line: string,
  options: TypeOptions,
): Promise<Typed> {
  const shell = options.shell ?? shellOf(pane.command) ?? "posix";
  const before = await act(tmux, pane, await interrupt(tmux, pane));
  if (!before) return failed("another program came to the front meanwhile: press again");
  const fresh = await freshPrompt(tmux, pane, shell, before);
  if (!fresh) return failed("the shell did not show its prompt again: press again");
  const pasted = await act(tmux, pane, paste(tmux, pane, line));
  if (!pasted) return failed("another program came to the front meanwhile: press again");
  const shown = await verify(tmux, pane, { line, fresh, first: pasted });
  if (!shown.typed || !options.enter) return shown;
  const entered = await act(tmux, pane, paste(tmux, pane, "\n"));
  return entered ? shown : failed("the line stands at the prompt, but Enter could not be pressed");
}

const failed = (reason: string): Typed => ({ typed: false, reason });

/** Commands for when the pane still is what was proven, and for when it is not. */
interface Action {
  prepare: Command[];
  then: string;
  otherwise: string;
}

/**
 * Does something in the pane, but only if it is alive with a shell in its foreground at that very moment:
 * tmux checks and acts in one step. Pasting into a dead pane would crash a server up to 3.3a. Retries for a short
 * while, since a prompt may run a program of its own. Gives the screen after it, null when it was not done.
 */
async function act(tmux: Tmux, pane: PaneFacts, action: Action): Promise<Screen | null> {
  const id = pane.pane_id;
  const then = `${action.then} ; display-message -p done`;
  const otherwise = [action.otherwise, "display-message -p left"].filter(Boolean).join(" ; ");
  const guarded: Command = ["if-shell", "-F", "-t", id, guardOf(pane), then, otherwise];
  const deadline = tmux.system.now() + PATIENCE_MS / 4;
  do {
    const printed = await runTmux(tmux, [...action.prepare, guarded, ...screenCommands(id)]);
    if (printed.startsWith("done\n")) return parseScreen(id, printed.slice("done\n".length));
    await tmux.system.sleep(POLL_MS * 4);
  } while (tmux.system.now() < deadline);
  return null;
}

const SHELL_NAMES = "^(sh|dash|ash|busybox|m?ksh|ksh93|oksh|yash|bash|zsh|fish|nu)(-[0-9.]+)?$";

/** A format that is true while the pane lives and a shell is in its foreground. */
function guardOf(pane: PaneFacts): string {
  const shell = `#{m/r:${SHELL_NAMES},#{pane_current_command}}`;
  return `#{&&:#{==:#{pane_id},${pane.pane_id}},#{&&:#{?pane_dead,0,1},${shell}}}`;
}

/** Leaving any mode, then C-c. A key is mirrored by synchronize-panes, so the pane leaves that for the moment. */
async function interrupt(tmux: Tmux, pane: PaneFacts): Promise<Action> {
  const id = pane.pane_id;
  const keys = `send-keys -t ${id} C-c`;
  const leave = `copy-mode -q -t ${id}`;
  if (!pane.synchronized) return { prepare: [], then: `${leave} ; ${keys}`, otherwise: "" };
  const own = (await runTmux(tmux, [["show-options", "-pqv", "-t", id, "synchronize-panes"]])).trim();
  const option = `-t ${id} synchronize-panes`;
  const back = own === "" ? `set-option -pu ${option}` : `set-option -p ${option} ${own}`;
  return { prepare: [], then: `${leave} ; set-option -p ${option} off ; ${keys} ; ${back}`, otherwise: "" };
}

function paste(tmux: Tmux, pane: PaneFacts, text: string): Action {
  const buffer = `tmuxclaude-${tmux.system.randomHex(8)}`;
  return {
    prepare: [["set-buffer", "-b", buffer, "--", text]],
    then: `paste-buffer -d -b ${buffer} -t ${pane.pane_id}`,
    otherwise: `delete-buffer -b ${buffer}`,
  };
}

async function look(tmux: Tmux, pane: PaneFacts): Promise<Screen | null> {
  return parseScreen(pane.pane_id, await runTmux(tmux, screenCommands(pane.pane_id)));
}

/** Waits for the prompt that answers C-c: a new line, the editor waiting, and the same screen twice. */
async function freshPrompt(
  tmux: Tmux,
  pane: PaneFacts,
  shell: Shell,
  before: Screen,
): Promise<Screen | null> {
  const { system } = tmux;
  const started = system.now();
  let last: Screen | null = null;
  let since = started;
  while (system.now() - started < PATIENCE_MS) {
    const [screen, modes] = await Promise.all([look(tmux, pane), terminalModes(system, pane.tty)]);
    if (!screen) return null;
    if (!last || !isSame(screen, last)) since = system.now();
    else if ((!modes || editorWaits(shell, modes)) && answers(shell, before, screen, system.now() - since)) {
      return screen;
    }
    last = screen;
    await system.sleep(POLL_MS);
  }
  return null;
}

/** Whether the screen shows the answer to C-c, having stood for so many milliseconds. */
function answers(shell: Shell, before: Screen, screen: Screen, stood: number): boolean {
  if (screen.line === before.line) return (shell === "fish" || shell === "nu") && stood >= SILENCE_MS;
  return screen.cursor_x > 0 || stood >= FIRST_COLUMN_MS;
}

function isSame(a: Screen, b: Screen): boolean {
  return a.line === b.line && a.cursor_x === b.cursor_x && a.rows.join("\n") === b.rows.join("\n");
}

/** Reads the pane until exactly the line stands before the cursor, with nothing between it and the prompt. */
async function verify(
  tmux: Tmux,
  pane: PaneFacts,
  wanted: { line: string; fresh: Screen; first: Screen },
): Promise<Typed> {
  const started = tmux.system.now();
  let screen: Screen | null = wanted.first;
  while (screen) {
    const before = textBefore(screen, wanted.line);
    if (before !== null) {
      return isGlued(before, cursorText(wanted.fresh)) ? standing(screen) : { typed: true };
    }
    if (tmux.system.now() - started > PATIENCE_MS) return standing(screen);
    await tmux.system.sleep(POLL_MS);
    screen = await look(tmux, pane);
  }
  return failed("the pane went away");
}

/** True when the text before the line is the prompt and something more. A prompt may redraw itself differently. */
function isGlued(before: string, prompt: string): boolean {
  return prompt.trim() !== "" && before.trimEnd() !== prompt.trimEnd() && before.startsWith(prompt.trimEnd());
}

function standing(screen: Screen): Typed {
  const text = cursorText(screen).trim();
  const shown = [...text].slice(-32).join("");
  return failed(`the line did not appear as typed, the pane shows "${shown}": check it`);
}

// Typing one command line at a shell prompt, so that it stands there alone and whole, or saying why it does not.
// The caller has proven the prompt (prompt.ts) just before.
import type { Shell } from "../line/quote.ts";
import { shellOf } from "../line/shell.ts";
import type { Tmux } from "./client.ts";
import { act, namesOf, paste, pressKey, readScreen, type TargetPane } from "./guarded.ts";
import type { Pane } from "./panes.ts";
import { cursorText, type Screen, textBefore } from "./screen.ts";
import { editorWaits, terminalModes } from "./terminal.ts";

export type Typed = { typed: true } | { typed: false; reason: string };

export interface TypeOptions {
  /** Press Enter once the line stands there. */
  enter: boolean;
  /** The shell as `promptState` found it; else it is taken from the pane's command. */
  shell?: Shell;
  /** Its process: whatever else comes to the front meanwhile gets nothing. */
  shellPid?: number;
}

type PaneFacts = TargetPane & Pick<Pane, "tty">;

/** How long a shell may take to show its prompt again, and then the line, in milliseconds. */
const PATIENCE_MS = 2_000;
const POLL_MS = 5;
/** fish says nothing to C-c at an empty prompt: so long a silence counts as its answer. */
const SILENCE_MS = 25;
/** One look at a pane on an idle machine; where it takes longer, the shell's answer does as well. */
const LOOK_MS = 6;
/** So many times longer than there it is waited at the most. */
const SLOWEST = 10;
/** C-c is sent once more after this: zsh first leaves a search, bash waits for the rest of an Escape in vi mode. */
const AGAIN_MS = 150;
/** fish takes an Escape and a key within this time for one key; a shell that runs late sees both at once. */
const ESCAPE_MS = 100;
/** A prompt that leaves the cursor in the first column must stand so long. */
const FIRST_COLUMN_MS = 100;

/**
 * Types the line at the pane's prompt: leaves copy mode, clears half-typed input with C-c, pastes the line raw from a
 * buffer of its own (neither bracketed nor mirrored to synchronized panes) and reads the pane to see it stand there.
 * Enter is pressed only after that. On failure nothing more is sent and the reason quotes the end of what stands there.
 */
export async function typeLine(
  tmux: Tmux,
  where: Pick<Pane, "pane_id" | "pid" | "tty" | "command" | "synchronized">,
  line: string,
  options: TypeOptions,
): Promise<Typed> {
  const { shellPid } = options;
  const shellNames = shellPid === undefined ? [] : namesOf(tmux.system, shellPid);
  const pane: PaneFacts = { ...where, shellPid, shellNames };
  const shell = options.shell ?? shellOf(where.command) ?? "posix";
  const before = await act(tmux, pane, await pressKey(tmux, pane, "C-c"));
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
  let [since, again, slowest] = [started, false, 0];
  while (system.now() - started < PATIENCE_MS) {
    const asked = system.now();
    const [screen, modes]: [Screen | null, Set<string> | null] = await Promise.all([
      readScreen(tmux, pane.pane_id),
      // The first look only serves to be compared with.
      last && terminalModes(system, pane.tty),
    ]);
    if (!screen) return null;
    slowest = Math.max(slowest, system.now() - asked);
    const waits = !modes || editorWaits(shell, modes);
    if (!last || !isSame(screen, last)) since = system.now();
    else if (waits) {
      const stood = system.now() - since;
      const moved = screen.line !== before.line;
      const slowness = Math.min(SLOWEST, Math.max(1, slowest / LOOK_MS));
      const silent = !moved && isSilent(tmux, pane, shell, stood / slowness);
      if (moved && isPrompt(screen, stood)) return screen;
      if (silent && (looksEmpty(screen) || again && stood >= 2 * AGAIN_MS && isUntouched(screen, before))) {
        return screen;
      }
      if (!moved && !again && (silent || !mayStaySilent(shell) && stood >= AGAIN_MS)) {
        again = true;
        if (silent) await leaveMode(tmux, pane, slowness);
        await act(tmux, pane, await pressKey(tmux, pane, "C-c"));
      }
    }
    last = screen;
    await system.sleep(POLL_MS);
  }
  return null;
}

/** In fish's vi modes for replacing and selecting C-c does not take the line away. */
async function leaveMode(tmux: Tmux, pane: PaneFacts, slowness: number): Promise<void> {
  await act(tmux, pane, await pressKey(tmux, pane, "Escape"));
  await tmux.system.sleep(ESCAPE_MS * slowness);
}

function isPrompt(screen: Screen, stood: number): boolean {
  return screen.cursor_x > 0 || stood >= FIRST_COLUMN_MS;
}

/** Whether what stands before the cursor is a prompt as most are, and right behind it is nothing. */
function looksEmpty(screen: Screen): boolean {
  const head = cursorText(screen);
  return /(^|[\s>#$%:)\]|❯›»➜→λ])$/.test(head) && !/^\S/.test(screen.row.slice(head.length));
}

/**
 * A prompt of an unusual form: C-c changed nothing in its row. In fish's mode for replacing C-c takes a part of the line.
 * Text behind the cursor proves nothing: fish and tmux differ about the width of a tab in a prompt.
 */
function isUntouched(screen: Screen, before: Screen): boolean {
  return screen.row === before.row;
}

/** fish and nushell say nothing to C-c when nothing was typed. */
function mayStaySilent(shell: Shell): boolean {
  return shell === "fish" || shell === "nu";
}

function isSilent(tmux: Tmux, pane: PaneFacts, shell: Shell, stood: number): boolean {
  return mayStaySilent(shell) && stood >= SILENCE_MS && shellSleeps(tmux, pane);
}

/** A shell that sleeps has taken the C-c it was sent, whether it showed it or not. */
function shellSleeps({ system }: Tmux, pane: PaneFacts): boolean {
  const leader = system.processes.read(system.processes.read(pane.pid)?.foreground ?? -1);
  return leader !== null && /[SI]/.test(leader.state);
}

function isSame(a: Screen, b: Screen): boolean {
  return a.line === b.line && a.cursor_x === b.cursor_x && a.text === b.text;
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
      return isGlued(before, cursorText(wanted.fresh)) ? standing(screen, wanted.line) : { typed: true };
    }
    if (tmux.system.now() - started > PATIENCE_MS) return standing(screen, wanted.line);
    await tmux.system.sleep(POLL_MS);
    screen = await readScreen(tmux, pane.pane_id);
  }
  return failed("the pane went away");
}

/** True when the text before the line is the prompt and something more. A prompt may redraw itself differently. */
function isGlued(before: string, prompt: string): boolean {
  return prompt.trim() !== "" && before.trimEnd() !== prompt.trimEnd() && before.startsWith(prompt.trimEnd());
}

function standing(screen: Screen, line: string): Typed {
  // zsh and fish show only a part of a line that is taller than the pane.
  if (line.length >= screen.cells) {
    return failed("the pane is too small to read the line: check it before Enter");
  }
  const shown = [...cursorText(screen).trim()].slice(-24).join("");
  return failed(`not typed as meant, check the pane: "${shown}"`);
}

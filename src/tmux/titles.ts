// Typing into Claude's input box, each keystroke on a condition that tmux itself checks at that moment.
import { type Command, runTmux, type Tmux } from "./client.ts";
import { promptly } from "./guarded.ts";

/** A pane's screen with its escape sequences, and what decides whether it may be typed into. */
export interface BoxScreen {
  rows: string[];
  cursorX: number;
  cursorY: number;
  inMode: boolean;
  dead: boolean;
  inputOff: boolean;
  title: string;
}

const FIELDS = [
  "pane_id",
  "cursor_x",
  "cursor_y",
  "pane_in_mode",
  "pane_dead",
  "pane_input_off",
  "pane_title",
];

/** The pane's screen now, null when the pane is gone or tmux does not answer. Never throws. */
export async function readBoxScreen(tmux: Tmux, paneId: string): Promise<BoxScreen | null> {
  const mark = `<${tmux.system.randomHex(8)}>`;
  const format = FIELDS.map((name) => `#{${name}}`).join(mark) + mark;
  const text = await runTmux(tmux, [
    ["display-message", "-p", "-t", paneId, format],
    ["capture-pane", "-p", "-e", "-t", paneId],
  ]).catch(() => "");
  const [id, x, y, mode, dead, off, title, screen] = text.split(mark);
  if (id !== paneId || screen === undefined) return null; // tmux answers for another pane when this one is gone
  return {
    rows: screen.replace(/^\n/, "").split("\n"),
    cursorX: Number(x),
    cursorY: Number(y),
    inMode: Number(mode) > 0,
    dead: dead === "1",
    inputOff: off === "1",
    title,
  };
}

/** The pane's title now, null when the pane is gone or tmux does not answer. Never throws. */
export async function readTitle(tmux: Tmux, paneId: string): Promise<string | null> {
  const format = "#{pane_id} #{pane_title}";
  const text = await runTmux(tmux, [["display-message", "-p", "-t", paneId, format]]).catch(() => "");
  return text.startsWith(`${paneId} `) ? text.slice(paneId.length + 1).replace(/\n$/, "") : null;
}

/**
 * Pastes text into the pane, bracketed: Claude takes it so in every state of its box, also in vim's normal mode,
 * where typed letters are commands (measured on 2.1.332, 2.1.197). Nothing is pasted when the cursor has moved
 * since the screen was read or the pane is in a mode: then something else has the focus. Throws TmuxError.
 */
export async function pasteAt(tmux: Tmux, paneId: string, text: string, seen: BoxScreen): Promise<void> {
  await pasteIf(tmux, paneId, text, seen, ["-p"]);
}

/**
 * Presses Enter, as a pasted newline: send-keys would also press it in synchronized panes. Under the same condition
 * as pasteAt, because a dialog may have opened in the meantime and an Enter would approve it. Throws TmuxError.
 */
export async function enterAt(tmux: Tmux, paneId: string, seen: BoxScreen): Promise<void> {
  await pasteIf(tmux, paneId, "\n", seen, []);
}

async function pasteIf(
  tmux: Tmux,
  paneId: string,
  text: string,
  seen: BoxScreen,
  flags: string[],
): Promise<void> {
  const buffer = `tmuxclaude-${tmux.system.randomHex(8)}`;
  const paste = ["paste-buffer", "-d", ...flags, "-b", buffer, "-t", paneId].join(" ");
  const guard = promptly(tmux.system, unchanged(seen));
  const guarded: Command = ["if-shell", "-F", "-t", paneId, guard, paste, `delete-buffer -b ${buffer}`];
  await runTmux(tmux, [["set-buffer", "-b", buffer, text], guarded]);
}

/** True for tmux while the cursor is where it was and the pane can take input. A dead pane must not be pasted into. */
function unchanged({ cursorX, cursorY }: BoxScreen): string {
  const conditions = [
    `#{==:#{cursor_x},${cursorX}}`,
    `#{==:#{cursor_y},${cursorY}}`,
    "#{==:#{pane_in_mode},0}",
    "#{!=:#{pane_dead},1}",
  ];
  return conditions.reduce((all, one) => `#{&&:${all},${one}}`);
}

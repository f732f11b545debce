// What the pictures of the README tell. Each step waits for the screen to show what the step is about.
import { untilText } from "../helpers/poll.ts";
import type { Recorder } from "./recorder.ts";

export interface Scene {
  /** The file below docs/, without its ending. */
  name: string;
  title: string;
  conf: string;
  play(terminal: Recorder): Promise<void>;
}

const ANSWER = {
  login: "The token is checked twice: once in the router, once in the handler.",
  cart: "Added three cases for an empty cart.",
};

const promise: Scene = {
  name: "promise",
  title:
    "Two panes with Claude, the tmux server is killed, tmux-resurrect brings the layout back, one key in each " +
    "pane types the command that resumes its conversation",
  conf: `set-environment -g STANDIN_REPLY "${ANSWER.login}"`,
  async play(terminal) {
    await Deno.mkdir(`${terminal.scratch.home}/shop`);
    await terminal.types("tmux new -s shop -c ~/shop");
    await terminal.sees(/^shop /m);
    await talk(terminal, "why is the login slow?", "once in the handler");
    await terminal.tmux(
      "split-window",
      "-h",
      "-c",
      "#{pane_current_path}",
      "-e",
      `STANDIN_REPLY=${ANSWER.cart}`,
    );
    await talk(terminal, "add a test for the cart", "an empty cart.");
    await terminal.sees(/^shop 0:Claude Code/m);
    await terminal.shoots("Claude in two panes of one folder", 3);
    await terminal.presses("C-b", "C-s");
    await terminal.sees("Tmux environment saved!");
    await terminal.shoots("prefix + C-s: tmux-resurrect saves, tmuxclaude notes who holds what", 2);
    await terminal.crashes();
    await terminal.shoots("The tmux server is killed, and every Claude with it", 3);
    await terminal.types("clear; tmux");
    await terminal.sees(/^0 /m);
    await terminal.presses("C-b", "C-r");
    await terminal.sees("can be revived");
    await terminal.shoots("prefix + C-r: the panes are back, empty. tmuxclaude knows them", 3);
    await revive(terminal, "an empty cart.", "prefix + r in a pane types its line");
    await terminal.presses("C-b", "o");
    await revive(terminal, "once in the handler", "prefix + r in the other one: its own conversation");
    await terminal.shoots("Every pane has exactly the conversation it held", 5);
  },
};

async function talk(terminal: Recorder, prompt: string, answer: string): Promise<void> {
  await terminal.sees(/(^|│)\$ *$/m);
  await terminal.types("claude");
  await terminal.sees(/^(.*│)?❯/m);
  await terminal.types(prompt);
  await terminal.sees(answer);
}

async function revive(terminal: Recorder, answer: string, caption: string): Promise<void> {
  await terminal.presses("C-b", "r");
  await terminal.sees("press Enter to resume");
  await terminal.shoots(caption, 3);
  await terminal.presses("Enter");
  await terminal.sees(answer);
  // tmux looks at a window's program, and names it after that, twice a second.
  await terminal.sees(/^shop 0:Claude Code/m);
  await terminal.shoots("Enter: it goes on where it was", 2);
}

const names: Scene = {
  name: "names",
  title:
    "A window without a name shows Claude's title; a window that is named gives its conversation the name; the " +
    "status line counts what runs, waits for an answer, can be revived",
  conf: [
    `set-environment -g STANDIN_REPLY "${ANSWER.login}"`,
    'set-environment -g STANDIN_AI_TITLE "Slow login"',
    "set -g status-interval 1",
    "set -g status-right '#{E:@tmuxclaude_status}'",
  ].join("\n"),
  async play(terminal) {
    await terminal.types("tmux new -s shop");
    await terminal.sees(/^shop /m);
    await talk(terminal, "why is the login slow?", "once in the handler");
    await terminal.sees(/^shop 0:Slow login\* +▶1/m);
    await terminal.shoots("A window without a name shows the title that Claude finds", 3);
    await terminal.presses("C-b", ",");
    await terminal.sees("(rename-window) Slow login");
    await terminal.presses("C-u");
    await terminal.sees(/\(rename-window\)$/m);
    await terminal.outer.type(terminal.pane, "fix: login");
    await terminal.sees("(rename-window) fix: login");
    await terminal.shoots("prefix + , names the window …", 3);
    await terminal.presses("Enter");
    await terminal.sees(/Session renamed to: fix-login[^]*0:fix-login/);
    await terminal.shoots("… and its conversation gets the name, in a form that Claude takes", 4);
    await inWindow(terminal, "Cart tests", "MOCK_DIALOG", /Do you want/);
    await inWindow(terminal, "A talk", "draft", /once in the handler/);
    await terminal.tmux("send-keys", "-t", "shop:2", "/exit", "Enter");
    await terminal.sees(/1:Cart tests +2:bash +▶2 \?1 ↻1/);
    await terminal.shoots("The status line: 2 have Claude, 1 waits for your answer, 1 can be revived", 5);
  },
};

/** A window behind the one that is seen, with a Claude that is asked something. */
async function inWindow(terminal: Recorder, title: string, prompt: string, wanted: RegExp): Promise<void> {
  const pane = await terminal.tmux(
    ...["new-window", "-d", "-P", "-F", "#{pane_id}", "-e", `STANDIN_AI_TITLE=${title}`],
  );
  const screen = () => terminal.tmux("capture-pane", "-p", "-t", pane);
  await terminal.tmux("send-keys", "-t", pane, "claude", "Enter");
  await untilText("Claude", screen, /^❯/m, 20_000);
  await terminal.tmux("send-keys", "-t", pane, "hello", "Enter");
  await untilText("the first answer", screen, /once in the handler/, 20_000);
  await terminal.tmux("send-keys", "-t", pane, prompt, "Enter");
  await untilText("the answer", screen, wanted, 20_000);
}

export const SCENES: Scene[] = [promise, names];

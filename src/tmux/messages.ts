// Messages on tmux's status line.
import { runTmux, type Tmux } from "./client.ts";
import { argument, message } from "./format.ts";
import { runLater } from "./jobs.ts";

const SHOWN_MS = "4000";
/** tmux cuts at the client's width; this only keeps a strange name from becoming a strange message. */
const MAX_LENGTH = 200;

/**
 * Shows one line, as it is, on the client (by name) or on the one used last. Never fails: there may be no client,
 * and a message is not worth an error.
 */
export async function showMessage(tmux: Tmux, text: string, client?: string): Promise<void> {
  const show = (...on: string[]) => runTmux(tmux, [["display-message", ...on, "-d", SHOWN_MS, line]]);
  const line = message(`tmuxclaude: ${cut(text)}`);
  try {
    await (client ? show("-c", client) : show());
  } catch {
    // 3.2a takes no client after -c. The client that pressed a key is the one used last.
    await show().catch(() => {});
  }
}

/**
 * The same after some seconds, when the message of another has been read. Never fails. A job shows it: what
 * `run-shell -C` is given, tmux expands once more (seen on 3.3a).
 */
export async function showMessageLater(tmux: Tmux, text: string, seconds: number): Promise<void> {
  const socket = tmux.socket === null ? [] : ["-S", tmux.socket];
  const show = ["display-message", "-d", SHOWN_MS, argument(message(`tmuxclaude: ${cut(text)}`))];
  await runLater(tmux, ["tmux", "-u", ...socket, ...show], seconds).catch(() => {});
}

function cut(text: string): string {
  const chars = [...text];
  return chars.length > MAX_LENGTH ? `${chars.slice(0, MAX_LENGTH - 1).join("")}…` : text;
}

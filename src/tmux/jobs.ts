// Work that tmux does a moment later, as a job of its own.
import { quote } from "../line/quote.ts";
import { runTmux, type Tmux } from "./client.ts";
import { literal } from "./format.ts";

/** Runs a program after `delay` seconds, silently: what a job prints would cover the user's pane. */
export async function runLater(tmux: Tmux, words: string[], delay: number): Promise<void> {
  const command = words.map((word) => quote(word, "posix")).join(" ");
  // run-shell expands formats, and -d is there since 3.2.
  const line = literal(`${command} >/dev/null 2>&1 || true`);
  await runTmux(tmux, [["run-shell", "-b", "-d", String(delay), line]]);
}

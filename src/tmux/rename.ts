// Giving a window its final name.
import { type Command, runTmux, type Tmux } from "./client.ts";
import { literal } from "./format.ts";
import { OPTION } from "./options.ts";

/**
 * Commands that rename a window without our own hook starting a process for it: while the option holds the new
 * name, the hook's condition is false (tmux asks it right after rename-window, before the option is gone again).
 */
export function renameCommands(windowId: string, name: string): Command[] {
  return [
    ["set-option", "-w", "-t", windowId, OPTION.pushed, name],
    ["rename-window", "-t", windowId, literal(name)],
    ["set-option", "-wu", "-t", windowId, OPTION.pushed],
  ];
}

/** Renames the window unless it is called otherwise than we think, or gone; then false. Throws TmuxError. */
export async function renameWindow(
  tmux: Tmux,
  windowId: string,
  name: { from: string; to: string },
): Promise<boolean> {
  const mark = `<${tmux.system.randomHex(8)}>`;
  const format = `#{window_id}${mark}#{window_name}${mark}`;
  const text = await runTmux(tmux, [["display-message", "-p", "-t", windowId, format]]).catch(() => "");
  const [id, current] = text.split(mark);
  if (id !== windowId || current !== name.from) return false;
  await runTmux(tmux, renameCommands(windowId, name.to));
  return true;
}

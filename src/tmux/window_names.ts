// Windows as far as names go.
import type { WindowRoot } from "../names/taken.ts";
import { runTmux, type Tmux } from "./client.ts";
import type { Pane } from "./panes.ts";

/**
 * Whether a window was named on purpose: its own automatic-rename is off and its name is not empty. Only the window's
 * own value tells: the effective one is off everywhere with `set -g automatic-rename off`. Throws TmuxError.
 */
export async function isNamedOnPurpose(tmux: Tmux, pane: Pane): Promise<boolean> {
  if (pane.automatic_rename || pane.window_name === "") return false;
  const own = await runTmux(tmux, [["show-options", "-wqv", "-t", pane.window_id, "automatic-rename"]]);
  return own.trim() === "off";
}

/** The windows of these panes, each with the folders it is rooted in. */
export function windowRoots(panes: readonly Pane[]): WindowRoot[] {
  const windows = Map.groupBy(panes, (pane) => pane.window_id);
  return [...windows.values()].map((members) => ({
    window_id: members[0].window_id,
    name: members[0].window_name,
    automatic: members[0].automatic_rename,
    folders: members.flatMap((pane) => [pane.cwd, ...(pane.stamp ? [pane.stamp.cwd] : [])]),
  }));
}

/** A client that shows this window, else one of its tmux session, else undefined. Never throws. */
export async function clientOf(tmux: Tmux, pane: Pane): Promise<string | undefined> {
  const format = "#{window_id} #{session_id} #{client_name}";
  const text = await runTmux(tmux, [["list-clients", "-F", format]]).catch(() => "");
  const clients = text.split("\n").map((line) => /^(@\d+) (\$\d+) (.+)$/.exec(line)).filter((found) =>
    found !== null
  );
  const ofWindow = clients.find((found) => found[1] === pane.window_id);
  return (ofWindow ?? clients.find((found) => found[2] === pane.tmux_session_id))?.[3];
}

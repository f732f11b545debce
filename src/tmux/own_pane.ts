// What the hook asks about its own pane, in one call.
import type { Binding, PaneAddress, ServerLife } from "../binding.ts";
import { sessionId } from "../binding.ts";
import { runTmux, type Tmux } from "./client.ts";
import { OPTION, readStamp } from "./options.ts";

/** The pane of TMUX_PANE, as the server knows it. */
export interface OwnPane extends PaneAddress {
  pane_id: string;
  server: ServerLife;
  pid: number;
  window_id: string;
  window_name: string;
  automatic_rename: boolean;
  title: string;
  /** The tmux session's team option, "" when it is not set. */
  team: string;
  stamp: Binding | null;
}

const TEAM = "#{?@tmuxclaude-team,#{@tmuxclaude-team},#{@miadi-team}}";
const FORMAT = [
  "#{pane_id}",
  "#{pane_pid}",
  "#{socket_path}",
  "#{pid}",
  "#{start_time}",
  "#{session_name}",
  "#{window_index}",
  "#{pane_index}",
  "#{window_id}",
  "#{window_name}",
  "#{automatic-rename}",
  "#{pane_title}",
  TEAM,
  `#{${OPTION.session}}`,
  `#{${OPTION.cwd}}`,
  `#{${OPTION.binding}}`,
];

/** The pane, or null when this server has no such pane. Throws TmuxError. */
export async function readOwnPane(tmux: Tmux, paneId: string): Promise<OwnPane | null> {
  const mark = `<${tmux.system.randomHex(8)}>`;
  const text = await runTmux(
    tmux,
    [["display-message", "-p", "-t", paneId, FORMAT.join(mark)]],
    HOOK_LIMIT_MS,
  );
  const values = text.replace(/\n$/, "").split(mark);
  // display-message succeeds for a pane that does not exist, with another pane's data or none (3.2 and newer).
  return values.length === FORMAT.length && values[0] === paneId ? toOwnPane(values) : null;
}

/** Longest wait of the hook for one tmux call: Claude waits for us. */
export const HOOK_LIMIT_MS = 2_000;

function toOwnPane(values: string[]): OwnPane {
  const [pane_id, pid, socket, serverPid, started, tmux_session, window_index, pane_index, ...rest] = values;
  const [window_id, window_name, automatic, title, team, session, cwd, binding] = rest;
  return {
    pane_id,
    pid: Number(pid),
    server: { socket, pid: Number(serverPid), started: Number(started) },
    tmux_session,
    window_index: Number(window_index),
    pane_index: Number(pane_index),
    window_id,
    window_name,
    automatic_rename: automatic === "1",
    title,
    team,
    stamp: readStamp(sessionId(session), cwd, binding, ""),
  };
}

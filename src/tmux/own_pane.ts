// What the hook asks about its own pane, in one call.
import type { Binding, PaneAddress, ServerLife } from "../binding.ts";
import { sessionId } from "../binding.ts";
import { TEAM_OPTIONS } from "../labels/variables.ts";
import { type Command, runTmux, type Tmux } from "./client.ts";
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
  /** The window's own automatic-rename is off and its name is not empty. */
  named_on_purpose: boolean;
  /** Another pane of the window has a Claude already, or the conversation with the window's name: it speaks for it. */
  behind_another: boolean;
  /** The tmux session's team option, "" when it is not set. */
  team: string;
  stamp: Binding | null;
}

/** Indexes of the window's panes that have a Claude in front, or a conversation of the window's name to go on with. */
const RUNS = `#{&&:#{==:#{${OPTION.state}},running},#{==:#{${OPTION.foreground}},#{pane_current_command}}}`;
/** What would be a wildcard in the window's name stands for one character. A former name is followed by no "names". */
const PLAIN_NAME = "#{s/[][*?\\\\]/?/:window_name}";
const CALLED = `#{m:*"name":"${PLAIN_NAME}"#,"names":*,#{${OPTION.binding}}}`;
const CLAUDES = `#{P:#{?#{||:${RUNS},${CALLED}},#{pane_index} ,}}`;
const TEAM = TEAM_OPTIONS.reduceRight((rest, name) => `#{?${name},#{${name}},${rest}}`, "");
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
  CLAUDES,
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
    [
      ["display-message", "-p", "-t", paneId, FORMAT.join(mark) + mark],
      // Only the window's own value tells: the effective one is off everywhere with a global "off".
      ["show-options", "-wqv", "-t", paneId, "automatic-rename"],
      placesCommand(paneId),
    ],
    HOOK_LIMIT_MS,
  );
  const values = text.split(mark);
  // display-message succeeds for a pane that does not exist, with another pane's data or none (3.2 and newer).
  return values.length === FORMAT.length + 1 && values[0] === paneId ? toOwnPane(values) : null;
}

/** Prints where each tmux session shows the pane, when several do: by lines, empty ones for other panes. */
function placesCommand(paneId: string): Command {
  const place = "#{session_id} #{window_index} #{pane_index} #{session_name}";
  const list = `list-panes -a -F "#{?#{==:#{pane_id},${paneId}},${place},}"`;
  return ["if-shell", "-F", "-t", paneId, "#{!=:#{window_linked_sessions},1}", list];
}

/** The address in the oldest tmux session: display-message chooses the one used last. */
function oldestPlace(lines: string[]): PaneAddress | null {
  const places = lines.map((line) => /^(\$\d+) (\d+) (\d+) (.*)$/.exec(line)).filter((found) =>
    found !== null
  );
  const [first] = places.toSorted((a, b) => ageOrder(a[1], b[1]));
  if (!first) return null;
  return { tmux_session: first[4], window_index: Number(first[2]), pane_index: Number(first[3]) };
}

/** Order of tmux sessions by their ids (`$7`): the oldest first. */
export function ageOrder(a: string, b: string): number {
  return Number(a.slice(1)) - Number(b.slice(1));
}

/** Longest wait of the hook for one tmux call: Claude waits for us. */
export const HOOK_LIMIT_MS = 2_000;

function toOwnPane(values: string[]): OwnPane {
  const [pane_id, pid, socket, serverPid, started, tmux_session, window_index, pane_index, ...rest] = values;
  const [window_id, window_name, automatic, title, claudes, team, session, cwd, binding, after] = rest;
  const lines = after.split("\n");
  const shown = { tmux_session, window_index: Number(window_index), pane_index: Number(pane_index) };
  return {
    pane_id,
    pid: Number(pid),
    server: { socket, pid: Number(serverPid), started: Number(started) },
    ...oldestPlace(lines) ?? shown,
    window_id,
    window_name,
    automatic_rename: automatic === "1",
    title,
    named_on_purpose: lines.includes("off") && window_name !== "",
    behind_another: claudes.split(" ").some((index) => index !== "" && index !== pane_index),
    team,
    stamp: readStamp(sessionId(session), cwd, binding, ""),
  };
}

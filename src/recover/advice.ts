// The command for each decision, ready to be pasted into a POSIX shell. Pure. tmux expands what it is given for names
// and folders as formats, so each # is doubled, and a semicolon at the end would end the command.
import type { SessionId } from "../binding.ts";
import { quote } from "../line/quote.ts";
import { argument, literal } from "../tmux/format.ts";
import type { MissingPane, PresentPane } from "./difference.ts";
import type { PastPane } from "./past.ts";

const word = (text: string) => quote(text, "posix");
const forTmux = (text: string) => word(argument(literal(text)));

/** Binds a pane that is there. */
export function bindCommand(paneId: string, id: SessionId, options: { socket: string | null }): string {
  return `tmuxclaude recover ${ours(options)}--bind ${paneId}=${id}`;
}

/** Makes the missing pane and binds it. Without quotes around: within "…" an interactive bash would expand a "!". */
export function remakeCommand(
  missing: MissingPane,
  id: SessionId,
  options: { socket: string | null },
): string {
  const make = makeCommand(missing, options, "-d -P -F '#{pane_id}' ");
  return `tmuxclaude recover ${ours(options)}--bind $(${make})=${id}`;
}

/** Makes a pane for the missing one: a window of its tmux session, or that session. */
export function makeCommand(missing: MissingPane, options: { socket: string | null }, print = "-d "): string {
  const folder = missing.cwd === "" ? "" : ` -c ${forTmux(missing.cwd)}`;
  const name = missing.window_name === "" ? "" : ` -n ${forTmux(missing.window_name)}`;
  const place = missing.opens_session
    ? `new-session ${print}-s ${forTmux(missing.tmux_session)}`
    : `new-window ${print}-t ${word(`=${missing.tmux_session}:`)}`;
  return `${tmux(options)} ${place}${name}${folder}`;
}

/** Closes a pane that was not in the record. */
export function closeCommand(pane: PresentPane, options: { socket: string | null }): string {
  return `${tmux(options)} kill-pane -t ${pane.pane_id}`;
}

/** Goes to the pane that a conversation moved to. */
export function goCommand(pane: PresentPane, options: { socket: string | null }): string {
  return `${tmux(options)} switch-client -t ${pane.pane_id}`;
}

/** Resumes without tmux: all that can be said while no server runs. */
export function resumeCommand(
  pane: PastPane,
  id: SessionId,
  where: { cwd: string | null; configDir: string | null },
): string {
  const folder = where.cwd ?? pane.cwd;
  const cd = folder === "" ? "" : `cd ${word(folder)} && `;
  const config = where.configDir === null ? "" : `CLAUDE_CONFIG_DIR=${word(where.configDir)} `;
  return `${cd}${config}claude --resume ${id}`;
}

function tmux({ socket }: { socket: string | null }): string {
  return socket === null ? "tmux" : `tmux -S ${word(socket)}`;
}

function ours({ socket }: { socket: string | null }): string {
  return socket === null ? "" : `--socket ${word(socket)} `;
}

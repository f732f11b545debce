// What the running server really has: asked from it, not read from a configuration.
import { type ChainState, readChains, readOptions } from "../install/clean.ts";
import { runTmux, type Tmux } from "../tmux/client.ts";
import { type KeyBinding, readBindings } from "../tmux/key_bindings.ts";

export interface ServerState {
  bindings: KeyBinding[];
  chains: ChainState[];
  /** Global options by name, "" for those that are not set. */
  options: Record<Option, string>;
  /** Applications may set titles; always true before 3.5. */
  allowsTitles: boolean;
  /** Attached clients. */
  clients: number;
  sessions: string[];
}

const OPTIONS = [
  "status",
  "status-right",
  "automatic-rename-format",
  "after-rename-window[8417]",
  "@tmuxclaude-restore",
  "@resurrect-save-script-path",
  "@resurrect-dir",
  "@resurrect-capture-pane-contents",
  "@resurrect-pane-contents-area",
  "@continuum-save-interval",
] as const;
type Option = (typeof OPTIONS)[number];

/** Reads it in four questions at once. Throws TmuxError. */
export async function readServerState(tmux: Tmux, limitMs: number): Promise<ServerState> {
  const [bindings, chains, values, lists] = await Promise.all([
    readBindings(tmux, limitMs),
    readChains(tmux),
    readOptions(tmux, [...OPTIONS]),
    readLists(tmux, limitMs),
  ]);
  const options = Object.fromEntries(OPTIONS.map((name, index) => [name, values[index]]));
  return { bindings, chains, options: options as Record<Option, string>, ...lists };
}

type Lists = Pick<ServerState, "allowsTitles" | "clients" | "sessions">;

async function readLists(tmux: Tmux, limitMs: number): Promise<Lists> {
  const mark = tmux.system.randomHex(8);
  const printed = await runTmux(tmux, [
    // As a format: 3.2 ends the whole batch, without a word, at an option it does not know.
    ["display-message", "-p", `#{allow-set-title}${mark}`],
    ["list-clients", "-F", "client"],
    ["display-message", "-p", mark],
    ["list-sessions", "-F", `#{session_name}${mark}`],
  ], limitMs);
  const [titles, clients, ...sessions] = printed.split(`${mark}\n`);
  return {
    allowsTitles: !["0", "off"].includes(titles),
    clients: clients.split("\n").filter((line) => line === "client").length,
    sessions: sessions.slice(0, -1),
  };
}

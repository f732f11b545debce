// A tmux server apart from the user's: own socket, own configuration, own environment (the one of `tmux.system`).
import { argument, literal } from "./format.ts";
import { LIMIT_MS, runTmux, type Tmux, TmuxError } from "./client.ts";

export type PrivateTmux = Tmux & { socket: string };

/** What a new pane becomes, and where. */
export interface NewPane {
  tmux_session: string;
  window: string;
  folder: string;
  /** `session`: the first pane of a new tmux session; else in that tmux session. */
  opens: "session" | "window" | "pane";
  /** Program and arguments, at least two words: a single one would go through a shell. */
  command: string[];
}

const COLUMNS = "100";
const ROWS = "24";

/** Starts the server on its socket; it reads `conf` and nothing else. Throws TmuxError. */
export async function startServer(tmux: PrivateTmux, conf: string): Promise<void> {
  const args = ["-u", "-S", tmux.socket, "-f", conf, "start-server"];
  const ran = await tmux.system.run("tmux", args, {
    limitMs: LIMIT_MS,
    env: tmux.system.environment(),
    clearEnv: true,
  }).catch((error) => {
    const missing = error instanceof Deno.errors.NotFound;
    throw missing ? new TmuxError("start-server", "tmux is not on PATH", "no-tmux") : error;
  });
  if (ran.code !== 0) throw new TmuxError("start-server", ran.stderr.trim() || "it did not start", "failed");
}

/** The process id of the running server. */
export async function serverPid(tmux: PrivateTmux): Promise<number> {
  return Number(await runTmux(tmux, [["display-message", "-p", "#{pid}"]]));
}

/** Opens a pane and returns its id. */
export async function openPane(tmux: PrivateTmux, pane: NewPane): Promise<string> {
  const session = literal(pane.tmux_session);
  const place = {
    session: ["new-session", "-d", "-x", COLUMNS, "-y", ROWS, "-s", session, "-n", literal(pane.window)],
    window: ["new-window", "-d", "-t", `=${pane.tmux_session}:`, "-n", literal(pane.window)],
    pane: ["split-window", "-d", "-t", `=${pane.tmux_session}:`],
  }[pane.opens];
  const rest = ["-P", "-F", "#{pane_id}", "-c", literal(pane.folder), ...pane.command];
  return (await runTmux(tmux, [[...place, ...rest]])).trim();
}

/** Types a line as a person would, and Enter; an empty one is Enter alone. */
export async function enterLine(tmux: Tmux, paneId: string, line: string): Promise<void> {
  const typed = line === "" ? [] : [["send-keys", "-t", paneId, "-l", "--", argument(line)]];
  await runTmux(tmux, [...typed, ["send-keys", "-t", paneId, "Enter"]]);
}

/** What the pane shows and has shown, wrapped lines joined. */
export async function paneText(tmux: Tmux, paneId: string): Promise<string> {
  return await runTmux(tmux, [["capture-pane", "-p", "-J", "-S", "-", "-t", paneId]]);
}

/** Attaches this terminal to a tmux session of the server until the person leaves. */
export async function attach(tmux: PrivateTmux, session: string): Promise<void> {
  const args = ["-u", "-S", tmux.socket, "attach-session", "-t", `=${session}`];
  await tmux.system.runInteractive("tmux", args, tmux.system.environment());
}

/** Ends the server. One that is gone is no error. */
export async function stopServer(tmux: PrivateTmux): Promise<void> {
  await runTmux(tmux, [["kill-server"]]).catch((error) => {
    if (!(error instanceof TmuxError)) throw error;
  });
}

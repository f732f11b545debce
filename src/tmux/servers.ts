// The tmux servers of this user that answer. None is ever started.
import { namesIn } from "../system/lenient.ts";
import type { System } from "../system/system.ts";
import { connect, runTmux, type Tmux, TmuxError } from "./client.ts";

export interface RunningServer {
  tmux: Tmux;
  socket: string;
  version: string;
  /** What it read at its start, links resolved. */
  configFiles: string[];
}

/** The folder tmux keeps this user's sockets in. */
export function socketFolder(system: System): string {
  const parent = system.env("TMUX_TMPDIR") || "/tmp";
  return `${parent.replace(/(?<=.)\/+$/, "")}/tmux-${system.uid ?? 0}`;
}

export interface ServersFound {
  running: RunningServer[];
  /** Sockets whose server did not answer in time. */
  hung: string[];
}

/** The servers that answer: the one we are in comes first, then the default one, then the others of this user. */
export async function findServers(system: System, limitMs: number): Promise<RunningServer[]> {
  return (await lookForServers(system, limitMs)).running;
}

/** The same, with those that do not answer. */
export async function lookForServers(system: System, limitMs: number): Promise<ServersFound> {
  const folder = socketFolder(system);
  const others = namesIn(system, folder).sort().map((name) => `${folder}/${name}`);
  const inside = connect(system).socket;
  const sockets = [...new Set([...(inside ? [inside] : []), `${folder}/default`, ...others])];
  const asked = await Promise.all(sockets.map((socket) => askServer(system, socket, limitMs)));
  return {
    running: asked.filter((server) => server !== null && server !== "hung"),
    hung: sockets.filter((_socket, index) => asked[index] === "hung"),
  };
}

async function askServer(
  system: System,
  socket: string,
  limitMs: number,
): Promise<RunningServer | "hung" | null> {
  const tmux = { system, socket };
  try {
    if (system.files.stat(socket)?.kind !== "other") return null;
    const printed = await runTmux(tmux, [["display-message", "-p", "#{version}\n#{config_files}"]], limitMs);
    const [version, files = ""] = printed.trimEnd().split("\n");
    const configFiles = files.split(",").filter((path) => path !== "");
    return version === "" ? null : { tmux, socket, version, configFiles };
  } catch (error) {
    return error instanceof TmuxError && error.kind === "timeout" ? "hung" : null;
  }
}

/** What `tmux -V` says, without the word tmux; null when there is no tmux on PATH. */
export async function installedVersion(system: System, limitMs: number): Promise<string | null> {
  try {
    const ran = await system.run("tmux", ["-V"], { limitMs });
    return ran.code === 0 ? ran.stdout.trim().replace(/^tmux /, "") : null;
  } catch {
    return null;
  }
}

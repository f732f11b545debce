// The tmux servers of this user that answer. None is ever started.
import type { System } from "../system/system.ts";
import { connect, runTmux, type Tmux } from "./client.ts";

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

/** The server one is in comes first, then the default one, then the others of this user. */
export async function findServers(system: System, limitMs: number): Promise<RunningServer[]> {
  const folder = socketFolder(system);
  const others = system.files.list(folder).sort().map((name) => `${folder}/${name}`);
  const inside = connect(system).socket;
  const sockets = [...new Set([...(inside ? [inside] : []), `${folder}/default`, ...others])];
  const asked = await Promise.all(sockets.map((socket) => askServer(system, socket, limitMs)));
  return asked.filter((server) => server !== null);
}

async function askServer(system: System, socket: string, limitMs: number): Promise<RunningServer | null> {
  if (system.files.stat(socket)?.kind !== "other") return null;
  const tmux = { system, socket };
  try {
    const printed = await runTmux(tmux, [["display-message", "-p", "#{version}\n#{config_files}"]], limitMs);
    const [version, files = ""] = printed.trimEnd().split("\n");
    return version === ""
      ? null
      : { tmux, socket, version, configFiles: files.split(",").filter((path) => path !== "") };
  } catch {
    return null;
  }
}

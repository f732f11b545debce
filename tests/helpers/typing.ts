// A pane asked and typed into as revive does it, with the sources themselves.
import { realSystem } from "../../src/system/real.ts";
import type { Tmux } from "../../src/tmux/client.ts";
import { listPanes, type Pane } from "../../src/tmux/panes.ts";
import { type PromptState, promptState } from "../../src/tmux/prompt.ts";
import { type Typed, typeLine } from "../../src/tmux/typing.ts";
import { until } from "./poll.ts";
import type { SessionOptions, TmuxServer } from "./tmux_server.ts";

export const system = realSystem();

export function tmuxOf(server: TmuxServer): Tmux {
  return { system, socket: server.socketPath };
}

/** A new tmux session of 200 columns and 50 rows also on tmux 3.2a, which makes detached ones smaller. */
export async function wideSession(server: TmuxServer, options: SessionOptions = {}): Promise<string> {
  const id = await server.newSession(options);
  await server.run("resize-window", "-t", id, "-x", "200", "-y", "50");
  return id;
}

export async function paneOf(server: TmuxServer, id: string): Promise<Pane> {
  const found = (await listPanes(tmuxOf(server))).panes.find((pane) => pane.pane_id === id);
  if (!found) throw new Error(`There is no pane ${id}`);
  return found;
}

export async function stateOf(server: TmuxServer, id: string): Promise<PromptState> {
  return await promptState(system, await paneOf(server, id), system.processes.all());
}

/** Waits until the pane is ready, or is refused for this reason. */
export async function untilState(server: TmuxServer, id: string, wanted: string): Promise<PromptState> {
  let last: PromptState | null = null;
  try {
    return await until(`pane ${id} to be ${wanted}`, async () => {
      last = await stateOf(server, id);
      return (last.ready ? "ready" : last.because) === wanted && last;
    });
  } catch (error) {
    throw new Error(`${(error as Error).message} ${Deno.inspect(last)}\n${await server.capture(id)}`);
  }
}

/** Types a line once the pane is at its prompt. */
export async function typeAt(
  server: TmuxServer,
  id: string,
  line: string,
  options = { enter: false },
): Promise<Typed> {
  const state = await untilState(server, id, "ready");
  const { shell, shellPid } = state.ready ? state : {};
  return await typeLine(tmuxOf(server), await paneOf(server, id), line, { ...options, shell, shellPid });
}

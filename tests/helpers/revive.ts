// What the tests of revive share: a server whose Claudes are tracked, and the key pressed for a pane.
import { exitClaude, prompt, sessionOf, startClaude } from "./panes.ts";
import { until } from "./poll.ts";
import { runBin, type RunResult } from "./run_bin.ts";
import { type SessionOptions, startServer, type TmuxServer } from "./tmux_server.ts";

/** The JSON of the command, with its exit code. */
export interface Revived {
  code: number;
  outcome: string;
  rung: string | null;
  session_id: string | null;
  line: string | null;
  reason: string | null;
  message: string;
}

/** A server where the hook is registered. */
export async function hooked(conf = ""): Promise<TmuxServer> {
  const server = await startServer({ conf });
  await server.scratch.registerHooks();
  return server;
}

/** Runs us as a job of the server would: inside tmux, in no pane. */
export async function ours(server: TmuxServer, ...args: string[]): Promise<RunResult> {
  const [first] = await server.panes();
  const { TMUX_PANE: _pane, ...env } = await server.paneEnv(first.id);
  return await runBin(args, { env });
}

/** Presses the key for a pane. */
export async function revive(server: TmuxServer, pane: string, ...more: string[]): Promise<Revived> {
  const { code, stdout, stderr } = await ours(server, "revive", "--pane", pane, "--json", ...more);
  if (stdout === "") throw new Error(stderr);
  return { code, ...JSON.parse(stdout) };
}

/** A pane that held a prompted conversation and left it with /exit. */
export async function exited(
  server: TmuxServer,
  options: SessionOptions = {},
): Promise<{ pane: string; id: string }> {
  const pane = await server.newSession(options);
  await startClaude(server, pane);
  const id = await sessionOf(server, pane);
  await prompt(server, pane, "hello");
  await exitClaude(server, pane);
  return { pane, id };
}

/** Ends the pane's shell; with remain-on-exit the pane stays, dead. */
export async function endShell(server: TmuxServer, pane: string): Promise<void> {
  await server.sendLine(pane, "exit");
  await untilDead(server, pane);
}

export async function untilDead(server: TmuxServer, pane: string): Promise<void> {
  await until(
    `pane ${pane} to be dead`,
    async () => await server.paneFormat(pane, "#{pane_dead}") === "1",
  );
}

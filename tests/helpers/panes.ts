// What a person does with Claude in a pane, with the stand-in's answers waited for.
import { until, untilText } from "./poll.ts";
import { processTree } from "./processes.ts";
import type { TmuxServer } from "./tmux_server.ts";

/** The stand-in's registry entry. */
export interface RegistryEntry {
  pid: number;
  sessionId: string;
  cwd: string;
  name: string;
  nameSource?: string;
  status: string;
  waitingFor?: string;
  procStart: string;
  version: string;
}

/** Claude's empty input box: the prompt character, U+00A0, and the cursor behind them. */
export async function hasEmptyBox(server: TmuxServer, pane: string): Promise<boolean> {
  const [x, y] = (await server.paneFormat(pane, "#{cursor_x} #{cursor_y}")).split(" ").map(Number);
  const lines = (await server.run("capture-pane", "-p", "-t", pane)).split("\n");
  return x === 2 && /^[❯>]\u00a0$/.test(lines[y] ?? "");
}

export async function waitForBox(server: TmuxServer, pane: string): Promise<void> {
  try {
    await until(`Claude's empty input box in pane ${pane}`, () => hasEmptyBox(server, pane), 20_000);
  } catch (error) {
    throw new Error(`${(error as Error).message}. The screen there:\n${await server.capture(pane)}`);
  }
}

/** Types `claude ARGS` in a shell pane and waits for the input box; the SessionStart hooks have run by then. */
export async function startClaude(server: TmuxServer, pane: string, args = ""): Promise<void> {
  await server.sendLine(pane, `claude ${args}`.trim());
  await waitForBox(server, pane);
}

/** Sends a prompt and waits for the answer and the empty box. */
export async function prompt(server: TmuxServer, pane: string, text: string): Promise<void> {
  await server.sendLine(pane, text);
  await untilText(`the reply to "${text}"`, () => server.captureAll(pane), `MOCK-REPLY: ${text}`);
  await waitForBox(server, pane);
}

/** Types /exit and waits until the pane's Claude is gone. */
export async function exitClaude(server: TmuxServer, pane: string): Promise<void> {
  await server.sendLine(pane, "/exit");
  await until(`the end of Claude in pane ${pane}`, async () => (await findClaude(server, pane)) === null);
}

/** The pane's own Claude: the topmost process called claude at or below the pane's process. */
export async function claudePid(server: TmuxServer, pane: string): Promise<number> {
  const found = await findClaude(server, pane);
  if (found === null) throw new Error(`No Claude runs in pane ${pane}`);
  return found;
}

/** The registry entry of the pane's Claude (none before 2.1). */
export async function registryOf(server: TmuxServer, pane: string): Promise<RegistryEntry> {
  const path = `${server.scratch.config}/sessions/${await claudePid(server, pane)}.json`;
  // It is rewritten in place, so an empty read only means: look again.
  const text = await until(`the registry file ${path}`, () => Deno.readTextFile(path), 2_000);
  return JSON.parse(text);
}

/** The session id that the pane's Claude holds now. */
export async function sessionOf(server: TmuxServer, pane: string): Promise<string> {
  return (await registryOf(server, pane)).sessionId;
}

async function findClaude(server: TmuxServer, pane: string): Promise<number | null> {
  const top = Number(await server.paneFormat(pane, "#{pane_pid}"));
  const [own] = processTree(top).filter((line) => line.name === "claude" && line.state !== "Z");
  return own?.pid ?? null;
}

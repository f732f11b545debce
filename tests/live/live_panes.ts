// What a person does with the real Claude in a pane, each step waited for by what Claude shows and writes down.
import { type RegistryEntry, registryOf } from "../helpers/panes.ts";
import { until } from "../helpers/poll.ts";
import { runBin, type RunResult } from "../helpers/run_bin.ts";
import { readTranscript } from "../helpers/standin.ts";
import type { TmuxServer } from "../helpers/tmux_server.ts";

export { claudePid, registryOf, sessionOf } from "../helpers/panes.ts";

/** A cold start on a busy machine takes this long, in milliseconds. */
export const PATIENCE_MS = 180_000;

/** Waits for something that Claude does; a failure shows the pane. */
export async function untilIn<T>(
  server: TmuxServer,
  pane: string,
  what: string,
  condition: () => T | Promise<T>,
): Promise<T> {
  try {
    return await until(`${what} in pane ${pane}`, condition, PATIENCE_MS) as T;
  } catch (error) {
    throw new Error(`${(error as Error).message}. The pane:\n${await server.capture(pane)}`);
  }
}

/** The line where the cursor is. */
export async function cursorLine(server: TmuxServer, pane: string): Promise<string> {
  const row = Number(await server.paneFormat(pane, "#{cursor_y}"));
  return (await server.run("capture-pane", "-p", "-t", pane)).split("\n")[row] ?? "";
}

/** Idle: the cursor stands in the input box, which may show a suggestion, and the registry says so too. */
export async function waitForIdle(server: TmuxServer, pane: string): Promise<RegistryEntry> {
  return await untilIn(server, pane, "an idle Claude", async () => {
    const entry = await registryOf(server, pane);
    const inBox = (await cursorLine(server, pane)).startsWith("❯\u00a0") &&
      await server.paneFormat(pane, "#{cursor_x}") === "2";
    return inBox && entry.status === "idle" && entry;
  }) as RegistryEntry;
}

/** Waits until Claude is at work: what it streams is shown only when a line is whole. */
export async function waitForBusy(server: TmuxServer, pane: string): Promise<void> {
  const isBusy = async () => (await registryOf(server, pane)).status === "busy";
  await untilIn(server, pane, "a busy Claude", isBusy);
}

/** Waits until a text that `wanted` accepts is in the pane or above it. */
export function waitForText(server: TmuxServer, pane: string, wanted: RegExp): Promise<boolean> {
  return untilIn(server, pane, `${wanted}`, async () => wanted.test(await server.captureAll(pane)));
}

/** Types `claude ARGS` in a shell pane and waits until it is idle and stamped; gives its session id. */
export async function startClaude(server: TmuxServer, pane: string, args = ""): Promise<string> {
  await server.sendLine(pane, `claude ${args}`.trim());
  const { sessionId } = await waitForIdle(server, pane);
  await waitForStamp(server, pane, sessionId);
  return sessionId;
}

/** Claude shows its box before the hooks of its start are done: waits until ours has stamped the pane. */
export async function waitForStamp(server: TmuxServer, pane: string, id: string): Promise<void> {
  const stamped = async () => await server.paneFormat(pane, "#{@tmuxclaude_session}") === id;
  await untilIn(server, pane, `the stamp ${id}`, stamped);
}

/** Types a line into Claude's box, and Enter once it stands there: an Enter that comes at once may be taken as pasted. */
export async function say(server: TmuxServer, pane: string, text: string): Promise<void> {
  await server.type(pane, text);
  const end = text.slice(-20);
  await untilIn(server, pane, `"${end}"`, async () => (await server.capture(pane)).includes(end));
  await server.press(pane, "Enter");
}

/** Presses a key until it has worked: a picker that is just opening takes none. */
export async function pressUntil(
  server: TmuxServer,
  pane: string,
  key: string,
  condition: () => Promise<boolean>,
): Promise<void> {
  await untilIn(server, pane, `what ${key} does`, async () => {
    if (await condition()) return true;
    await server.press(pane, key);
    return await until("the answer", condition, 5_000).catch(() => false);
  });
}

/** Sends a prompt and waits for the mock's reply, the idle box, and the transcript that will survive a crash. */
export async function ask(server: TmuxServer, pane: string, text: string): Promise<void> {
  await say(server, pane, text);
  await waitForText(server, pane, new RegExp(`MOCK-REPLY: ${text}`));
  const { sessionId } = await waitForIdle(server, pane);
  const isWritten = async () => (await readTranscript(server, sessionId)).includes(`MOCK-REPLY: ${text}`);
  await untilIn(server, pane, "the reply in the transcript", isWritten);
}

/** Types /clear and waits for the new id, which it gives. */
export async function clear(server: TmuxServer, pane: string): Promise<string> {
  const before = (await registryOf(server, pane)).sessionId;
  await say(server, pane, "/clear");
  const changed = async () => (await registryOf(server, pane)).sessionId !== before;
  await untilIn(server, pane, "a new session id", changed);
  const { sessionId } = await waitForIdle(server, pane);
  await waitForStamp(server, pane, sessionId);
  return sessionId;
}

/** Types /exit and waits until the pane's Claude is gone. */
export async function exitClaude(server: TmuxServer, pane: string): Promise<void> {
  const entry = await registryOf(server, pane);
  await say(server, pane, "/exit");
  await untilIn(server, pane, "the end of Claude", () => !isThere(entry));
}

/** Kills the pane's Claude as a crash would. */
export async function kill9Claude(server: TmuxServer, pane: string): Promise<void> {
  const entry = await registryOf(server, pane);
  Deno.kill(entry.pid, "SIGKILL");
  await untilIn(server, pane, "the end of Claude", () => !isThere(entry));
}

/** Whether this very process is there, not another one with its id. */
function isThere({ pid, procStart }: RegistryEntry): boolean {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`).replace(/^.*\) /, "").split(" ");
    return stat[0] !== "Z" && stat[19] === procStart;
  } catch {
    return false;
  }
}

/** Runs tmuxclaude as from a shell in the first pane. */
export async function ours(server: TmuxServer, ...args: string[]): Promise<RunResult> {
  const [first] = await server.panes();
  return await runBin(args, { env: await server.paneEnv(first.id) });
}

/** The same for a command with --json. */
// deno-lint-ignore no-explicit-any -- the caller knows the shape and asserts it
export async function oursJson(server: TmuxServer, ...args: string[]): Promise<any> {
  const { stdout, stderr, code } = await ours(server, ...args, "--json");
  if (stdout === "") throw new Error(`${args.join(" ")}: exit ${code}, nothing on stdout. ${stderr}`);
  return JSON.parse(stdout);
}

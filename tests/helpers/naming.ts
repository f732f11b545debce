// A server whose windows push their names, as an installed tmuxclaude would set it up.
import { nameConf } from "../../src/tmux/name_conf.ts";
import { prompt, startClaude } from "./panes.ts";
import { until, untilText } from "./poll.ts";
import { startServer, type TmuxServer } from "./tmux_server.ts";

export interface NamingServer {
  server: TmuxServer;
  /** How often tmux has started our program for a rename. */
  started(): Promise<number>;
}

/**
 * A server with Claude's hooks registered and our lines loaded; starts of the program by tmux are counted. With
 * `countOnly` a start does nothing else.
 */
export async function startNaming(
  options: { countOnly?: boolean } = {},
): Promise<NamingServer & AsyncDisposable> {
  const server = await startServer();
  const { scratch } = server;
  await scratch.registerHooks();
  const log = `${scratch.root}/starts.log`;
  // The name hurts on purpose: it has to survive tmux's and sh's quoting.
  const bin = `${scratch.bin}/it's $HOME; #{pane_id} "tmuxclaude"`;
  const rest = options.countOnly ? "" : `exec '${scratch.program}' "$@"\n`;
  await Deno.writeTextFile(bin, `#!/bin/sh\necho "$@" >>'${log}'\n${rest}`, { mode: 0o755 });
  await Deno.writeTextFile(`${scratch.root}/names.conf`, nameConf({ bin }));
  await server.newSession({ session: "keep" });
  await server.run("source-file", `${scratch.root}/names.conf`);
  return {
    server,
    started: async () => (await Deno.readTextFile(log).catch(() => "")).split("\n").length - 1,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A new window with a Claude in it. */
export async function windowWithClaude(server: TmuxServer, name?: string, folder?: string): Promise<string> {
  const [first] = await server.panes();
  const pane = await server.newWindow(first.id, { name, folder });
  await startClaude(server, pane);
  return pane;
}

export async function titleOf(server: TmuxServer, pane: string): Promise<string> {
  return await server.paneFormat(pane, "#{pane_title}");
}

export async function windowNameOf(server: TmuxServer, pane: string): Promise<string> {
  return await server.paneFormat(pane, "#{window_name}");
}

/** Renames the pane's window as `prefix + ,` does. */
export async function renameWindow(server: TmuxServer, pane: string, name: string): Promise<void> {
  const text = name.replaceAll("#", "##").replace(/;$/, "\\;");
  await server.run("rename-window", "-t", await server.paneFormat(pane, "#{window_id}"), "--", text);
}

/** Waits until the conversation and its window have the name. */
export async function untilNamed(server: TmuxServer, pane: string, name: string): Promise<void> {
  await untilText(`the title "${name}"`, () => titleOf(server, pane), new RegExp(`^\\S+ ${name}$`), 20_000);
  await untilText(`the window name "${name}"`, () => windowNameOf(server, pane), new RegExp(`^${name}$`));
}

async function pendingPushes(server: TmuxServer): Promise<string> {
  const folder = `${server.scratch.state}/pending`;
  const files = await Array.fromAsync(Deno.readDir(folder)).catch(() => []);
  return (await Promise.all(files.map((file) => Deno.readTextFile(`${folder}/${file.name}`)))).join("\n");
}

/** Waits until a push waits for the next prompt. */
export async function untilPending(server: TmuxServer, pane: string, name: string): Promise<void> {
  await untilText(`a push of "${name}" that waits`, () => pendingPushes(server), `"name":"${name}"`, 20_000);
  await untilText(`the window name "${name}"`, () => windowNameOf(server, pane), new RegExp(`^${name}$`));
}

/** Waits until the conversation has the name, by itself or, when the name waits for it, with the next prompt. */
export async function untilNamedOrPrompted(server: TmuxServer, pane: string, name: string): Promise<void> {
  const named = async () => (await titleOf(server, pane)).endsWith(` ${name}`);
  const waits = async () => (await pendingPushes(server)).includes(`"name":"${name}"`);
  await until(`the name "${name}", now or waiting`, async () => await named() || await waits(), 30_000);
  if (!await named()) await prompt(server, pane, "go on");
  await untilNamed(server, pane, name);
}

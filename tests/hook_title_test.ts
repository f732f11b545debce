// Titles that travel in the hook's answer: no keystroke is sent.
import { ok, strictEqual } from "node:assert/strict";
import { exitClaude, prompt, sessionOf, startClaude } from "./helpers/panes.ts";
import { untilText } from "./helpers/poll.ts";
import { runBin } from "./helpers/run_bin.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

Deno.test("a window that was named before the launch gives the conversation its title at the start", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const pane = await server.newSession({ name: "api work" });
  await startClaude(server, pane);
  await untilText("the title", () => server.paneFormat(pane, "#{pane_title}"), "✳ api-work");
  strictEqual(await server.paneFormat(pane, "#{window_name}"), "api-work");
  await prompt(server, pane, "hello");
  strictEqual(await server.paneFormat(pane, "#{pane_title}"), "✳ api-work");
});

Deno.test("a window without a name of its own gives none", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const pane = await server.newSession();
  await startClaude(server, pane);
  strictEqual(await server.paneFormat(pane, "#{pane_title}"), "✳ Claude Code");
  for (const { stdout } of await server.scratch.hookOutputs()) strictEqual(stdout, "");
});

Deno.test("a second Claude in the window, in any of its panes, leaves the window's name alone", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const first = await server.newSession({ name: "api" });
  const second = await server.split(first);
  await startClaude(server, second);
  await untilText("the title", () => server.paneFormat(second, "#{pane_title}"), "✳ api");
  await startClaude(server, first);
  strictEqual(await server.paneFormat(first, "#{pane_title}"), "✳ Claude Code");
  strictEqual(await server.paneFormat(first, "#{window_name}"), "api");
});

/** A window "api" with two panes: the conversation in the first has its name, the one in the second has none. */
async function shared(server: TmuxServer) {
  await server.scratch.registerHooks();
  const open = async () => {
    const first = await server.newSession({ name: "api" });
    return { first, second: await server.split(first) };
  };
  const { first, second } = await open();
  for (const pane of [first, second]) {
    await startClaude(server, pane);
    await prompt(server, pane, "hello");
  }
  strictEqual(await server.paneFormat(first, "#{pane_title}"), "✳ api");
  return { first, second, id: await sessionOf(server, second), open };
}

Deno.test("after a crash the pane that comes first does not take the window's name from the one that has it", async () => {
  await using server = await startServer();
  const { first, id, open } = await shared(server);
  const ours = async (command: string) => {
    const [{ id: pane }] = await server.panes();
    strictEqual((await runBin([command], { env: await server.paneEnv(pane) })).code, 0);
  };
  await ours("manifest");
  await server.kill9();
  await server.restart();
  const again = await open();
  await ours("restore");
  await startClaude(server, again.second, `--resume ${id}`);
  ok(!(await server.paneFormat(again.second, "#{pane_title}")).includes("api"));
  strictEqual(await server.paneFormat(first, "#{window_name}"), "api");
});

Deno.test("a window's name stays with the conversation that ended in one of its panes", async () => {
  await using server = await startServer();
  const { first, second, id } = await shared(server);
  for (const pane of [first, second]) await exitClaude(server, pane);
  await startClaude(server, second, `--resume ${id}`);
  ok(!(await server.paneFormat(second, "#{pane_title}")).includes("api"));
  strictEqual(await server.paneFormat(first, "#{window_name}"), "api");
});

Deno.test("a conversation that had the window's name earlier, or any name in a window called *, holds none back", async () => {
  await using server = await startServer();
  const { first, second } = await shared(server);
  await server.sendLine(first, "/rename other");
  await prompt(server, first, "hello again");
  await exitClaude(server, first);
  for (const name of ["api", "a*"]) {
    await server.run("rename-window", "-t", second, name);
    await exitClaude(server, second);
    await startClaude(server, second);
    const title = name === "api" ? "✳ api" : "✳ a";
    strictEqual(await server.paneFormat(second, "#{pane_title}"), title);
  }
});

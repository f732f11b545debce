// Titles that travel in the hook's answer: no keystroke is sent.
import { strictEqual } from "node:assert/strict";
import { prompt, startClaude } from "./helpers/panes.ts";
import { untilText } from "./helpers/poll.ts";
import { startServer } from "./helpers/tmux_server.ts";

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

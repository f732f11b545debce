// The menu of candidates: text from others stays text, a choice binds and types.
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { menuCommand } from "../src/tmux/menu.ts";
import { exitClaude, prompt, sessionOf, startClaude } from "./helpers/panes.ts";
import { until, untilText } from "./helpers/poll.ts";
import { exited, hooked, ours } from "./helpers/revive.ts";
import { runBin } from "./helpers/run_bin.ts";
import { exists } from "./helpers/standin.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

Deno.test("menuCommand() doubles what tmux would expand and gives each item its key", () => {
  const command = menuCommand("%1", "/dev/pts/1", "Which?", [{
    label: "-#(touch x)\n",
    words: ["a#b", '"$x"'],
  }]);
  deepStrictEqual(command.slice(-3), [
    "1  -##(touch x) ",
    "1",
    'run-shell -b "a####b \\"\\$x\\" >/dev/null 2>&1 || true"',
  ]);
});

/** A client on a terminal of its own (another tmux server's pane): menus are drawn only for clients. */
async function attach(
  server: TmuxServer,
  outer: TmuxServer,
  columns = 100,
): Promise<{ screen: string; client: string }> {
  const { TMUX: _inner, ...env } = server.scratch.env;
  const words = Object.entries(env).map(([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'`);
  const screen = await outer.newSession();
  await outer.run("resize-window", "-t", screen, "-x", String(columns), "-y", "20");
  await outer.sendLine(screen, `env -i ${words.join(" ")} tmux -L ${server.socketName} attach`);
  const client = await until(
    "a client",
    async () => await server.run("list-clients", "-F", "#{client_name}"),
  );
  return { screen, client };
}

Deno.test("choosing a candidate binds the pane to it and types its line; a hostile title is only shown", async () => {
  await using server = await startServer();
  await using outer = await startServer();
  await server.scratch.registerHooks();
  const folder = await server.scratch.folder("project");
  const pane = await server.newSession({ folder });
  await startClaude(server, pane);
  const id = await sessionOf(server, pane);
  await prompt(server, pane, "hello");
  const canary = `${server.scratch.root}/canary`;
  await server.sendLine(pane, `/rename #(touch ${canary}) $(touch ${canary}) "; touch ${canary}`);
  await until("the rename", async () => (await server.captureAll(pane)).includes("Session renamed"));
  await exitClaude(server, pane);

  const fresh = await server.newWindow(pane, { folder });
  const { screen, client } = await attach(server, outer);
  await server.run("select-window", "-t", fresh);
  const shown = await runBin(["revive", "--menu", "--pane", fresh, "--client", client], {
    env: await server.paneEnv(pane),
  });
  strictEqual(shown.code, 0, shown.stderr);
  await untilText("the menu", () => outer.capture(screen), "Which conversation?");
  match(await outer.capture(screen), /#\(touch/);
  await outer.press(screen, "1");
  await untilText("the line", () => server.capture(fresh), new RegExp(`claude --resume ${id}`));
  strictEqual(await server.paneFormat(fresh, "#{@tmuxclaude_session}"), id);
  ok(!await exists(canary));
});

Deno.test("in a narrow client a candidate still shows its key, its name and its age", async () => {
  await using server = await hooked();
  await using outer = await startServer();
  const folder = await server.scratch.folder("project");
  const { pane, id } = await exited(server, { folder });
  const fresh = await server.newWindow(pane, { folder });
  const { screen, client } = await attach(server, outer, 40);
  await server.run("select-window", "-t", fresh);
  strictEqual((await ours(server, "revive", "--menu", "--pane", fresh, "--client", client)).code, 0);
  await untilText("the menu", () => outer.capture(screen), "Which conversation?");
  match(await outer.capture(screen), new RegExp(`1  ${id.slice(0, 8)}, (just now|\\d+ (s|min) o)`));
});

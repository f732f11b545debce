// The helpers themselves: a test that fails because of its helpers costs more than these.
import assert from "node:assert/strict";
import { buildLayout, crashAndRebuild, planLayout } from "./layout.ts";
import { until } from "./poll.ts";
import { runBin } from "./run_bin.ts";
import { startServer } from "./tmux_server.ts";
import { waitForBox } from "./panes.ts";
import { isAlive } from "./processes.ts";

Deno.test("a layout of 40 panes comes back the same after kill -9", async () => {
  await using server = await startServer();
  const plan = await planLayout(server.scratch, { sessions: 10, windows: 2, panes: 2, sharing: 4 });
  const look = async () =>
    (await server.panes()).map((
      { session, window, windowName, pane, folder },
    ) => [session, window, windowName, pane, folder]);
  const before = await buildLayout(server, plan);
  const seen = await look();
  await Promise.all(before.map((pane) => server.sendLine(pane, "claude")));
  for (const pane of before) await waitForBox(server, pane);
  const pid = await server.pid();
  const after = await crashAndRebuild(server, plan);
  assert.deepEqual(await look(), seen);
  assert.notEqual(await server.pid(), pid);
  assert.equal(new Set(after).size, 40);
  assert.deepEqual(
    await Promise.all(after.map((pane) => server.paneFormat(pane, "#{pane_current_path}"))),
    plan.map((p) => p.folder),
  );
});

for (const shell of ["bash", "zsh", "fish", "dash"] as const) {
  Deno.test(`a ${shell} pane has the scratch environment and nothing of the caller's`, async () => {
    Deno.env.set("XDG_LEAK", "/leaked");
    await using server = await startServer();
    Deno.env.delete("XDG_LEAK");
    const pane = await server.newSession({ shell, folder: await server.scratch.folder("a folder;") });
    await server.sendLine(pane, `env > "$HOME/env"; pwd >> "$HOME/env"`);
    const text = await until("the environment", async () => {
      const written = await Deno.readTextFile(`${server.scratch.home}/env`);
      return written.endsWith("a folder;\n") && `\n${written}`;
    });
    const names = text.split("\n").map((line) => line.split("=")[0]);
    const own = ["TMUXCLAUDE_DENO", "TMUXCLAUDE_CACHE_DIR"];
    assert.deepEqual(
      names.filter((name) => /^(CLAUDE|XDG_|TMUXCLAUDE_)/.test(name) && !own.includes(name)),
      [],
    );
    const { TMUX, TMUX_PANE } = await server.paneEnv(pane);
    assert.ok(text.includes(`\nTMUX=${TMUX}\n`) && text.includes(`\nTMUX_PANE=${TMUX_PANE}\n`), text);
  });
}

Deno.test("disposing takes away the server, its socket and its scratch, also after kill -9", async () => {
  await using server = await startServer(); // disposing twice does no harm
  const pid = await server.pid();
  await server.kill9();
  await server[Symbol.asyncDispose]();
  assert.throws(() => Deno.statSync(server.scratch.root), Deno.errors.NotFound);
  assert.ok(!isAlive(pid));
});

Deno.test("runBin runs the program under test", async () => {
  await using server = await startServer();
  const { code, stdout, stderr } = await runBin(["--version"], { env: server.scratch.env });
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^tmuxclaude \d/);
});

Deno.test("until says what it waited for and what it saw last", async () => {
  await assert.rejects(until("a miracle", () => 0, 30), /Waited 30 ms for a miracle\. Last seen: 0/);
});

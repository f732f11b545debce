// The promise, whole: many panes, kill -9, the layout again, one key in each pane.
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { buildLayout, crashAndRebuild, planLayout } from "./helpers/layout.ts";
import { prompt, sessionOf, startClaude } from "./helpers/panes.ts";
import { runBin } from "./helpers/run_bin.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

async function ours(server: TmuxServer, args: string[]) {
  const [first] = await server.panes();
  return await runBin(args, { env: await server.paneEnv(first.id) });
}

/** Starts a Claude in each pane, prompts it, and returns the ids in the order of the panes. */
async function converse(server: TmuxServer, panes: string[]): Promise<string[]> {
  await Promise.all(panes.map((pane) => startClaude(server, pane)));
  await Promise.all(panes.map((pane) => prompt(server, pane, "hello")));
  return await Promise.all(panes.map((pane) => sessionOf(server, pane)));
}

Deno.test("40 panes in 10 tmux sessions get their own conversation back after kill -9, none twice, nothing executed", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const plan = await planLayout(server.scratch, { sessions: 10, windows: 2, panes: 2, sharing: 6 });
  const ids = await converse(server, await buildLayout(server, plan));
  strictEqual((await ours(server, ["manifest"])).code, 0);
  const starts = (await server.scratch.claudeStarts()).length;

  const panes = await crashAndRebuild(server, plan);
  const restored = await ours(server, ["restore", "--json"]);
  strictEqual(restored.code, 0, restored.stderr);
  const again = await ours(server, ["restore", "--json"]);
  strictEqual(JSON.parse(again.stdout).outcome, "already restored");
  const typed = await reviveAll(server, panes);

  deepStrictEqual(typed.map((one) => one.session_id), ids);
  strictEqual(new Set(typed.map((one) => one.session_id)).size, 40);
  for (const one of typed) ok(one.outcome === "typed" && one.rung === "stamp", JSON.stringify(one));
  for (const [index, pane] of panes.entries()) {
    ok(
      (await server.capture(pane)).replaceAll(/\s/g, "").endsWith(`claude--resume${ids[index]}`),
      await server.capture(pane),
    );
  }
  strictEqual((await server.scratch.claudeStarts()).length, starts);
});

interface Revived {
  outcome: string;
  rung: string;
  session_id: string;
  line: string;
}

async function reviveAll(server: TmuxServer, panes: string[]): Promise<Revived[]> {
  const results: Revived[] = [];
  for (const pane of panes) {
    const done = await ours(server, ["revive", "--pane", pane, "--json"]);
    strictEqual(done.code, 0, `${pane}: ${done.stdout}${done.stderr}`);
    results.push(JSON.parse(done.stdout));
  }
  return results;
}

// A hundred panes through the real tmux-resurrect. The Claudes are stand-ins: a hundred real ones want 30 GB.
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { buildLayout, planLayout } from "../helpers/layout.ts";
import { prompt, sessionOf, startClaude } from "../helpers/panes.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { startServer, type TmuxServer } from "../helpers/tmux_server.ts";
import { oursJson } from "./live_panes.ts";
import { crashAndRestore, noResurrect, resurrectConf, save, writeProfile } from "./plugins.ts";

/** Pane ids with the conversation that each holds, by address. */
async function stamps(server: TmuxServer): Promise<Record<string, string>> {
  const format = "#{session_name}:#{window_index}.#{pane_index} #{@tmuxclaude_session}";
  const lines = (await server.run("list-panes", "-a", "-F", format)).split("\n");
  return Object.fromEntries(lines.map((line) => [line.slice(0, -37), line.slice(-36)]).sort());
}

Deno.test({
  name: "100 panes in 10 tmux sessions keep their conversations through saves and two crashes",
  ignore: noResurrect,
}, async () => {
  const scratch = await makeScratch();
  await scratch.registerHooks();
  await writeProfile(scratch);
  await using server = await startServer({ scratch, conf: resurrectConf(scratch) });
  const layout = await planLayout(scratch, { sessions: 10, windows: 5, panes: 2, sharing: 30 });
  // resurrect cannot restore the windows of a tmux session with a backslash in its name, and tmux puts one before "$".
  const plan = layout.map((pane) => ({ ...pane, session: pane.session.replaceAll(/[^\p{L}\p{N} ]/gu, "_") }));
  const panes = await buildLayout(server, plan);
  for (let from = 0; from < panes.length; from += 10) {
    const some = panes.slice(from, from + 10);
    await Promise.all(some.map((pane) => startClaude(server, pane)));
    await Promise.all(some.map((pane) => prompt(server, pane, "hello")));
  }
  const ids = await Promise.all(panes.map((pane) => sessionOf(server, pane)));
  const held = await stamps(server);
  deepStrictEqual(Object.values(held).toSorted(), ids.toSorted());

  await save(server);
  await crashAndRestore(server, 100);
  deepStrictEqual(await stamps(server), held);
  await save(server);
  await save(server);
  deepStrictEqual(await stamps(server), held);
  await crashAndRestore(server, 100);
  deepStrictEqual(await stamps(server), held);
  const listed = (await oursJson(server, "list")).panes;
  strictEqual(listed.filter((one: { state: string }) => one.state === "restored").length, 100);
});

// The promise with the real Claude Code: crash, comeback, one key, Enter, and the earlier turn is on the screen.
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { buildLayout, crashAndRebuild, planLayout } from "../helpers/layout.ts";
import { ask, ours, oursJson, sessionOf, startClaude, waitForIdle, waitForText } from "./live_panes.ts";
import { ignore, startLive } from "./real_claude.ts";

Deno.test({
  name: "a prompted Claude comes back with kill -9, restore, revive and Enter, same id, earlier turn shown",
  ignore,
}, async () => {
  await using live = await startLive();
  const { server, scratch } = live;
  const plan = await planLayout(scratch, { sessions: 1, windows: 1, panes: 2, sharing: 2 });
  const [one, two] = await buildLayout(server, plan);
  const ids = [await startClaude(server, one), await startClaude(server, two)];
  await ask(server, one, "what the first pane said");
  await ask(server, two, "what the second pane said");
  strictEqual((await ours(server, "manifest")).code, 0);

  const panes = await crashAndRebuild(server, plan);
  const restored = await oursJson(server, "restore");
  deepStrictEqual(restored.panes.map((row: { action: string }) => row.action), ["stamped", "stamped"]);
  strictEqual((await oursJson(server, "restore")).outcome, "already restored");
  for (const [index, pane] of panes.entries()) {
    const revived = await oursJson(server, "revive", "--pane", pane);
    strictEqual(revived.outcome, "typed", JSON.stringify(revived));
    strictEqual(revived.line, `claude --resume ${ids[index]}`);
    match(await server.capture(pane), new RegExp(`claude --resume ${ids[index]}$`));
  }
  for (const [index, pane] of panes.entries()) {
    await server.press(pane, "Enter");
    await waitForText(
      server,
      pane,
      new RegExp(`MOCK-REPLY: what the ${index ? "second" : "first"} pane said`),
    );
    await waitForIdle(server, pane);
    strictEqual(await sessionOf(server, pane), ids[index]);
  }
});

// A whole server of real Claudes relaunched by `restore --policy run`.
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { buildLayout, planLayout } from "../helpers/layout.ts";
import { until } from "../helpers/poll.ts";
import { isAlive } from "../helpers/processes.ts";
import {
  ask,
  claudePid,
  cursorLine,
  exitClaude,
  ours,
  oursJson,
  PATIENCE_MS,
  say,
  startClaude,
  untilIn,
  waitForText,
} from "./live_panes.ts";
import { ignore, type Live, makeConfigDir, startLive } from "./real_claude.ts";

const EXITED = [2, 5, 8, 11];
const WITH_FLAG = 3;
const WITH_CONFIG_DIR = 6;

/** Starts and prompts a Claude in a pane; gives its id. */
async function converse(live: Live, pane: string, index: number, configDir: string): Promise<string> {
  const { server } = live;
  if (index !== WITH_CONFIG_DIR) {
    const id = await startClaude(server, pane, index === WITH_FLAG ? "--model claude-haiku-4-5" : "");
    await ask(server, pane, `spoken ${index}`);
    return id;
  }
  await server.sendLine(pane, `CLAUDE_CONFIG_DIR="${configDir}" claude`);
  await untilIn(
    server,
    pane,
    "the input box",
    async () => (await cursorLine(server, pane)).startsWith("❯\u00a0"),
  );
  await say(server, pane, `spoken ${index}`);
  await waitForText(server, pane, new RegExp(`MOCK-REPLY: spoken ${index}`));
  return await server.paneFormat(pane, "#{@tmuxclaude_session}");
}

/** What the process of the pane's Claude was started with. */
async function launchOf(
  { server }: Live,
  pane: string,
): Promise<{ argv: string[]; configDir: string | null }> {
  const pid = await claudePid(server, pane);
  const read = async (name: string) => (await Deno.readTextFile(`/proc/${pid}/${name}`)).split("\0");
  const variable = (await read("environ")).find((entry) => entry.startsWith("CLAUDE_CONFIG_DIR="));
  return {
    argv: (await read("cmdline")).filter((word) => word !== ""),
    configDir: variable?.slice(18) ?? null,
  };
}

Deno.test({
  name: "restore --policy run: 8 live again with their ids, flags and config dir, 4 typed and waiting",
  ignore,
}, async () => {
  await using live = await startLive();
  const { server, scratch } = live;
  const configDir = await makeConfigDir(live, "other account's config");
  const plan = await planLayout(scratch, { sessions: 3, windows: 2, panes: 2, sharing: 4 });
  plan[11].folder = await scratch.folder("projects/11"); // 2.1.197 cannot work in one with a backslash
  const before = await buildLayout(server, plan);
  const ids: string[] = [];
  for (const [index, pane] of before.entries()) ids.push(await converse(live, pane, index, configDir));
  for (const index of EXITED) await exitClaude(server, before[index]);
  strictEqual((await ours(server, "manifest")).code, 0);
  const other = await claudePid(server, before[WITH_CONFIG_DIR]);
  await server.kill9();
  await until("the end of the Claude with its own config dir", () => !isAlive(other), PATIENCE_MS);
  await server.restart();
  const panes = await buildLayout(server, plan);
  const asked = live.api.requests.length;

  const restored = await oursJson(server, "restore", "--policy", "run", "--spacing", "1");
  const actions = new Map(restored.panes.map((row: Record<string, string>) => [row.pane_id, row]));
  deepStrictEqual(
    panes.map((pane, index) => [index, (actions.get(pane) as Record<string, string>)?.action]),
    panes.map((_, index) => [index, EXITED.includes(index) ? "typed" : "verified"]),
    JSON.stringify(restored.panes),
  );
  const listed = (await oursJson(server, "list")).panes;
  for (const [index, pane] of panes.entries()) {
    const { session_id, state } = listed.find((one: Record<string, string>) => one.pane_id === pane);
    strictEqual(session_id, ids[index]);
    if (EXITED.includes(index)) {
      strictEqual(state, "exited");
      match(await server.capture(pane), new RegExp(`claude --resume ${ids[index]}$`));
      continue;
    }
    strictEqual(state, "running");
    await waitForText(server, pane, new RegExp(`MOCK-REPLY: spoken ${index}`));
    const launch = await launchOf(live, pane);
    ok(launch.argv.includes(ids[index]), launch.argv.join(" "));
    strictEqual(launch.argv.join(" ").includes("haiku"), index === WITH_FLAG);
    strictEqual(launch.configDir, index === WITH_CONFIG_DIR ? configDir : null);
  }
  strictEqual(live.api.requests.length, asked);
  strictEqual((await oursJson(server, "restore", "--policy", "run")).outcome, "already restored");
});

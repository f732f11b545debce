// The hooks as `tmuxclaude install` writes them, called by the real Claude.
import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert/strict";
import type { TmuxServer } from "../helpers/tmux_server.ts";
import { ask, exitClaude, ours, startClaude, waitForIdle } from "./live_panes.ts";
import { ignore, startLive } from "./real_claude.ts";

const SETTINGS = '{\n  "hooks": {\n    "Stop": []\n  },\n  "cleanupPeriodDays": 90\n}\n';

/** Starts Claude in the pane, asks it something, ends it; gives its id. Nobody waits for a stamp. */
async function talkOnce(server: TmuxServer, pane: string, text: string): Promise<string> {
  await server.sendLine(pane, "claude");
  const { sessionId } = await waitForIdle(server, pane);
  await ask(server, pane, text);
  await exitClaude(server, pane);
  return sessionId;
}

Deno.test({
  name:
    "install: the next Claude is bound; uninstall: the settings are as before, and the one after is not bound",
  ignore,
}, async () => {
  await using live = await startLive();
  const { server, scratch } = live;
  const path = `${scratch.config}/settings.json`;
  await Deno.writeTextFile(path, SETTINGS);
  const pane = await server.newSession({ folder: await scratch.folder("projects/a") });
  // Claude writes the whole file anew at its first start: what it leaves is what has to come back.
  await talkOnce(server, pane, "zero");
  const before = await Deno.readTextFile(path);

  const installed = await ours(server, "install", "--yes");
  strictEqual(installed.code, 0, installed.stderr);
  const id = await startClaude(server, pane);
  await ask(server, pane, "one");
  const doctor = JSON.parse((await ours(server, "doctor", "--json")).stdout);
  deepStrictEqual(doctor.checks.filter((check: { level: string }) => check.level === "fail"), []);
  await exitClaude(server, pane);

  const removed = await ours(server, "uninstall", "--yes");
  strictEqual(removed.code, 0, removed.stderr);
  strictEqual(await Deno.readTextFile(path), before);
  notStrictEqual(await talkOnce(server, pane, "two"), id);
  strictEqual(await server.paneFormat(pane, "#{@tmuxclaude_session}"), id);
});

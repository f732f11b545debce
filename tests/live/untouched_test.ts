// A live Claude never gets a keystroke from revive, whatever state it is in.
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import {
  ask,
  claudePid,
  oursJson,
  registryOf,
  say,
  startClaude,
  untilIn,
  waitForBusy,
  waitForText,
} from "./live_panes.ts";
import { hookEvents, ignore, type Live, startLive } from "./real_claude.ts";
import { readProcess } from "../helpers/processes.ts";

/** Presses for each state; every press runs the program to its end. */
const PRESSES = 10;

/** What would show a keystroke: the screen without what moves by itself, the cursor, the mode, requests, events. */
async function traces(live: Live, pane: string) {
  const { server, api } = live;
  const place = await server.paneFormat(pane, "#{cursor_x} #{cursor_y} #{pane_mode} #{pane_title}");
  const events = (await hookEvents(live)).length;
  const withoutLogo = (await server.capture(pane)).replace(/^[^]*?(?=\n❯)/, "");
  const screen = withoutLogo.replaceAll(/^ {20,}.*$/gm, "").trimEnd(); // hints at the right come and go
  return { screen, place, requests: api.requests.length, events };
}

/** Revives again and again, also in the ways that are meant to insist. */
async function press(live: Live, pane: string): Promise<void> {
  for (let count = 0; count < PRESSES; count++) {
    const insist = count % 3 === 0 ? [] : count % 3 === 1 ? ["--enter"] : ["--enter", "--force"];
    const { outcome } = await oursJson(live.server, "revive", "--pane", pane, ...insist);
    strictEqual(outcome, "running");
  }
}

async function assertUntouched(live: Live, pane: string): Promise<void> {
  const before = await traces(live, pane);
  await press(live, pane);
  deepStrictEqual(await traces(live, pane), before);
}

async function world() {
  // Hints of Claude that come and go beside the box would look like changes.
  const live = await startLive({ conf: () => "set -g focus-events on\n" });
  const pane = await live.server.newSession({ folder: await live.scratch.folder("projects/a") });
  return { live, pane, server: live.server, scratch: live.scratch };
}

Deno.test({
  name: "revive sends nothing to an idle Claude, with a draft in its box, in copy mode, or suspended",
  ignore,
}, async () => {
  const { live, pane, server } = await world();
  await using _ = live;
  const id = await startClaude(server, pane);
  await ask(server, pane, "one");
  await assertUntouched(live, pane);

  await server.type(pane, "a draft");
  await waitForText(server, pane, /❯\u00a0a draft/);
  await assertUntouched(live, pane);

  await server.run("copy-mode", "-t", pane);
  await assertUntouched(live, pane);
  await server.run("copy-mode", "-q", "-t", pane);

  await server.press(pane, "C-u");
  await server.press(pane, "C-z");
  const pid = await claudePid(server, pane);
  await untilIn(server, pane, "a stopped Claude", () => readProcess(pid)?.state === "T");
  await untilIn(
    server,
    pane,
    "a prompt of the shell",
    async () => (await server.capture(pane)).endsWith("#"),
  );
  await assertUntouched(live, pane);
  const { message } = await oursJson(server, "revive", "--pane", pane);
  match(message, /suspended/);
  await server.sendLine(pane, "fg");
  await ask(server, pane, "two");
  strictEqual((await oursJson(server, "list")).panes[0].session_id, id);
});

Deno.test({ name: "revive answers no permission dialog", ignore }, async () => {
  const { live, pane, server, scratch } = await world();
  await using _ = live;
  await startClaude(server, pane, "--permission-mode default");
  await say(server, pane, `MOCK_BASH touch '${scratch.home}/approved'`);
  await waitForText(server, pane, /❯ 1\. Yes/);
  const answered = async () => (await traces(live, pane)).screen.includes("❯ 1. Yes");
  await press(live, pane);
  strictEqual(await answered(), true);
  strictEqual(await Deno.stat(`${scratch.home}/approved`).catch(() => null), null);
  deepStrictEqual(live.api.requests.filter(({ title }) => !title).length, 1);
});

Deno.test({ name: "revive disturbs no Claude at work", ignore }, async () => {
  const { live, pane, server } = await world();
  await using _ = live;
  await startClaude(server, pane);
  await say(server, pane, "MOCK_SLOW 30");
  await waitForBusy(server, pane);
  const before = await hookEvents(live);
  await press(live, pane);
  strictEqual((await registryOf(server, pane)).status, "busy");
  await waitForText(server, pane, /MOCK-SLOW-DONE/);
  deepStrictEqual(await hookEvents(live), before);
  strictEqual(live.api.requests.filter(({ title }) => !title).length, 1);
});

// A pane's Claude that goes on with another conversation by itself: the resume picker, a fork, /compact, /background.
import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert/strict";
import type { TmuxServer } from "../helpers/tmux_server.ts";
import {
  ask,
  exitClaude,
  kill9Claude,
  oursJson,
  pressUntil,
  registryOf,
  say,
  startClaude,
  untilIn,
  waitForIdle,
  waitForStamp,
  waitForText,
} from "./live_panes.ts";
import { hookEvents, ignore, startLive } from "./real_claude.ts";

async function world() {
  const live = await startLive();
  const pane = await live.server.newSession({ folder: await live.scratch.folder("projects/a") });
  return { live, pane, server: live.server };
}

async function chainOf(server: TmuxServer, pane: string): Promise<string[]> {
  return JSON.parse(await server.paneFormat(pane, "#{@tmuxclaude_binding}")).chain;
}

/** The id that the key would resume after a crash. */
async function offered(server: TmuxServer, pane: string): Promise<string> {
  await kill9Claude(server, pane);
  return await untilIn(server, pane, "an offer", async () => {
    const { outcome, session_id } = await oursJson(server, "revive", "--pane", pane, "--dry-run");
    return outcome === "would_type" && session_id;
  });
}

Deno.test({ name: "the picker moves the pane to the conversation that was picked", ignore }, async () => {
  const { live, pane, server } = await world();
  await using _ = live;
  const first = await startClaude(server, pane);
  await ask(server, pane, "one");
  await exitClaude(server, pane);
  const other = await server.newWindow(pane, {
    folder: await server.paneFormat(pane, "#{pane_current_path}"),
  });
  const second = await startClaude(server, other);
  await ask(server, other, "two");
  await say(server, other, "/resume");
  await waitForText(server, other, /❯ one/);
  await pressUntil(server, other, "Enter", async () => (await registryOf(server, other)).sessionId === first);
  await waitForStamp(server, other, first);
  strictEqual((await waitForIdle(server, other)).sessionId, first);
  deepStrictEqual(await chainOf(server, other), [second]);
  strictEqual(await offered(server, other), first);
});

Deno.test({ name: "a fork is the pane's as soon as it was prompted", ignore }, async () => {
  const { live, pane, server } = await world();
  await using _ = live;
  const first = await startClaude(server, pane);
  await ask(server, pane, "one");
  await exitClaude(server, pane);
  await server.sendLine(pane, `clear; claude --resume ${first} --fork-session`);
  const { sessionId: fork } = await waitForIdle(server, pane);
  notStrictEqual(fork, first);
  await ask(server, pane, "two");
  await waitForStamp(server, pane, fork);
  strictEqual(await offered(server, pane), fork);
});

Deno.test({ name: "/compact keeps the conversation", ignore }, async () => {
  const { live, pane, server } = await world();
  await using _ = live;
  const id = await startClaude(server, pane);
  for (const text of ["one", "two", "three"]) await ask(server, pane, text);
  await say(server, pane, "/compact");
  await untilIn(
    server,
    pane,
    "the event of the compaction",
    async () => (await hookEvents(live)).some(({ source }) => source === "compact"),
  );
  await waitForIdle(server, pane);
  await waitForStamp(server, pane, id);
  deepStrictEqual(await chainOf(server, pane), []);
  strictEqual(await offered(server, pane), id);
});

Deno.test({
  name: "/background leaves the pane what it held, and an attached session is a Claude that runs there",
  ignore,
}, async () => {
  const { live, pane, server } = await world();
  await using _ = live;
  const id = await startClaude(server, pane);
  await ask(server, pane, "one");
  await say(server, pane, "/background");
  await waitForText(server, pane, /claude stop \w/);
  await waitForStamp(server, pane, id);
  const [, short] = /claude attach (\w+)/.exec(await server.captureAll(pane))!;
  await server.sendLine(pane, `claude attach ${short}`);
  await untilIn(
    server,
    pane,
    "the attached session",
    async () => (await oursJson(server, "revive", "--pane", pane, "--dry-run")).outcome === "running",
  );
  strictEqual(await server.paneFormat(pane, "#{@tmuxclaude_session}"), id);
});

// What the key offers after every way in which a conversation can end.
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import {
  ask,
  clear,
  cursorLine,
  exitClaude,
  kill9Claude,
  oursJson,
  sessionOf,
  startClaude,
  untilIn,
  waitForIdle,
  waitForStamp,
  waitForText,
} from "./live_panes.ts";
import { ignore, type Live, startLive } from "./real_claude.ts";

async function world(conf = "") {
  const live = await startLive({ conf: () => conf });
  const folder = await live.scratch.folder("projects/a");
  const pane = await live.server.newSession({ folder });
  return { live, folder, pane, server: live.server, scratch: live.scratch };
}

const dryRun = ({ server }: Live, pane: string) => oursJson(server, "revive", "--pane", pane, "--dry-run");

/** Waits for the shell's prompt after a Claude ended; one that was killed leaves its screen behind it. */
async function waitForShell({ server }: Live, pane: string): Promise<void> {
  await untilIn(
    server,
    pane,
    "the shell's prompt",
    async () => /^\S*[$#]( |$)/.test(await cursorLine(server, pane)),
  );
}

/** Presses the key, then Enter, and waits for the id; what was said before is on the screen again. */
async function assertRevives(live: Live, pane: string, id: string, said: string): Promise<void> {
  const revived = await oursJson(live.server, "revive", "--pane", pane);
  deepStrictEqual([revived.outcome, revived.session_id], ["typed", id], JSON.stringify(revived));
  await live.server.press(pane, "Enter");
  await assertBack(live, pane, id, said);
}

async function assertBack({ server }: Live, pane: string, id: string, said: string): Promise<void> {
  await waitForIdle(server, pane);
  await waitForStamp(server, pane, id);
  strictEqual(await sessionOf(server, pane), id);
  const isShown = async () => (await server.capture(pane)).includes(`MOCK-REPLY: ${said}`);
  await untilIn(server, pane, "what was said", isShown);
}

Deno.test(
  { name: "after /exit, and after kill -9, the key brings the conversation back", ignore },
  async () => {
    const { live, pane, server } = await world();
    await using _ = live;
    const id = await startClaude(server, pane);
    await ask(server, pane, "one");
    await exitClaude(server, pane);
    await waitForShell(live, pane);
    await server.sendLine(pane, "clear");
    await assertRevives(live, pane, id, "one");
    await kill9Claude(server, pane);
    await waitForShell(live, pane);
    await assertRevives(live, pane, id, "one");
  },
);

Deno.test(
  { name: "after /clear twice without a prompt the key brings back what was said before", ignore },
  async () => {
    const { live, pane, server } = await world();
    await using _ = live;
    const id = await startClaude(server, pane);
    await ask(server, pane, "one");
    await clear(server, pane);
    await clear(server, pane);
    await kill9Claude(server, pane);
    await waitForShell(live, pane);
    await assertRevives(live, pane, id, "one");
  },
);

Deno.test(
  { name: "after /clear and a prompt the key brings back the later conversation", ignore },
  async () => {
    const { live, pane, server } = await world();
    await using _ = live;
    await startClaude(server, pane);
    await ask(server, pane, "one");
    const id = await clear(server, pane);
    await ask(server, pane, "two");
    await exitClaude(server, pane);
    await waitForShell(live, pane);
    await assertRevives(live, pane, id, "two");
  },
);

Deno.test({
  name: "never prompted: the line that is typed starts a Claude, and no resume that must fail",
  ignore,
}, async () => {
  const { live, pane, server } = await world();
  await using _ = live;
  for (const end of [kill9Claude, exitClaude]) {
    await startClaude(server, pane);
    await end(server, pane);
    await waitForShell(live, pane);
    const revived = await oursJson(server, "revive", "--pane", pane);
    strictEqual(revived.outcome, "typed", JSON.stringify(revived));
    await server.press(pane, "Enter");
    await waitForIdle(server, pane);
    await exitClaude(server, pane);
    await waitForShell(live, pane);
  }
});

Deno.test({
  name:
    "a transcript that is gone, and a conversation that is alive in another pane, are told and nothing is typed",
  ignore,
}, async () => {
  const { live, pane, folder, server, scratch } = await world();
  await using _ = live;
  const id = await startClaude(server, pane);
  await ask(server, pane, "one");
  await exitClaude(server, pane);
  await waitForShell(live, pane);
  const other = await server.split(pane, { folder });
  await startClaude(server, other, `--resume ${id}`);
  const before = await server.capture(pane);
  const alive = await oursJson(server, "revive", "--pane", pane);
  deepStrictEqual([alive.outcome, alive.reason, alive.session_id], ["refused", "alive-in-pane", id]);
  match(alive.message, new RegExp(other));
  strictEqual(await server.capture(pane), before);

  await exitClaude(server, other);
  await waitForShell(live, other);
  const moved = await oursJson(server, "revive", "--pane", pane);
  deepStrictEqual([moved.outcome, moved.reason], ["refused", "moved"]);
  for await (const { name } of Deno.readDir(`${scratch.config}/projects`)) {
    await Deno.remove(`${scratch.config}/projects/${name}/${id}.jsonl`);
  }
  const gone = await oursJson(server, "revive", "--pane", other);
  deepStrictEqual([gone.outcome, gone.reason], ["refused", "transcript-gone"]);
  strictEqual(await server.capture(pane), before);
});

Deno.test({
  name: "a dead pane starts again with its conversation, prompted, never prompted, or left by /exit",
  ignore,
}, async () => {
  // A login shell would read a PATH that knows nothing of this claude.
  const conf = 'set -g remain-on-exit on\nset -g default-command "bash --norc"\n';
  const { live, server, folder } = await world(conf);
  await using _ = live;
  const pane = await server.newSession({ folder, command: "claude" });
  const respawn = async (id: string) => {
    await untilIn(
      server,
      pane,
      "a dead pane",
      async () => await server.paneFormat(pane, "#{pane_dead}") === "1",
    );
    const { outcome, session_id } = await oursJson(server, "revive", "--pane", pane);
    deepStrictEqual([outcome, session_id], ["respawned", id]);
    return await waitForIdle(server, pane);
  };
  const { sessionId: id } = await waitForIdle(server, pane);
  await waitForStamp(server, pane, id);
  await kill9Claude(server, pane);
  strictEqual((await respawn(id)).sessionId, id);
  await waitForStamp(server, pane, id);

  await exitClaude(server, pane);
  await waitForShell(live, pane);
  await server.sendLine(pane, "exit");
  const anew = (await respawn(id)).sessionId; // its own id again, unless this Claude holds it for taken
  await waitForStamp(server, pane, anew);
  await ask(server, pane, "one");

  await exitClaude(server, pane);
  await waitForShell(live, pane);
  await server.sendLine(pane, "exit");
  await respawn(anew);
  await assertBack(live, pane, anew, "one");
});

Deno.test({
  name: "a folder that is gone: resumed from the nearest one where this Claude can, else told",
  ignore,
}, async () => {
  const { live, server, scratch } = await world();
  await using _ = live;
  const folder = await scratch.folder("projects/lost");
  const pane = await server.newSession({ folder });
  const id = await startClaude(server, pane);
  await ask(server, pane, "one");
  await exitClaude(server, pane);
  await waitForShell(live, pane);
  await server.sendLine(pane, "cd ..");
  const moved = async () => !(await server.paneFormat(pane, "#{pane_current_path}")).endsWith("lost");
  await untilIn(server, pane, "another folder", moved);
  await waitForShell(live, pane);
  await Deno.remove(folder);
  const answer = await dryRun(live, pane);
  if (answer.outcome === "refused") {
    strictEqual(answer.reason, "folder-gone");
    await server.sendLine(pane, `claude --resume ${id}`);
    await waitForText(server, pane, /No conversation found/);
  } else await assertRevives(live, pane, id, "one");
});

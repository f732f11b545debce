// The whole round with the real tmux-resurrect and continuum: save, kill -9, restore, revive.
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import {
  ask,
  exitClaude,
  oursJson,
  sessionOf,
  startClaude,
  untilIn,
  waitForIdle,
  waitForText,
} from "./live_panes.ts";
import {
  continuumConf,
  crashAndRestore,
  hideOtherServers,
  noContinuum,
  noResurrect,
  offers,
  resurrectConf,
  save,
  startPlain,
  untilRestored,
  writeProfile,
} from "./plugins.ts";
import { ignore, type Live, startLive } from "./real_claude.ts";

/** What stood at an address when the crash came. */
interface Held {
  address: string;
  folder: string;
  id: string;
  said: string;
}

const FOLDERS = ["shared", "two  spaces in it", 'it\'s "quoted" $HOME', "日本 語", "shared", "plain"];

/** Two tmux sessions with two windows of three panes each; every pane holds a prompted Claude. */
async function converse({ server, scratch }: Live): Promise<Held[]> {
  const held: Held[] = [];
  for (const session of ["work", "play time"]) {
    let last = "";
    for (const [index, name] of FOLDERS.entries()) {
      const folder = await scratch.folder(`projects/${name}`);
      const options = { folder, session, name: `window ${index}` };
      if (index === 0) last = await server.newSession(options);
      else last = index % 3 ? await server.split(last, options) : await server.newWindow(last, options);
      const id = await startClaude(server, last);
      const said = `spoken ${session} ${index}`;
      await ask(server, last, said);
      held.push({ address: await addressOf(server, last), folder, id, said });
    }
  }
  return held;
}

async function addressOf(server: Live["server"], pane: string): Promise<string> {
  return await server.paneFormat(pane, "#{session_name}:#{window_index}.#{pane_index}");
}

function assertOffers(found: Awaited<ReturnType<typeof offers>>, held: Held[]): void {
  strictEqual(found.size, held.length);
  for (const { address, id } of held) {
    const { session_id, outcome, rung } = found.get(address) ?? {};
    deepStrictEqual([address, session_id, outcome, rung], [address, id, "would_type", "stamp"]);
  }
}

/** Enter in the pane at the address brings back what was said there. */
async function assertComesBack({ server }: Live, { address, id, said, folder }: Held): Promise<void> {
  const pane = (await offers(server)).get(address).pane;
  const revived = await oursJson(server, "revive", "--pane", pane);
  strictEqual(revived.outcome, "typed", JSON.stringify(revived));
  match(revived.line, new RegExp(`claude --resume ${id}$`));
  await server.press(pane, "Enter");
  await waitForText(server, pane, new RegExp(`MOCK-REPLY: ${said}`));
  const { sessionId, cwd } = await waitForIdle(server, pane);
  deepStrictEqual([sessionId, cwd], [id, folder]);
}

Deno.test({
  name:
    "12 Claudes saved and restored by tmux-resurrect are offered exactly, also after more saves and a second crash",
  ignore: ignore || noResurrect,
}, async () => {
  await using live = await startLive({ conf: resurrectConf });
  const { server, scratch } = live;
  await writeProfile(scratch);
  const held = await converse(live);
  const exited = (await server.panes())[2].id;
  await exitClaude(server, exited);
  await untilIn(
    server,
    exited,
    "no title",
    async () => await server.paneFormat(exited, "#{pane_title}") === "",
  );
  await save(server);
  await crashAndRestore(server, held.length);
  assertOffers(await offers(server), held);
  for (const { id: pane, session, window, pane: index } of await server.panes()) {
    const was = held.find(({ address }) => address === `${session}:${window}.${index}`)!;
    strictEqual(await server.paneFormat(pane, "#{pane_current_path}"), was.folder);
  }

  await save(server);
  await save(server);
  assertOffers(await offers(server), held);
  await crashAndRestore(server, held.length);
  assertOffers(await offers(server), held);
  for (const one of [held[1], held[2], held[11]]) await assertComesBack(live, one);
  match(await Deno.readTextFile(`${scratch.home}/user-hooks`), /post-save-all\n(.*\n)*post-restore-all/);
});

Deno.test({
  name: "continuum's restore in the background, with nobody attached, brings every identity back",
  ignore: ignore || noContinuum,
}, async () => {
  await using live = await startLive({ conf: continuumConf });
  const { server, scratch } = live;
  await writeProfile(scratch);
  await hideOtherServers(scratch);
  const folder = await scratch.folder("projects/one");
  const first = await server.newSession({ folder, session: "work" });
  const second = await server.split(first, { folder });
  const held: Held[] = [];
  for (const [index, pane] of [first, second].entries()) {
    const id = await startClaude(server, pane);
    await ask(server, pane, `spoken ${index}`);
    held.push({ address: await addressOf(server, pane), folder, id, said: `spoken ${index}` });
  }
  await save(server);
  await server.kill9();
  await startPlain(server);
  await untilRestored(server, 2);
  assertOffers(await offers(server), held);
  for (const one of held) await assertComesBack(live, one);
  strictEqual(await sessionOf(server, (await offers(server)).get(held[0].address).pane), held[0].id);
});

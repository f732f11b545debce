// Window names and conversation names as one handle, on the real Claude, in every state that it can be in.
import { ok, strictEqual } from "node:assert/strict";
import { nameConf } from "../../src/tmux/name_conf.ts";
import { renameWindow, titleOf, untilNamed, untilPending, windowNameOf } from "../helpers/naming.ts";
import type { TmuxServer } from "../helpers/tmux_server.ts";
import {
  ask,
  cursorLine,
  registryOf,
  say,
  startClaude,
  untilIn,
  waitForBusy,
  waitForIdle,
  waitForText,
} from "./live_panes.ts";
import { ignore, type LiveOptions, startLive } from "./real_claude.ts";

async function world(options: LiveOptions = {}) {
  const live = await startLive({ ...options, conf: ({ program }) => nameConf({ bin: program }) });
  const folder = await live.scratch.folder("projects/a");
  const pane = await live.server.newSession({ folder });
  return { live, folder, pane, server: live.server, scratch: live.scratch };
}

Deno.test({
  name: "a window that was named before the launch names the conversation, without a keystroke",
  ignore,
}, async () => {
  const { live, pane, folder, server } = await world();
  await using _ = live;
  const named = await server.newWindow(pane, { folder, name: "fix: the  login!" });
  await startClaude(server, named);
  await untilNamed(server, named, "fix-the-login");
  await ask(server, named, "one");
  await untilNamed(server, named, "fix-the-login");
});

Deno.test(
  { name: "a rename lands at once while Claude is idle, and while it is at work", ignore },
  async () => {
    const { live, pane, server } = await world();
    await using _ = live;
    await startClaude(server, pane);
    await renameWindow(server, pane, "idle");
    await untilNamed(server, pane, "idle");
    strictEqual((await registryOf(server, pane)).name, "idle");
    await say(server, pane, "MOCK_SLOW 10");
    await waitForBusy(server, pane);
    await renameWindow(server, pane, "busy");
    await untilNamed(server, pane, "busy");
    ok(!(await server.captureAll(pane)).includes("MOCK-SLOW-DONE"));
    await waitForText(server, pane, /MOCK-SLOW-DONE/);
  },
);

Deno.test(
  { name: "a draft, and copy mode, stay as they are, and the name comes with the prompt", ignore },
  async () => {
    const { live, pane, server } = await world();
    await using _ = live;
    await startClaude(server, pane);
    await server.type(pane, "my draft");
    await waitForText(server, pane, /❯\u00a0my draft/);
    await renameWindow(server, pane, "drafted");
    await untilPending(server, pane, "drafted");
    ok((await cursorLine(server, pane)).startsWith("❯\u00a0my draft"));
    await server.press(pane, "Enter");
    await waitForText(server, pane, /MOCK-REPLY: my draft/);
    await untilNamed(server, pane, "drafted");

    await waitForIdle(server, pane);
    await server.run("copy-mode", "-t", pane);
    await renameWindow(server, pane, "scrolled");
    await untilPending(server, pane, "scrolled");
    strictEqual(await server.paneFormat(pane, "#{pane_in_mode}"), "1");
    await server.run("copy-mode", "-q", "-t", pane);
    await ask(server, pane, "two");
    await untilNamed(server, pane, "scrolled");
  },
);

Deno.test({
  name: "dialogs, pickers and shell mode get no key, and the name comes with the next prompt",
  ignore,
}, async () => {
  const { live, pane, server, scratch } = await world();
  await using _ = live;
  await startClaude(server, pane, "--permission-mode default");
  await say(server, pane, `MOCK_BASH touch '${scratch.home}/approved'`);
  await waitForText(server, pane, /❯ 1\. Yes/);
  await renameWindow(server, pane, "asked");
  await untilPending(server, pane, "asked");
  ok((await server.capture(pane)).includes("❯ 1. Yes"));
  strictEqual(await Deno.stat(`${scratch.home}/approved`).catch(() => null), null);
  await server.press(pane, "Escape");
  await waitForIdle(server, pane);
  await ask(server, pane, "one");
  await untilNamed(server, pane, "asked");

  await say(server, pane, "/model");
  await waitForText(server, pane, /❯ \d\. /);
  await renameWindow(server, pane, "picked");
  await untilPending(server, pane, "picked");
  ok(/❯ \d\. /.test(await server.capture(pane)));
  await server.press(pane, "Escape");
  await waitForIdle(server, pane);
  await ask(server, pane, "two");
  await untilNamed(server, pane, "picked");

  await server.type(pane, "!");
  await untilIn(server, pane, "shell mode", async () => /^! ?/.test(await cursorLine(server, pane)));
  await renameWindow(server, pane, "shell");
  await untilPending(server, pane, "shell");
  await server.press(pane, "Escape");
  await waitForIdle(server, pane);
  await ask(server, pane, "three");
  await untilNamed(server, pane, "shell");
});

Deno.test(
  { name: "a rename lands in vim's INSERT and NORMAL modes, and is no command there", ignore },
  async () => {
    const { live, pane, server } = await world({ preferences: { editorMode: "vim" } });
    await using _ = live;
    await startClaude(server, pane);
    await waitForText(server, pane, /-- INSERT --/);
    await renameWindow(server, pane, "inserted");
    await untilNamed(server, pane, "inserted");
    await waitForIdle(server, pane);
    await server.press(pane, "Escape");
    await untilIn(server, pane, "NORMAL mode", async () => !(await server.capture(pane)).includes("INSERT"));
    await renameWindow(server, pane, "normal");
    await untilNamed(server, pane, "normal");
    strictEqual(live.api.requests.length, 0);
  },
);

Deno.test({
  name: "three conversations that are asked for one name get three, and each window has its own",
  ignore,
}, async () => {
  const { live, pane, folder, scratch, server } = await world();
  await using _ = live;
  const second = await server.newWindow(pane, { folder });
  const third = await server.newWindow(pane, { folder: await scratch.folder("projects/b") });
  const names: string[] = [];
  for (const one of [pane, second, third]) {
    await startClaude(server, one);
    await ask(server, one, "one");
    await renameWindow(server, one, "same");
    names.push(await nameOf(server, one));
  }
  strictEqual(names[0], "same");
  strictEqual(names[1], "same-2");
  ok(/^same(-\d)?$/.test(names[2]), names[2]); // 2.1.332 keeps names apart in all projects, 2.1.197 does not
});

/** The name that both have in the end: now, or with the next prompt when Claude did not take it at once. */
async function nameOf(server: TmuxServer, pane: string): Promise<string> {
  const named = async () => {
    const title = (await titleOf(server, pane)).slice(2);
    return /^same(-\d)?$/.test(title) && await windowNameOf(server, pane) === title && title;
  };
  const name = await untilIn(
    server,
    pane,
    "a name, or one that waits",
    async () => await named() || await isPending(server),
  );
  if (typeof name === "string") return name;
  await ask(server, pane, "two");
  return await untilIn(server, pane, "a name after the prompt", named) as string;
}

async function isPending({ scratch }: TmuxServer): Promise<boolean> {
  return await Deno.stat(`${scratch.state}/pending`).then(() => true, () => false);
}

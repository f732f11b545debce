// Window names and conversation titles as one handle: renames as a user makes them, on a real tmux.
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import {
  renameWindow,
  startNaming,
  titleOf,
  untilNamed,
  untilNamedOrPrompted,
  untilPending,
  windowNameOf,
  windowWithClaude,
} from "./helpers/naming.ts";
import { exitClaude, hasEmptyBox, prompt, startClaude, waitForBox } from "./helpers/panes.ts";
import { until, untilText } from "./helpers/poll.ts";
import { runBin } from "./helpers/run_bin.ts";
import { startServer } from "./helpers/tmux_server.ts";

Deno.test("a rename while Claude is idle lands at once, in the form that a name can have", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const pane = await windowWithClaude(server, "before");
  await renameWindow(server, pane, "fix: the  login!");
  await untilNamed(server, pane, "fix-the-login");
  strictEqual(await naming.started(), 1);
});

Deno.test("a name that landed is written down with its place as every other line, and nothing more", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const pane = await windowWithClaude(server, "before");
  await renameWindow(server, pane, "after");
  const lines = async () => {
    const text = await Deno.readTextFile(`${server.scratch.state}/journal.jsonl`);
    return text.trim().split("\n").map((line) => JSON.parse(line));
  };
  const renamed = await until(
    "the line",
    async () => (await lines()).find(({ source }) => source === "window"),
  );
  const [start] = await lines();
  deepStrictEqual([renamed.event, renamed.name], ["rename", "after"]);
  deepStrictEqual(Object.keys(renamed.tmux).sort(), Object.keys(start.tmux).sort());
});

Deno.test("a rename while Claude is busy lands while the turn goes on", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const pane = await windowWithClaude(server);
  await server.sendLine(pane, "MOCK_SLOW 6");
  await untilText("a busy Claude", () => server.capture(pane), "Thinking");
  await renameWindow(server, pane, "busy");
  await untilNamed(server, pane, "busy");
  ok(!(await server.captureAll(pane)).includes("MOCK-REPLY"));
  await untilText("the reply", () => server.captureAll(pane), "MOCK-REPLY: MOCK_SLOW 6", 20_000);
});

Deno.test("a draft stays as it is, and the name comes with the prompt", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const pane = await windowWithClaude(server);
  await server.type(pane, "my draft");
  await untilText("the draft", () => server.capture(pane), "❯\u00a0my draft");
  await renameWindow(server, pane, "drafted");
  await untilPending(server, pane, "drafted");
  ok((await server.capture(pane)).includes("❯\u00a0my draft\n"));
  await server.press(pane, "Enter");
  await untilNamed(server, pane, "drafted");
  await untilText("the reply", () => server.captureAll(pane), "MOCK-REPLY: my draft");
  await until(
    "the end of the folder for what waits",
    async () => !await exists(`${server.scratch.state}/pending`),
  );
});

Deno.test("a dialog gets no key, and the name comes with the next prompt", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const pane = await windowWithClaude(server);
  await server.sendLine(pane, "MOCK_DIALOG");
  await untilText("the dialog", () => server.capture(pane), "Do you want to proceed?");
  await renameWindow(server, pane, "asked v1");
  await untilPending(server, pane, "asked-v1");
  ok((await server.capture(pane)).includes("❯ 1. Yes"));
  deepStrictEqual(await server.scratch.dialogAnswers(), []);
  await server.sendLine(pane, "no");
  await until("the answer", async () => (await server.scratch.dialogAnswers()).length > 0);
  deepStrictEqual(await server.scratch.dialogAnswers(), ["approved: no"]);
  await waitForBox(server, pane);
  await prompt(server, pane, "go on");
  await untilNamed(server, pane, "asked-v1");
});

Deno.test("who renames a window with a draft in it reads on the status line when the name comes", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  await using terminal = await startServer();
  const pane = await windowWithClaude(server);
  const screen = await terminal.newSession({ command: `env -u TMUX tmux -S '${server.socketPath}' attach` });
  await until("a client", () => server.run("list-clients"));
  await server.type(pane, "my draft");
  await renameWindow(server, pane, "told #(touch x) %H");
  const line = `tmuxclaude: "told-touch-x-H" comes with your next prompt`;
  await untilText("the message", () => terminal.capture(screen), line, 20_000);
  strictEqual(await server.paneFormat(pane, "#{pane_in_mode}"), "0");
});

Deno.test("copy mode stays, and the name comes with the next prompt", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const pane = await windowWithClaude(server);
  await server.run("copy-mode", "-t", pane);
  await renameWindow(server, pane, "scrolled");
  await untilPending(server, pane, "scrolled");
  strictEqual(await server.paneFormat(pane, "#{pane_in_mode}"), "1");
  await server.run("send-keys", "-t", pane, "-X", "cancel");
  ok(await hasEmptyBox(server, pane));
  await prompt(server, pane, "go on");
  await untilNamed(server, pane, "scrolled");
});

Deno.test("a name that waits is dropped when the user renames the conversation before it is delivered", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const pane = await windowWithClaude(server);
  await server.run("copy-mode", "-t", pane);
  await renameWindow(server, pane, "waiting");
  await untilPending(server, pane, "waiting");
  await server.run("send-keys", "-t", pane, "-X", "cancel");
  await server.sendLine(pane, "/rename mine");
  await untilText("the user's title", () => titleOf(server, pane), "✳ mine");
  await waitForBox(server, pane);
  await prompt(server, pane, "go on");
  strictEqual(await titleOf(server, pane), "✳ mine");
});

Deno.test("two conversations that are asked for one name get two, each with its window", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const panes = [await windowWithClaude(server), await windowWithClaude(server)];
  await Promise.all(panes.map((pane) => renameWindow(server, pane, "same")));
  const names = await until("two names", async () => {
    const titles = await Promise.all(panes.map((pane) => titleOf(server, pane)));
    return titles.every((title) => /^✳ same(-2)?$/.test(title)) && titles;
  }, 30_000);
  deepStrictEqual(names.toSorted(), ["✳ same", "✳ same-2"]);
  for (const pane of panes) {
    const title = (await titleOf(server, pane)).slice(2);
    await untilText("the window's name", () => windowNameOf(server, pane), new RegExp(`^${title}$`));
  }
});

Deno.test("a name that is held in another project too is numbered until Claude takes it", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const other = await server.scratch.folder("other project");
  const first = await windowWithClaude(server);
  const second = await windowWithClaude(server, undefined, other);
  await renameWindow(server, first, "held");
  await untilNamed(server, first, "held");
  await renameWindow(server, second, "held");
  await untilNamedOrPrompted(server, second, "held-2");
});

Deno.test("a window's name survives any number of fresh starts in it", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const pane = await windowWithClaude(server, "handle");
  for (let life = 0; life < 3; life++) {
    await prompt(server, pane, `hello ${life}`);
    await untilNamed(server, pane, "handle");
    await exitClaude(server, pane);
    await startClaude(server, pane);
  }
  await untilNamed(server, pane, "handle");
});

Deno.test("two windows that had one name before the launch get two with it", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const panes = [await windowWithClaude(server, "twin one"), await windowWithClaude(server, "twin one")];
  const names = ["twin-one", "twin-one-2"];
  for (const [index, pane] of panes.entries()) {
    await prompt(server, pane, "hello");
    await untilNamed(server, pane, names[index]);
  }
  strictEqual(await naming.started(), 0);
});

Deno.test("a /rename by the user stays, until the window is named again", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const pane = await windowWithClaude(server, "ours");
  await server.sendLine(pane, "/rename mine");
  await untilText("the user's title", () => titleOf(server, pane), "✳ mine");
  await prompt(server, pane, "hello");
  await exitClaude(server, pane);
  await startClaude(server, pane, "--continue");
  strictEqual(await titleOf(server, pane), "✳ mine");
  strictEqual(await windowNameOf(server, pane), "ours");
  await renameWindow(server, pane, "ours");
  await untilNamed(server, pane, "ours");
});

Deno.test("titles that are switched off are no failure", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const [first] = await server.panes();
  const pane = await server.newWindow(first.id);
  await server.sendLine(pane, "export CLAUDE_CODE_DISABLE_TERMINAL_TITLE=1");
  await startClaude(server, pane);
  await server.run("rename-window", "-t", pane, "quiet");
  await untilText("the answer", () => server.captureAll(pane), "Session renamed to: quiet", 20_000);
  const env = await server.paneEnv(pane);
  const again = await runBin(["name", "--pane", pane, "--json"], { env });
  strictEqual(JSON.parse(again.stdout).reason, "same");
});

Deno.test("windows without a stamped pane start no process, also when 20 of them are renamed by a restore", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const [first] = await server.panes();
  const panes = [];
  for (let count = 0; count < 20; count++) {
    panes.push(await server.newWindow(first.id, { command: "sleep 1000", name: `w ${count}` }));
  }
  for (const pane of panes) await renameWindow(server, pane, `restored ${pane}!`);
  for (const pane of panes) strictEqual(await windowNameOf(server, pane), `restored ${pane}!`);
  strictEqual(await naming.started(), 0);
});

Deno.test("a teammate is never named: the window's first Claude of the user's own is", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const mate = await windowWithClaude(server);
  await exitClaude(server, mate);
  await startClaude(server, mate, "--agent-id mate@session-1 --agent-name mate");
  const own = await server.split(mate);
  await startClaude(server, own);
  await renameWindow(server, own, "ours");
  await untilNamed(server, own, "ours");
  ok(!(await server.captureAll(mate)).includes("/rename"));
});

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

// What the status bar shows: Claude's title in windows without a name, the user's own format elsewhere.
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { realSystem } from "../src/system/real.ts";
import { runTmux } from "../src/tmux/client.ts";
import { nameCleaning, nameConf } from "../src/tmux/name_conf.ts";
import { renameWindow, startNaming, windowNameOf, windowWithClaude } from "./helpers/naming.ts";
import { exitClaude } from "./helpers/panes.ts";
import { untilText } from "./helpers/poll.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

const TITLES: [title: string, shown: string][] = [
  ["✳ Fix login", "Fix login"],
  ["⠂ Fix login", "Fix login"],
  ["⠐ Fix login", "Fix login"],
  ["◐ Fix login", "Fix login"],
  ["* Fix login", "Fix login"],
  ["A bug in it", "A bug in it"],
  ["✳ #(touch canary) #{pid}", "(touch canary) {pid}"],
  ["✳ exactly twenty-three ok", "exactly twenty-three ok"],
  ["✳ twenty-four columns are 24", "twenty-four columns are…"],
  ["✳ 全角文字は二桁なので切り方が難しい", "全角文字は二桁なので切…"],
  ["✳ a全角文字は二桁なので切り方が難しい", "a全角文字は二桁なので切…"],
];

/** A pane whose program is called claude and sets titles that it reads. */
async function paneWithTitles(server: TmuxServer): Promise<string> {
  const [first] = await server.panes();
  const loop = `exec -a claude bash -c 'while IFS= read -r t; do printf "\\033]0;%s\\007" "$t"; done'`;
  const pane = await server.newWindow(first.id, { command: `bash -c ${quoted(loop)}` });
  await server.run("set-option", "-p", "-t", pane, "@tmuxclaude_session", crypto.randomUUID());
  await server.run("set-option", "-p", "-t", pane, "@tmuxclaude_state", "running");
  return pane;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

Deno.test("a window without a name shows the title without its glyph, in at most 24 columns, within a second", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const pane = await paneWithTitles(server);
  for (const [title, shown] of TITLES) {
    await server.sendLine(pane, title);
    // From 3.7 on tmux itself makes "_(" of "#(" in a title.
    const look = async () => `<${(await windowNameOf(server, pane)).replace(/^_/, "")}>`;
    await untilText(`"${shown}"`, look, `<${shown}>`);
  }
});

Deno.test("the user's own format comes back when Claude is gone, also after ten reloads", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const mine = "mine:#{pane_current_command}";
  await server.run("set-option", "-gw", "automatic-rename-format", mine);
  for (let load = 0; load < 10; load++) {
    await server.run("source-file", `${server.scratch.root}/names.conf`);
  }
  strictEqual(await server.run("show-options", "-gqv", "@tmuxclaude_format"), mine);
  const hooks = await server.run("show-hooks", "-g", "after-rename-window");
  strictEqual(hooks.split("\n").length, 1, hooks);
  const pane = await windowWithClaude(server);
  await untilText("Claude's title", () => windowNameOf(server, pane), /^Claude Code$/);
  await exitClaude(server, pane);
  await untilText("the user's format", () => windowNameOf(server, pane), /^mine:bash$/);
});

Deno.test("cleaning gives the user's format back and leaves none of our options and hooks", async () => {
  const mine = `it's "mine" #{pane_current_command};`;
  await using server = await startServer();
  await server.newSession();
  await server.run("set-option", "-gw", "automatic-rename-format", mine.replace(/;$/, "\\;"));
  const hook = "display-message kept";
  await server.run("set-hook", "-g", "after-rename-window[3]", hook);
  await Deno.writeTextFile(`${server.scratch.root}/names.conf`, nameConf({ bin: "/bin/tmuxclaude" }));
  await server.run("source-file", `${server.scratch.root}/names.conf`);
  const tmux = { system: realSystem(), socket: server.socketPath };
  for (let round = 0; round < 2; round++) {
    await runTmux(tmux, await nameCleaning(tmux));
    strictEqual(await server.run("show-options", "-gwqv", "automatic-rename-format"), mine);
    const options = await server.run("show-options", "-g");
    deepStrictEqual(options.split("\n").filter((line) => line.includes("tmuxclaude")), []);
    ok((await server.run("show-hooks", "-g", "after-rename-window")).endsWith(hook));
  }
});

Deno.test("the status segment counts running, waiting and revivable panes", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const status = () => server.run("display-message", "-p", "<#{E:@tmuxclaude_status}>");
  strictEqual(await status(), "<>");
  const panes = [await windowWithClaude(server), await windowWithClaude(server)];
  await untilText("two running", status, "<▶2 >");
  await server.sendLine(panes[0], "MOCK_DIALOG");
  await untilText("one waiting", status, "<▶2 ?1 >");
  await exitClaude(server, panes[1]);
  await untilText("one revivable", status, "<▶1 ?1 ↻1 >");
});

Deno.test("a window that shows a title has no name of its own: prefix + , and Enter execute nothing", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const pane = await paneWithTitles(server);
  const canary = `${server.scratch.root}/canary`;
  await server.sendLine(pane, `✳ #(touch ${canary.slice(-6)}) $(touch x)`);
  await untilText("the title", () => windowNameOf(server, pane), "touch");
  await renameWindow(server, pane, await windowNameOf(server, pane));
  await server.run("rename-window", "-t", pane, await windowNameOf(server, pane));
  await untilText("a start of the program", async () => String(await naming.started()), /[12]/);
  const made = [...Deno.readDirSync(server.scratch.root), ...Deno.readDirSync(server.scratch.home)];
  deepStrictEqual(made.filter((entry) => /canary|^x$/.test(entry.name)), []);
});

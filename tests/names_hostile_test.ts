// Names that want to be executed, at every place a name enters. A canary file tells when one was.
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { sanitize } from "../src/names/sanitize.ts";
import { renameWindow, startNaming, titleOf, windowNameOf, windowWithClaude } from "./helpers/naming.ts";
import { until, untilText } from "./helpers/poll.ts";
import { runBin } from "./helpers/run_bin.ts";
import type { TmuxServer } from "./helpers/tmux_server.ts";

const RUN = "touch CANARY";
const SHELLS_RUN = [
  `$(${RUN})`,
  `\`${RUN}\``,
  `;${RUN};`,
  `|${RUN}`,
  `&${RUN}&`,
  `&& ${RUN}`,
  `> CANARY`,
  `\${x:=$(${RUN})}`,
];
const TMUX_RUNS = [
  `#(${RUN})`,
  `##(${RUN})`,
  `###(${RUN})`,
  `#{E:#(${RUN})}`,
  `#{?1,#(${RUN}),}`,
  `#[fg=red]#(${RUN})`,
];
const QUOTES = [
  "'",
  '"',
  "\\",
  "\\'",
  `'"'"'`,
  "\\\\",
  "}",
  "};",
  "{",
  ";",
  "\\;",
  " ; ",
  "#",
  "##",
  "#{",
  "#}",
  "#,",
  "%",
  "%%",
  "~",
  "!",
  "-",
  "--",
  "@",
  "=",
  "+",
  ":",
  ".",
];
const ODD = [
  "\u202egnp.exe",
  "\u2066x\u2069",
  "🎉🎉",
  "é",
  "e\u0301",
  "\u200b",
  "日本",
  "x".repeat(300),
  "語".repeat(200),
  "@3",
  "$9",
  "%7",
  "=x:",
  "a:b.c",
  "../../x",
  "-t",
  "--help",
  "0",
  "--window",
];

/** A hundred names and more. */
function names(): string[] {
  const wrapped = [...SHELLS_RUN, ...TMUX_RUNS].flatMap((
    core,
  ) => [core, `a'${core}'b`, `a"${core}"b`, `\\${core}`]);
  return [...wrapped, ...QUOTES, ...QUOTES.map((quote) => `a${quote}${TMUX_RUNS[0]}${quote}b`), ...ODD];
}

function hostile(server: TmuxServer): string[] {
  return names().map((name) => name.replaceAll("CANARY", `'${server.scratch.root}/canary'`.slice(1, -1)));
}

async function canaries(server: TmuxServer): Promise<string[]> {
  const found: string[] = [];
  for (const folder of [server.scratch.root, server.scratch.home, server.scratch.bin]) {
    for await (const entry of Deno.readDir(folder)) if (/^canary$/i.test(entry.name)) found.push(entry.name);
  }
  return found;
}

Deno.test("what is left of more than a hundred hostile names is harmless and short", () => {
  ok(names().length >= 100);
  for (const name of names()) {
    const result = sanitize(name);
    if ("name" in result) ok(/^[\p{L}\p{M}\p{N}_-]{1,128}$/u.test(result.name), name);
  }
});

Deno.test("a window of each of more than a hundred hostile names starts our program and executes nothing", async () => {
  await using naming = await startNaming({ countOnly: true });
  const { server } = naming;
  const [pane] = await server.panes();
  await server.run("set-option", "-p", "-t", pane.id, "@tmuxclaude_session", crypto.randomUUID());
  await server.run("set-option", "-p", "-t", pane.id, "@tmuxclaude_state", "running");
  const list = hostile(server);
  for (const name of list) await renameWindow(server, pane.id, name);
  await until("as many starts", async () => await naming.started() === list.length, 120_000);
  deepStrictEqual(await canaries(server), []);
});

Deno.test("hostile names of a window reach its conversation as plain names, whatever they were", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  await server.run("set-hook", "-gu", "after-rename-window[8417]");
  const pane = await windowWithClaude(server);
  const env = await server.paneEnv(pane);
  const window = await server.paneFormat(pane, "#{window_id}");
  for (const core of [...SHELLS_RUN.slice(0, 3), ...TMUX_RUNS.slice(0, 3), `a'"\\b;`, "\u202ex", "-t x"]) {
    const name = `${core} ${crypto.randomUUID().slice(0, 4)}`.replaceAll(
      "CANARY",
      `${server.scratch.root}/canary`,
    );
    await renameWindow(server, pane, name);
    const result = await runBin(["name", "--window", window, "--json"], { env });
    const { outcome, name: given } = JSON.parse(result.stdout);
    strictEqual(outcome, "landed", name);
    deepStrictEqual(sanitize(name), { name: given });
    strictEqual(await titleOf(server, pane), `✳ ${given}`);
    strictEqual(await windowNameOf(server, pane), given);
  }
  deepStrictEqual(await canaries(server), []);
});

Deno.test("hostile titles, session names and folders execute nothing while names are pushed", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const evil = `#(touch ${server.scratch.root}/canary) $(touch ${server.scratch.root}/canary) 'x"`;
  const folder = await server.scratch.folder(evil.replaceAll("/", "_"));
  const pane = await windowWithClaude(server, undefined, folder);
  await server.run(
    "rename-session",
    "-t",
    await server.paneFormat(pane, "#{session_id}"),
    evil.replaceAll("#", "##"),
  );
  await server.sendLine(pane, `/rename ${evil}`);
  await untilText("the evil title", () => titleOf(server, pane), "touch");
  await untilText("a window name that is cut", () => windowNameOf(server, pane), "(touch");
  await server.run("rename-window", "-t", pane, "plain");
  await untilText("the plain title", () => titleOf(server, pane), "✳ plain", 20_000);
  deepStrictEqual(await canaries(server), []);
});

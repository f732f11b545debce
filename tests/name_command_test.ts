// `tmuxclaude name` as a person or a script calls it.
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startNaming, titleOf, windowWithClaude } from "./helpers/naming.ts";
import { runBin } from "./helpers/run_bin.ts";
import { makeScratch } from "./helpers/scratch.ts";

const TABLE: [text: string, code: number, stdout: string][] = [
  ["fix: login.page", 0, "fix-login-page\n"],
  ["日本語", 0, "日本語\n"],
  ["x".repeat(300), 0, `${"x".repeat(64)}\n`],
  ["!!!", 1, ""],
  ["", 1, ""],
];

Deno.test("name --sanitize and --free are text in, text out, without tmux", async () => {
  await using scratch = await makeScratch();
  const { env } = scratch;
  for (const [text, code, stdout] of TABLE) {
    const result = await runBin(["name", "--sanitize", text], { env });
    deepStrictEqual([result.code, result.stdout], [code, stdout], text);
    strictEqual(result.stderr === "", code === 0);
  }
  const free = await runBin(["name", "--free", "foo", "--taken", "foo", "--taken", "foo-2"], { env });
  deepStrictEqual([free.code, free.stdout], [0, "foo-3\n"]);
  const json = await runBin(["name", "--sanitize", "fix: login", "--json"], { env });
  deepStrictEqual(JSON.parse(json.stdout), { schema: 1, name: "fix-login" });
});

Deno.test("name says what is wrong with a window, a pane or a server, each with its exit code", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const [pane] = await server.panes();
  const env = await server.paneEnv(pane.id);
  const run = (...args: string[]) => runBin(["name", ...args], { env });
  strictEqual((await run("--window", "@999")).code, 3);
  strictEqual((await run("--pane", "%999")).code, 3);
  strictEqual((await run("--window", "main; rm -rf /")).code, 2);
  strictEqual((await run("--pane", pane.id)).code, 0);
  const outside = await runBin(["name"], { env: server.scratch.env });
  strictEqual(outside.code, 4);
  const gone = await runBin(["name", "--window", "@0", "--socket", "/nonexistent/socket"], { env });
  strictEqual(gone.code, 4);
  for (const result of [await run("--window", "@999"), outside, gone]) {
    strictEqual(result.stdout, "");
    match(result.stderr, /^tmuxclaude: Cannot push a name: /);
  }
});

Deno.test("name --json tells what was wanted, what it became and how", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  await server.run("set-hook", "-gu", "after-rename-window[8417]");
  const pane = await windowWithClaude(server);
  const window = await server.paneFormat(pane, "#{window_id}");
  const run = async () => {
    const result = await runBin(["name", "--window", window, "--json"], { env: await server.paneEnv(pane) });
    return { code: result.code, ...JSON.parse(result.stdout) };
  };
  const base = { code: 0, schema: 1, window_id: window };
  const unnamed = await run();
  deepStrictEqual([unnamed.code, unnamed.outcome, unnamed.reason], [0, "nothing", "not-named"]);
  await server.run("rename-window", "-t", window, "my name");
  const landed = {
    ...base,
    wanted: "my name",
    name: "my-name",
    outcome: "landed",
    via: "typed",
    reason: null,
  };
  deepStrictEqual(await run(), landed);
  strictEqual(await titleOf(server, pane), "✳ my-name");
  const same = { ...base, wanted: "my-name", name: "my-name", outcome: "nothing", via: null, reason: "same" };
  deepStrictEqual(await run(), same);
  await server.run("rename-window", "-t", window, "!!");
  const refused = await run();
  deepStrictEqual([refused.code, refused.outcome], [1, "refused"]);
  strictEqual(await server.paneFormat(pane, "#{window_name}"), "!!");
});

Deno.test("name does nothing where a global automatic-rename off makes every window look named", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  await server.run("set-option", "-gw", "automatic-rename", "off");
  const pane = await windowWithClaude(server);
  const result = await runBin(["name", "--pane", pane, "--json"], { env: await server.paneEnv(pane) });
  strictEqual(JSON.parse(result.stdout).reason, "not-named");
  ok(!(await server.captureAll(pane)).includes("/rename"));
});

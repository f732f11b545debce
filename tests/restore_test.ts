// After tmux came back: what is stamped, typed, started and left, and what is said about it.
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { run } from "../src/commands/restore.ts";
import { realFiles } from "../src/system/files.ts";
import type { System } from "../src/system/system.ts";
import { buildLayout, crashAndRebuild, planLayout } from "./helpers/layout.ts";
import { exitClaude, prompt, sessionOf, startClaude, waitForBox } from "./helpers/panes.ts";
import { runIn } from "./helpers/in_process.ts";
import { untilText } from "./helpers/poll.ts";
import { saveTo } from "./helpers/resurrect_copy.ts";
import { runBin } from "./helpers/run_bin.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

interface Row {
  pane_id: string | null;
  session_id: string;
  action: string;
  reason: string | null;
  line: string | null;
}

async function ours(server: TmuxServer, ...args: string[]) {
  const [first] = await server.panes();
  const { TMUX_PANE: _pane, ...env } = await server.paneEnv(first.id);
  return await runBin(args, { env });
}

async function restore(
  server: TmuxServer,
  ...more: string[]
): Promise<{ code: number; outcome: string; panes: Row[]; stderr: string }> {
  const { code, stdout, stderr } = await ours(server, "restore", "--json", ...more);
  if (stdout === "") throw new Error(stderr);
  return { code, stderr, ...JSON.parse(stdout) };
}

const stampOf = (server: TmuxServer, pane: string) => server.paneFormat(pane, "#{@tmuxclaude_session}");

/** A pane that held one conversation at the first record and another at the second, and a time between the two. */
async function twoRecords() {
  const { server, plan, ids, here } = await conversing(1);
  strictEqual((await ours(server, "manifest")).code, 0);
  const between = new Date().toISOString();
  await exitClaude(server, here[0]);
  await startClaude(server, here[0]);
  await prompt(server, here[0], "another");
  strictEqual((await ours(server, "manifest")).code, 0);
  const [pane] = await crashAndRebuild(server, plan);
  return { server, pane, first: ids[0], between };
}

/** A server with some panes; each holds a prompted conversation. Gives the plan and the ids. */
async function conversing(panes: number, conf = "") {
  const server = await startServer({ conf });
  await server.scratch.registerHooks();
  const plan = await planLayout(server.scratch, { sessions: 1, windows: panes, panes: 1, sharing: panes });
  const ids: string[] = [];
  const here = await buildLayout(server, plan);
  for (const pane of here) {
    await startClaude(server, pane);
    await prompt(server, pane, "hello");
    ids.push(await sessionOf(server, pane));
  }
  return { server, plan, ids, here };
}

Deno.test("lazy stamps and types nothing; two saves and a second crash later everything is still there", async () => {
  const { server, plan, ids } = await conversing(4);
  await using _server = server;
  strictEqual((await ours(server, "manifest")).code, 0);
  for (let crash = 0; crash < 3; crash++) {
    const panes = await crashAndRebuild(server, plan);
    const done = await restore(server);
    deepStrictEqual(done.panes.map(({ action }) => action), ["stamped", "stamped", "stamped", "stamped"]);
    deepStrictEqual(await Promise.all(panes.map((pane) => stampOf(server, pane))), ids);
    for (const pane of panes) ok(!(await server.captureAll(pane)).includes("claude"));
    strictEqual((await restore(server)).outcome, "already restored");
    strictEqual((await ours(server, "manifest")).code, 0);
    strictEqual((await ours(server, "manifest")).code, 0);
  }
});

Deno.test("without the restore hook, saves carry the conversations on, and the key still finds them", async () => {
  const { server, plan, ids } = await conversing(3);
  await using _server = server;
  strictEqual((await ours(server, "manifest")).code, 0);
  const panes = await crashAndRebuild(server, plan);
  for (let save = 0; save < 2; save++) strictEqual((await ours(server, "manifest")).code, 0);
  const again = await crashAndRebuild(server, plan);
  for (const [index, pane] of again.entries()) {
    const { stdout } = await ours(server, "revive", "--pane", pane, "--json");
    deepStrictEqual([JSON.parse(stdout).outcome, JSON.parse(stdout).session_id], ["typed", ids[index]]);
  }
  strictEqual(panes.length, again.length);
});

Deno.test("without the restore hook, a pane that was opened again after the save inherits nothing", async () => {
  const { server, plan, ids } = await conversing(3);
  await using _server = server;
  strictEqual((await ours(server, "manifest")).code, 0);
  const panes = await crashAndRebuild(server, plan);
  await saveTo(server, `${server.scratch.home}/.tmux/resurrect`, "tmux_resurrect_own.txt");
  await server.run("split-window", "-d", "-t", panes[2], "-c", plan[2].folder);
  await server.run("kill-pane", "-t", panes[2]);
  const [, , again] = (await server.panes()).map(({ id }) => id);
  strictEqual(await rungIn(server, again), "folder");
  await saveTo(server, `${server.scratch.home}/.tmux/resurrect`, "tmux_resurrect_with_it.txt");
  strictEqual(await rungIn(server, again), "folder");
  const { stdout } = await ours(server, "manifest", "--print");
  const rows: { pane_id: string; binding: { session_id: string } | null }[] = JSON.parse(stdout).panes;
  const held = [panes[0], panes[1], again].map((pane) =>
    rows.find(({ pane_id }) => pane_id === pane)!.binding
  );
  deepStrictEqual(held.map((binding) => binding?.session_id), [ids[0], ids[1], undefined]);
});

async function rungIn(server: TmuxServer, pane: string): Promise<string> {
  return JSON.parse((await ours(server, "revive", "--dry-run", "--json", "--pane", pane)).stdout).rung;
}

Deno.test("run starts what ran, types what the user had ended, and does it once", async () => {
  const { server, plan, ids, here } = await conversing(4);
  await using _server = server;
  await exitClaude(server, here[1]);
  await exitClaude(server, here[3]);
  await startClaude(server, here[3], `--resume ${ids[3]} --model opus`);
  strictEqual((await ours(server, "manifest")).code, 0);
  const panes = await crashAndRebuild(server, plan);
  const done = await restore(server, "--policy", "run", "--spacing", "0", "--min-memory", "1M");
  const byId = new Map(done.panes.map((row) => [row.session_id, row.action]));
  deepStrictEqual(ids.map((id) => byId.get(id)), ["verified", "typed", "verified", "verified"]);
  for (const index of [0, 2, 3]) strictEqual(await sessionOf(server, panes[index]), ids[index]);
  match(await server.capture(panes[1]), new RegExp(`claude --resume ${ids[1]}$`));
  const last = (await server.scratch.claudeStarts()).filter(({ argv }) => argv.includes(ids[3])).at(-1);
  match(last!.argv.join(" "), /--model[= ]opus/);
  strictEqual((await restore(server, "--policy", "run")).outcome, "already restored");
});

Deno.test("run starts nothing that came to life in another pane while it waited for its turn", async () => {
  const { server, plan, ids } = await conversing(1);
  await using _ = server;
  strictEqual((await ours(server, "manifest")).code, 0);
  const [pane] = await crashAndRebuild(server, plan);
  const other = await server.newSession({ session: "other" });
  const resumed = once(async () => {
    await server.sendLine(other, `claude --resume ${ids[0]}`);
    await waitForBox(server, other);
  });
  const open: System["files"]["open"] = (path, flags) => {
    const file = realFiles.open(path, flags);
    if (!path.endsWith("/typing.lock")) return file;
    return { ...file, tryLock: (exclusive) => resumed() && file.tryLock(exclusive) };
  };
  const { TMUX_PANE: _pane, ...env } = await server.paneEnv(pane);
  const ran = await runIn(
    env,
    { files: { ...realFiles, open } },
    (system) => run(system, { policy: "run", json: true }),
  );
  const [row] = JSON.parse(ran.stdout).panes as Row[];
  deepStrictEqual([row.pane_id, row.action, row.line], [pane, "skipped", null], ran.stdout);
  match(row.reason!, /its conversation is alive in pane other:/);
});

/** Begins at the first call; true once it is done. */
function once(begin: () => Promise<void>): () => boolean {
  let state: "new" | "begun" | "done" = "new";
  return () => {
    if (state === "new") {
      state = "begun";
      begin().then(() => state = "done");
    }
    return state === "done";
  };
}

Deno.test("run stops politely: at its limit, and where memory ends", async () => {
  const { server, plan } = await conversing(3);
  await using _server = server;
  strictEqual((await ours(server, "manifest")).code, 0);
  await crashAndRebuild(server, plan);
  const none = await restore(server, "--policy", "run", "--spacing", "0", "--min-memory", "100T");
  deepStrictEqual(none.panes.map(({ action }) => action), ["left", "left", "left"]);
  match(none.panes[0].reason ?? "", /memory/);
  const one = await restore(
    server,
    "--force",
    "--policy",
    "run",
    "--spacing",
    "0",
    "--min-memory",
    "1M",
    "--limit",
    "1",
  );
  deepStrictEqual(one.panes.map(({ action }) => action), ["verified", "left", "left"]);
  match(one.panes[1].reason ?? "", /limit of 1/);
});

Deno.test("type types each line without Enter; a pane where another program runs is left with its name", async () => {
  const { server, plan, ids } = await conversing(2);
  await using _server = server;
  strictEqual((await ours(server, "manifest")).code, 0);
  const panes = await crashAndRebuild(server, plan);
  await server.sendLine(panes[1], "cat");
  const starts = (await server.scratch.claudeStarts()).length;
  const done = await restore(server, "--policy", "type");
  const of = (id: string) => done.panes.find((row) => row.session_id === id)!;
  strictEqual(of(ids[0]).action, "typed");
  strictEqual(of(ids[1]).action, "skipped");
  match(of(ids[1]).reason ?? "", /cat/);
  strictEqual((await server.scratch.claudeStarts()).length, starts);
});

Deno.test("a dry run names every pane with its line, or the reason, and changes nothing", async () => {
  const { server, plan, ids } = await conversing(3);
  await using _server = server;
  strictEqual((await ours(server, "manifest")).code, 0);
  const panes = await crashAndRebuild(server, plan.slice(0, 2));
  const done = await restore(server, "--dry-run", "--policy", "run");
  deepStrictEqual(done.panes.map(({ action }) => action).toSorted(), ["launched", "launched", "left"]);
  match(done.panes.find((row) => row.action === "left")?.reason ?? "", /not there/);
  ok(
    done.panes.filter((row) => row.action === "launched").every(({ line, session_id }) =>
      line?.includes(session_id)
    ),
  );
  strictEqual(new Set(done.panes.map(({ session_id }) => session_id)).size, ids.length);
  for (const pane of panes) strictEqual(await stampOf(server, pane), "");
  strictEqual((await restore(server)).outcome, "restored");
  strictEqual((await ours(server, "restore", "--dry-run", "--at", "then")).code, 2);
});

Deno.test("pane-base-index changed: nothing is stamped, and the reason is said", async () => {
  const { server, plan } = await conversing(2);
  await using _server = server;
  strictEqual((await ours(server, "manifest")).code, 0);
  await server.kill9();
  await server.restart();
  await server.run("set-option", "-gw", "pane-base-index", "1");
  const panes = await buildLayout(server, plan);
  const done = await restore(server);
  ok(done.panes.every(({ action }) => action === "left"));
  for (const pane of panes) strictEqual(await stampOf(server, pane), "");
});

Deno.test("restored over live sessions: a pane in use is left alone", async () => {
  const { server, plan, ids } = await conversing(2);
  await using _server = server;
  strictEqual((await ours(server, "manifest")).code, 0);
  const panes = await crashAndRebuild(server, plan);
  await startClaude(server, panes[0]);
  const fresh = await sessionOf(server, panes[0]);
  const done = await restore(server);
  strictEqual(done.panes.find((row) => row.session_id === ids[0])?.action, "left");
  strictEqual(await stampOf(server, panes[0]), fresh);
  strictEqual(await stampOf(server, panes[1]), ids[1]);
});

Deno.test("--at goes by the last record with conversations before that time", async () => {
  const { server, pane, first, between } = await twoRecords();
  await using _server = server;
  strictEqual((await restore(server, "--at", between, "--dry-run")).panes[0].session_id, first);
  await restore(server);
  ok(await stampOf(server, pane) !== first);
});

Deno.test("a broken manifest and a newer one: the older snapshot is used", async () => {
  const { server, plan, ids } = await conversing(1);
  await using _server = server;
  strictEqual((await ours(server, "manifest")).code, 0);
  const [folder] = await Array.fromAsync(Deno.readDir(`${server.scratch.state}/servers`));
  const manifest = `${server.scratch.state}/servers/${folder.name}/manifest.json`;
  for (const text of ["", "{", '{"schema": 99}', "[]"]) {
    await Deno.writeTextFile(manifest, text);
    await crashAndRebuild(server, plan);
    deepStrictEqual((await restore(server, "--dry-run")).panes.map(({ session_id }) => session_id), ids);
  }
});

Deno.test("nothing to restore: exit 3; no server: exit 4; a policy that is none: exit 2", async () => {
  await using server = await startServer();
  await server.newSession();
  strictEqual((await ours(server, "restore")).code, 3);
  await server.run("set-option", "-g", "@tmuxclaude-restore", "everything");
  const wrong = await ours(server, "restore");
  deepStrictEqual([wrong.code, wrong.stdout], [2, ""]);
  match(wrong.stderr, /lazy, type, run/);
  strictEqual((await runBin(["restore", "--socket", "/nowhere/x"], { env: server.scratch.env })).code, 4);
});

Deno.test("an earlier Claude is waited for no longer than it takes to be seen", async () => {
  const { server, plan, ids } = await conversing(1);
  await using _server = server;
  strictEqual((await ours(server, "manifest")).code, 0);
  const [pane] = await crashAndRebuild(server, plan);
  await restore(server, "--policy", "run", "--spacing", "0", "--min-memory", "1M");
  await waitForBox(server, pane);
  strictEqual(await sessionOf(server, pane), ids[0]);
});

Deno.test("--background stamps at once and leaves the starting to a job of tmux", async () => {
  const { server, plan, ids } = await conversing(2);
  await using _server = server;
  strictEqual((await ours(server, "manifest")).code, 0);
  const panes = await crashAndRebuild(server, plan);
  await server.run("set-option", "-g", "@tmuxclaude-restore", "run");
  const done = await restore(server, "--background", "--spacing", "0", "--min-memory", "1");
  deepStrictEqual(done.panes.map(({ action }) => action), ["stamped", "stamped"]);
  for (const [index, pane] of panes.entries()) {
    await waitForBox(server, pane);
    strictEqual(await sessionOf(server, pane), ids[index]);
  }
});

Deno.test("--background goes on with the record that --at has chosen", async () => {
  const { server, pane, first, between } = await twoRecords();
  await using _server = server;
  await restore(server, "--background", "--policy", "type", "--at", between);
  await untilText("the typed line", () => server.capture(pane), /claude --resume \S+$/);
  match(await server.capture(pane), new RegExp(`claude --resume ${first}$`));
  strictEqual(await stampOf(server, pane), first);
});

// The record of a save: what every pane holds, which save it belongs to, and what is tidied on the way.
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { exitClaude, prompt, sessionOf, startClaude, waitForBox } from "./helpers/panes.ts";
import { until } from "./helpers/poll.ts";
import { runBin } from "./helpers/run_bin.ts";
import { exists } from "./helpers/standin.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

interface Row {
  pane_id: string;
  live: boolean;
  evidence: string[];
  binding: { session_id: string; name: string | null; state: string; chain: string[] } | null;
}

async function ours(server: TmuxServer, ...args: string[]) {
  return await runBin([...args, "--socket", server.socketPath], { env: server.scratch.env });
}

async function recorded(server: TmuxServer): Promise<{ rows: Row[]; save: string | null }> {
  const done = await ours(server, "manifest");
  deepStrictEqual([done.code, done.stdout, done.stderr], [0, "", ""]);
  const [folder] = await Array.fromAsync(Deno.readDir(`${server.scratch.state}/servers`));
  const manifest = JSON.parse(
    await Deno.readTextFile(`${server.scratch.state}/servers/${folder.name}/manifest.json`),
  );
  strictEqual(manifest.count, manifest.panes.length);
  return { rows: manifest.panes, save: manifest.resurrect.save };
}

async function events(server: TmuxServer): Promise<string[]> {
  const text = await Deno.readTextFile(`${server.scratch.state}/journal.jsonl`);
  return text.trim().split("\n").map((line) => JSON.parse(line)).map(({ event, source }) =>
    `${event} ${source}`
  );
}

Deno.test("one row for every pane, bound or not, silently; --print and --json write nothing", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const pane = await server.newSession();
  const bare = await server.split(pane);
  await startClaude(server, pane);
  const id = await sessionOf(server, pane);
  for (const flag of ["--print", "--json"]) {
    const { code, stdout } = await ours(server, "manifest", flag);
    strictEqual(code, 0);
    const printed = JSON.parse(stdout);
    deepStrictEqual([printed.schema, printed.count], [1, (await server.panes()).length]);
  }
  ok(!await exists(`${server.scratch.state}/servers`));
  const { rows } = await recorded(server);
  const row = (pane: string) => rows.find((one) => one.pane_id === pane)!;
  deepStrictEqual([row(pane).live, row(pane).binding?.session_id], [true, id]);
  deepStrictEqual([row(bare).live, row(bare).binding], [false, null]);
});

Deno.test("a /rename that fired no hook is seen, written down and put on the pane", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const pane = await server.newSession();
  await startClaude(server, pane);
  await server.sendLine(pane, "/rename the login bug");
  await until("the rename", async () => (await server.captureAll(pane)).includes("Session renamed"));
  await waitForBox(server, pane);
  const { rows } = await recorded(server);
  strictEqual(rows.find((row) => row.pane_id === pane)?.binding?.name, "the login bug");
  deepStrictEqual(await events(server), ["start startup", "rename null"]);
  await recorded(server);
  strictEqual((await events(server)).length, 2);
});

Deno.test("a new conversation in a pane that held another counts from its first message", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const pane = await server.newSession();
  await startClaude(server, pane);
  const first = await sessionOf(server, pane);
  await prompt(server, pane, "hello");
  await exitClaude(server, pane);
  await startClaude(server, pane);
  const second = await sessionOf(server, pane);
  const holder = async () => (await recorded(server)).rows.find((row) => row.pane_id === pane)?.binding;
  strictEqual((await holder())?.session_id, first);
  // No hook is registered for prompts here: the transcript is the witness.
  await prompt(server, pane, "hello again");
  strictEqual((await holder())?.session_id, second);
});

Deno.test("a name that waits for a conversation that is over is dropped", async () => {
  await using server = await startServer();
  await server.newSession();
  const pending = `${server.scratch.state}/pending`;
  await Deno.mkdir(pending, { recursive: true, mode: 0o700 });
  await Deno.writeTextFile(`${pending}/aaaaaaaa-0000-4000-8000-000000000000.json`, "{}");
  await recorded(server);
  ok(!await exists(pending));
});

Deno.test("it belongs to the save whose layout it has, and to none otherwise", async () => {
  await using server = await startServer();
  const pane = await server.newSession({ session: "work", folder: server.scratch.home });
  const saves = `${server.scratch.home}/.tmux/resurrect`;
  await Deno.mkdir(saves, { recursive: true });
  const line = (index: number, cwd: string) =>
    ["pane", "work", "0", "1", ":*", `${index}`, "t", `:${cwd}`, "1", "bash", ":"].join("\t");
  const save = async (name: string, lines: string[]) => {
    await Deno.writeTextFile(`${saves}/${name}`, `${lines.join("\n")}\n`);
    await Deno.remove(`${saves}/last`).catch(() => {});
    await Deno.symlink(name, `${saves}/last`);
  };
  const others = (await server.panes()).filter((one) => one.id !== pane);
  strictEqual(others.length, 0);
  await save("tmux_resurrect_1.txt", [line(0, server.scratch.home)]);
  strictEqual((await recorded(server)).save, "tmux_resurrect_1.txt");
  await save("tmux_resurrect_2.txt", [line(0, "/elsewhere")]);
  strictEqual((await recorded(server)).save, null);
  await save("tmux_resurrect_3.txt", [line(0, server.scratch.home), line(1, "/")]);
  strictEqual((await recorded(server)).save, null);
});

Deno.test("twenty at once: the file is always whole", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const pane = await server.newSession();
  await startClaude(server, pane);
  const results = await Promise.all(Array.from({ length: 20 }, () => ours(server, "manifest")));
  // On a machine that is busy some wait too long for the lock; then another one wrote what they would have written.
  const codes = new Set(results.map(({ code }) => code));
  ok(codes.has(0) && codes.isSubsetOf(new Set([0, 1])), JSON.stringify(results));
  const { rows } = await recorded(server);
  strictEqual(rows.filter((row) => row.binding).length, 1);
});

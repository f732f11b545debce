// recover as a person uses it after a crash: real tmux servers, real files, the program itself.
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { exitClaude, prompt, sessionOf, startClaude } from "./helpers/panes.ts";
import { openIdle, putSave, writeConversation, writeSave } from "./helpers/past.ts";
import { runBin, type RunResult } from "./helpers/run_bin.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";
import { textWidth } from "../src/cli/width.ts";
import { candidatesFor } from "../src/survey/recover_candidates.ts";
import { survey } from "../src/survey/survey.ts";
import { realSystem } from "../src/system/real.ts";

interface Recovered {
  snapshot: { at: string; save: string | null; why: string } | null;
  panes: {
    pane_id: string | null;
    tmux_session: string;
    window_index: number;
    pane_index: number;
    candidates: {
      session_id: string;
      title: string | null;
      evidence: string[];
      age_seconds: number | null;
    }[];
  }[];
  missing: { tmux_session: string; window_index: number; tmux_session_missing: boolean; command: string }[];
  extra: { pane_id: string; command: string }[];
  moved: { session_id: string; to: { pane_id: string } }[];
}

/** Runs the program in the server's first pane, outside tmux where there is none. */
async function ours(
  server: TmuxServer,
  args: string[],
  env: Record<string, string> = {},
): Promise<RunResult> {
  const [first] = await server.panes().catch(() => []);
  const own = first
    ? await server.paneEnv(first.id)
    : { ...server.scratch.env, TMUX: `${server.socketPath},1,0` };
  return await runBin(args, { env: { ...own, ...env }, cwd: server.scratch.home });
}

async function recover(server: TmuxServer, ...args: string[]): Promise<Recovered> {
  const { code, stdout, stderr } = await ours(server, ["recover", "--json", ...args]);
  ok(code === 0 || code === 3, stderr);
  return JSON.parse(stdout);
}

const uuid = (index: number) => `${String(index).padStart(8, "0")}-1111-4111-8111-111111111111`;
const plainShell = () => ({ command: "bash", full: "" });

Deno.test("a crash loop of three server lives: the record before the first crash is proposed", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const layout = async () => {
    const first = await server.newSession({ session: "work", folder: await server.scratch.folder("one") });
    return [first, await server.newWindow(first, { folder: await server.scratch.folder("two") })];
  };
  const panes = await layout();
  for (const pane of panes) {
    await startClaude(server, pane);
    await prompt(server, pane, "hello");
  }
  const ids = [await sessionOf(server, panes[0]), await sessionOf(server, panes[1])];
  strictEqual((await ours(server, ["manifest"])).code, 0);
  const before = JSON.parse((await ours(server, ["manifest", "--print"])).stdout).server;

  for (const _life of ["second", "third"]) {
    await server.kill9();
    await server.restart();
    await layout();
    await writeSave(server, plainShell);
    strictEqual((await ours(server, ["manifest"])).code, 0);
  }
  await server.kill9();
  const without = await recover(server);
  await server.restart();
  await layout();
  for (const found of [without, await recover(server)]) {
    const record = await recordAt(server, found.snapshot!.at);
    strictEqual(record.server.started, before.started);
    strictEqual(record.server.pid, before.pid);
    match(found.snapshot!.why, /first crash.*crash loop/);
    deepStrictEqual(found.panes.map(({ candidates }) => candidates[0].session_id), ids);
  }
  const [, time] = /tmuxclaude restore --force --dry-run --at (\S+)/.exec(
    (await ours(server, ["recover"])).stdout,
  )!;
  const restored = await ours(server, ["restore", "--force", "--dry-run", "--json", "--at", time]);
  const rows: { session_id: string }[] = JSON.parse(restored.stdout).panes;
  deepStrictEqual(rows.map(({ session_id }) => session_id).sort(), ids.toSorted());
});

/** The snapshot of ours with that time. */
async function recordAt(server: TmuxServer, at: string) {
  const servers = `${server.scratch.state}/servers`;
  for await (const { name } of Deno.readDir(servers)) {
    for await (const snapshot of Deno.readDir(`${servers}/${name}/snapshots`)) {
      const record = JSON.parse(await Deno.readTextFile(`${servers}/${name}/snapshots/${snapshot.name}`));
      if (record.at === at) return record;
    }
  }
  throw new Error(`There is no snapshot of ${at}`);
}

/** Panes of each of eight folders; the first four have at most three. */
const COUNTS = [1, 2, 3, 3, 4, 5, 6, 6];

Deno.test("without any state of ours: 30 panes in 8 folders, each among the first three where it can be", async () => {
  await using server = await startServer();
  const held: { id: string; folder: number }[] = [];
  let last: string | null = null;
  for (const [folder, count] of COUNTS.entries()) {
    const path = await server.scratch.folder(`src/folder ${folder}`);
    for (let index = 0; index < count; index++) {
      last = await openIdle(server, last, path);
      held.push({ id: uuid(held.length), folder });
      await writeConversation(server.scratch, {
        id: held.at(-1)!.id,
        folder: path,
        began: 90,
        ended: 5 + index,
      });
    }
    // Older ones, and one of today, that no pane held.
    for (let index = 0; index < 4; index++) {
      await writeConversation(server.scratch, {
        id: uuid(900 + folder * 10 + index),
        folder: path,
        began: 999,
        ended: 400,
      });
    }
  }
  await writeSave(
    server,
    (index) =>
      index % 5 === 0
        ? { command: "claude", full: `claude --resume ${held[index].id} --verbose` }
        : { command: "claude", full: "claude" },
  );
  await Deno.remove(server.scratch.state, { recursive: true }).catch(() => {});

  const { snapshot, panes } = await recover(server);
  ok(snapshot?.save?.startsWith("tmux_resurrect_"));
  strictEqual(panes.length, 30);
  for (const [index, { candidates }] of panes.entries()) {
    const place = candidates.findIndex(({ session_id }) => session_id === held[index].id);
    ok(place >= 0, `pane ${index} is not given its conversation at all`);
    if (COUNTS[held[index].folder] <= 3) {
      ok(place < 3, `pane ${index} has its conversation at place ${place + 1}`);
    }
    if (index % 5 === 0) strictEqual(place, 0);
  }
  ok(panes[4].candidates.some(({ evidence }) => evidence.join().includes("it cannot tell")));
  const { stdout } = await ours(server, ["recover"]);
  match(stdout, /candidates: guesses.*A shared folder cannot tell/);
});

Deno.test("a chosen candidate is bound, written down, and revived as exact", async () => {
  await using server = await startServer();
  const folder = await server.scratch.folder("src/it's here");
  const pane = await server.newSession({ session: "work", folder });
  await writeConversation(server.scratch, { id: uuid(1), folder, began: 9, ended: 5, title: "Fix login" });
  await writeConversation(server.scratch, { id: uuid(2), folder, began: 9, ended: 4 });
  strictEqual((await ours(server, ["revive", "--pane", pane, "--dry-run"])).code, 3);

  const bound = await ours(server, ["recover", "--bind", `${pane}=${uuid(1)}`]);
  strictEqual(bound.code, 0, bound.stderr);
  match(bound.stderr, /bound to "Fix login"/);
  const line = JSON.parse((await Deno.readTextFile(`${server.scratch.state}/journal.jsonl`)).trim());
  deepStrictEqual([line.event, line.session_id, line.tmux.pane_id, line.cwd], [
    "bind",
    uuid(1),
    pane,
    folder,
  ]);

  const revived = JSON.parse((await ours(server, ["revive", "--pane", pane, "--enter", "--json"])).stdout);
  deepStrictEqual([revived.outcome, revived.rung, revived.session_id], ["typed", "stamp", uuid(1)]);
  const again = await recover(server, "--pane", pane);
  strictEqual(again.panes[0].candidates[0].session_id, uuid(1));
});

Deno.test("a bind that cannot be right is refused with a reason, and nothing is changed", async () => {
  await using server = await startServer();
  await server.scratch.registerHooks();
  const folder = await server.scratch.folder("src");
  const busy = await server.newSession({ session: "work", folder });
  const free = await server.newWindow(busy, { folder });
  await startClaude(server, busy);
  await prompt(server, busy, "hello");
  const alive = await sessionOf(server, busy);
  await writeConversation(server.scratch, { id: uuid(1), folder, began: 9, ended: 5 });
  const journal = await Deno.readTextFile(`${server.scratch.state}/journal.jsonl`);

  const cases: [string, number, RegExp][] = [
    [`${busy}=${uuid(1)}`, 1, /a Claude is running in it/],
    [`${free}=${alive}`, 1, new RegExp(`alive in pane work:0.0 \\(${busy}\\)`)],
    [`${free}=${uuid(7)}`, 3, /no transcript/],
    [`%99=${uuid(1)}`, 3, /no such pane/],
    [`work:0.0=${uuid(1)}`, 2, /named by its id/],
    [`${free}=Fix login`, 2, /a UUID/],
    [`${free}`, 2, /a UUID/],
    [`${free}=${uuid(1)};touch x`, 2, /a UUID/],
  ];
  for (const [value, code, why] of cases) {
    const result = await ours(server, ["recover", "--bind", value]);
    strictEqual(result.code, code, `${value}: ${result.stderr}`);
    match(result.stderr, why);
  }
  const both = await ours(server, [
    "recover",
    "--bind",
    `${free}=${uuid(1)}`,
    "--bind",
    `${busy}=${uuid(1)}`,
  ]);
  strictEqual(both.code, 1);
  strictEqual(await Deno.readTextFile(`${server.scratch.state}/journal.jsonl`), journal);
  strictEqual(await server.run("show-options", "-pqv", "-t", free, "@tmuxclaude_session"), "");

  strictEqual((await ours(server, ["recover", "--force", "--bind", `${free}=${alive}`])).code, 0);
  await exitClaude(server, busy);
  // It went on in the busy pane after the bind.
  const refused = JSON.parse((await ours(server, ["revive", "--pane", free, "--json"])).stdout);
  deepStrictEqual([refused.outcome, refused.reason], ["refused", "moved"]);
});

Deno.test("what is missing is made again and bound by the printed command", async () => {
  await using server = await startServer();
  const folder = await server.scratch.folder("src/it's #S; here");
  const first = await server.newSession({ session: "keep", folder: server.scratch.home });
  await server.newSession({ session: "lost one", name: "api", folder });
  await writeConversation(server.scratch, { id: uuid(1), folder, began: 9, ended: 5 });
  await writeSave(server, () => ({ command: "claude", full: "claude" }));
  await server.kill9();
  await server.restart();
  await server.newSession({ session: "keep", folder: server.scratch.home });
  await server.newSession({ session: "new", folder: server.scratch.home });

  const found = await recover(server);
  deepStrictEqual(found.missing.map((pane) => [pane.tmux_session, pane.tmux_session_missing]), [[
    "lost one",
    true,
  ]]);
  deepStrictEqual(found.extra.map(({ command }) => command), ["tmux kill-pane -t %1"]);
  strictEqual(first, "%0");
  const text = (await ours(server, ["recover"])).stdout;
  const command = text.split("\n").find((line) => line.includes("--bind $(tmux"))!.trim();
  const done = await new Deno.Command("sh", {
    args: ["-c", command],
    env: { ...await server.paneEnv("%0"), HISTFILE: "" },
    clearEnv: true,
  }).output();
  strictEqual(done.code, 0, new TextDecoder().decode(done.stderr));
  const made = (await server.panes()).find(({ session }) => session === "lost one")!;
  deepStrictEqual([made.folder, made.windowName], [folder, "api"]);
  strictEqual(await server.run("show-options", "-pqv", "-t", made.id, "@tmuxclaude_session"), uuid(1));
  deepStrictEqual((await recover(server)).missing, []);
});

Deno.test("without a tmux server it lists, with the line that resumes each", async () => {
  await using server = await startServer();
  const folder = await server.scratch.folder("src/a b");
  await server.newSession({ session: "work", folder });
  const other = `${server.scratch.root}/second config`;
  await writeConversation(server.scratch, { id: uuid(1), folder, began: 9, ended: 5, configDir: other });
  await writeConversation(server.scratch, { id: uuid(2), folder, began: 9, ended: 1 });
  await writeSave(server, () => ({ command: "claude", full: `claude --resume ${uuid(1)}` }));
  await server.kill9();

  const args = ["--config-dir", other];
  const found = await recover(server, ...args);
  deepStrictEqual(found.panes[0].candidates.map(({ session_id }) => session_id), [uuid(1), uuid(2)]);
  deepStrictEqual((await recover(server)).panes[0].candidates.map(({ session_id }) => session_id), [
    uuid(2),
    uuid(1),
  ]);
  strictEqual(found.panes[0].pane_id, null);
  const text = await ours(server, ["recover", ...args]);
  strictEqual(text.code, 0);
  ok(
    text.stdout.includes(`cd '${folder}' && CLAUDE_CONFIG_DIR='${other}' claude --resume ${uuid(1)}`),
    text.stdout,
  );
  ok(text.stdout.includes(`cd '${folder}' && claude --resume ${uuid(2)}`));
  match(text.stderr, /no tmux server/);
  strictEqual((await ours(server, ["recover", "--bind", `%0=${uuid(1)}`])).code, 4);
  strictEqual((await ours(server, ["recover", "--pane", "%0"])).code, 4);
});

Deno.test("saves of old versions, torn ones, and a `last` that leads nowhere", async () => {
  await using server = await startServer();
  const folder = await server.scratch.folder("src");
  await writeConversation(server.scratch, { id: uuid(1), folder, began: 90, ended: 50 });
  const line = [
    "pane",
    "work",
    0,
    ":api",
    1,
    ":*",
    0,
    `:${folder}`,
    1,
    "claude",
    `:claude --resume ${uuid(1)}`,
  ].join("\t");
  await putSave(server.scratch, `${line}\n${line.replace("\t0\t", "\t1\t").slice(0, 40)}`, 40);
  await putSave(server.scratch, "", 30);
  await putSave(server.scratch, "pane\tx", 20);
  await Deno.remove(`${server.scratch.home}/.tmux/resurrect/last`);
  await Deno.symlink("gone.txt", `${server.scratch.home}/.tmux/resurrect/last`);
  await server.newSession({ session: "now", folder });
  const { panes } = await recover(server);
  strictEqual(panes[0].candidates[0].session_id, uuid(1));
  match(panes[0].candidates[0].evidence[0], /tmux-resurrect saved a command/);
});

Deno.test("--at goes by an earlier record, and a list of boots tells when the machine went down", async () => {
  await using server = await startServer();
  const folder = await server.scratch.folder("src");
  await writeConversation(server.scratch, { id: uuid(1), folder, began: 90, ended: 50 });
  const save = (session: string) =>
    ["pane", session, 0, 1, ":*", 0, "t", `:${folder}`, 1, "claude", ":claude"].join("\t");
  await putSave(server.scratch, save("old"), 60);
  await putSave(server.scratch, save("new"), 30);
  const time = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  strictEqual((await recover(server)).panes[0].tmux_session, "new");
  strictEqual((await recover(server, "--at", time(40))).panes[0].tmux_session, "old");
  const none = await ours(server, ["recover", "--json", "--at", time(99)]);
  deepStrictEqual([none.code, JSON.parse(none.stdout).snapshot], [3, null]);
  strictEqual((await ours(server, ["recover", "--at", "yesterday"])).code, 2);

  const shown = (hours: number) => `Mon ${time(hours).slice(0, 19).replace("T", " ")} UTC`;
  const boots = `-1 x ${shown(99)}—${shown(29)}\n 0 y ${shown(1)}—${shown(0)}`;
  await Deno.writeTextFile(`${server.scratch.bin}/journalctl`, `#!/bin/sh\ncat <<'E'\n${boots}\nE\n`, {
    mode: 0o755,
  });
  match((await recover(server)).snapshot!.why, /the machine went down at .*since then 1 boot/);
  await Deno.writeTextFile(`${server.scratch.bin}/journalctl`, "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
  strictEqual((await recover(server)).panes[0].tmux_session, "new");
});

Deno.test("the list fits the terminal, names that hurt included, and narrows down", async () => {
  await using server = await startServer();
  const folder = await server.scratch.folder(
    "src/日本語 フォルダ with a name that is quite long for a folder",
  );
  const pane = await server.newSession({ session: "wörk 🎉", name: "x\u001b[31m", folder });
  const other = await server.newWindow(pane, { folder: server.scratch.home });
  for (const index of [1, 2, 3, 4]) {
    await writeConversation(server.scratch, {
      id: uuid(index),
      folder,
      began: 9,
      ended: index,
      title: `\u001b]0;漢字 ${index}\u0007 title`,
    });
  }
  await writeSave(server, () => ({ command: "claude", full: "" }));
  const { stdout } = await ours(server, ["recover"], { COLUMNS: "60" });
  // deno-lint-ignore no-control-regex
  ok(!/[\u0000-\u0009\u000b-\u001f\u007f]/.test(stdout));
  for (const line of stdout.split("\n").filter((line) => line.startsWith("  ") && !line.includes("tmux"))) {
    ok(textWidth(line) <= 60, line);
  }
  match(stdout, new RegExp(`1 more: tmuxclaude recover --pane ${pane}`));
  strictEqual((await recover(server, "--pane", other)).panes.length, 1);
  strictEqual((await recover(server, "--session", "nobody")).panes.length, 0);
  strictEqual((await recover(server, "--folder", folder)).panes.length, 1);
  const recent = await recover(server, "--pane", pane, "--since", "2.5h");
  deepStrictEqual(recent.panes[0].candidates.map(({ session_id }) => session_id), [uuid(1), uuid(2)]);
  strictEqual((await ours(server, ["recover", "--pane", "%99"])).code, 3);
});

Deno.test("a menu gets the candidates of one pane: by its place after a restore, by its folder when it is new", async () => {
  await using server = await startServer();
  const { env } = server.scratch;
  const system = { ...realSystem(), env: (name: string) => env[name], environment: () => env };
  const folder = await server.scratch.folder("src");
  const elsewhere = await server.scratch.folder("other");
  const layout = async () => {
    const first = await openIdle(server, null, folder);
    return [first, await openIdle(server, first, folder)];
  };
  await layout();
  for (const index of [1, 2]) {
    await writeConversation(server.scratch, { id: uuid(index), folder, began: 9, ended: index });
  }
  await writeConversation(server.scratch, { id: uuid(3), folder: elsewhere, began: 9, ended: 3 });
  const full = (index: number) => index === 0 ? `claude --resume ${uuid(2)}` : "claude";
  await writeSave(server, (index) => ({ command: "claude", full: full(index) }));
  await server.kill9();
  await server.restart();
  const panes = await layout();
  await server.run("set-option", "-s", "@tmuxclaude_restored", String(Date.now()));
  const fresh = await openIdle(server, panes[0], elsewhere);

  const seen = await survey({ system, socket: server.socketPath });
  const ids = (pane: string) => candidatesFor(system, seen, pane).map(({ session_id }) => session_id);
  deepStrictEqual(ids(panes[0]), [uuid(2), uuid(1)]);
  deepStrictEqual(ids(panes[1]), [uuid(1), uuid(2)]);
  deepStrictEqual(ids(fresh), [uuid(3)]);
  deepStrictEqual(ids("%99"), []);
});

Deno.test("state that cannot be read is left out, and said so", async () => {
  await using server = await startServer();
  const folder = await server.scratch.folder("src");
  await server.newSession({ session: "work", folder });
  await writeConversation(server.scratch, { id: uuid(1), folder, began: 9, ended: 1 });
  await Deno.mkdir(server.scratch.state, { recursive: true });
  await Deno.symlink("/etc/passwd", `${server.scratch.state}/journal.jsonl`);
  const { code, stdout, stderr } = await ours(server, ["recover"]);
  strictEqual(code, 0, stderr);
  ok(stdout.includes(uuid(1)));
  match(stderr, /the journal was left out/);
});

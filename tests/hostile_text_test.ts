// Hostile folders, window names, tmux session names, titles, teams, config dirs and flags on the whole way: hook,
// manifest, save and its repair, crash, restore, revive, list, recover, doctor, menu and messages with a client that
// looks on. Nothing of it is ever executed, and the line that is typed means exactly what was recorded (H5).
import assert from "node:assert/strict";
import { run as manifest } from "../src/commands/manifest.ts";
import { run as restore } from "../src/commands/restore.ts";
import { run as revive } from "../src/commands/revive.ts";
import { jsonText, printableLines } from "../src/cli/output.ts";
import { message } from "../src/tmux/format.ts";
import { nameConf } from "../src/tmux/name_conf.ts";
import { HOSTILE } from "./fixtures/hostile_words.ts";
import { idOf } from "./fixtures/state_world.ts";
import { arm, build, claudeIn, hasRun, type HostilePane, nextStart } from "./helpers/hostile_server.ts";
import { runHook, runIn } from "./helpers/in_process.ts";
import { until, untilText } from "./helpers/poll.ts";
import { runBin } from "./helpers/run_bin.ts";
import type { Scratch } from "./helpers/scratch.ts";
import { SHELLS, startServer, type TmuxServer } from "./helpers/tmux_server.ts";

/** Each word is tried once in a run, as one kind of text; other runs (SEED=1, 2, …) try it as the other kinds. */
const PANES = Math.ceil(HOSTILE.length / 7);
const A_SESSION = 5;

const word = (kind: number, n: number) => HOSTILE[(n + kind * PANES) % HOSTILE.length];
const NAMES = Object.keys(SHELLS) as (keyof typeof SHELLS)[];

/** What tmux itself refuses or changes in names of its sessions, and what would be no name. */
function sessionName(n: number): string {
  return `s${n} ${word(6, n * A_SESSION)}`.replaceAll(/[.:]/g, "_");
}

async function planPanes(scratch: Scratch, shift: number): Promise<HostilePane[]> {
  const panes = Array.from({ length: PANES }, (_, index): HostilePane => {
    const n = shift + index;
    return {
      id: "",
      session_id: idOf(0xa000 + index),
      session: sessionName(Math.floor(n / A_SESSION)),
      window: `w ${word(1, n)}`,
      folder: `${scratch.home}/${index}/${word(0, n)}`,
      title: word(2, n).replaceAll(/\s+/g, " ").trim() || "title",
      configDir: index % 2 ? null : `${scratch.home}/configs/${index}/${word(3, n)}/c`,
      argument: word(4, n),
      name: word(5, n).trim(),
      shell: NAMES[index % NAMES.length],
    };
  });
  for (const { folder, configDir, session_id, name } of panes) {
    await Deno.mkdir(folder, { recursive: true });
    const project = `${configDir ?? scratch.config}/projects/p`;
    await Deno.mkdir(project, { recursive: true });
    const lines = [
      {
        type: "user",
        cwd: folder,
        timestamp: new Date().toISOString(),
        entrypoint: "cli",
        sessionId: session_id,
      },
      { type: "custom-title", customTitle: name, sessionId: session_id },
    ];
    await Deno.writeTextFile(
      `${project}/${session_id}.jsonl`,
      lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
  }
  return panes;
}

/** The hook of each pane's conversation, as its Claude would call it. */
async function bindAll(server: TmuxServer, panes: HostilePane[]): Promise<void> {
  for (const [index, pane] of panes.entries()) {
    await server.run("set-option", "-t", pane.id, "@tmuxclaude-team", word(6, index + 1));
    const env = await server.paneEnv(pane.id);
    const { argument, session_id, folder, name } = pane;
    const above = claudeIn(Number(await server.paneFormat(pane.id, "#{pane_pid}")), [
      "claude",
      `--add-dir=${argument}`,
    ]);
    const event = {
      hook_event_name: "SessionStart",
      session_id,
      cwd: folder,
      source: "startup",
      session_title: name,
    };
    const ran = await runHook(
      { ...env, ...(pane.configDir === null ? {} : { CLAUDE_CONFIG_DIR: pane.configDir }) },
      0,
      JSON.stringify(event),
      above,
    );
    assert.equal(ran.stderr, "");
    const stamp = JSON.parse(await server.paneFormat(pane.id, "#{@tmuxclaude_binding}"));
    assert.deepEqual([stamp.cwd, stamp.config_dir], [folder, pane.configDir]);
  }
}

/** A client on a terminal of its own, which draws titles, names, messages and menus. */
async function attach(server: TmuxServer, outer: TmuxServer): Promise<{ screen: string; client: string }> {
  const { TMUX: _inner, ...env } = server.scratch.env;
  const words = Object.entries(env).map(([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'`);
  const screen = await outer.newSession();
  await outer.sendLine(screen, `env -i ${words.join(" ")} tmux -u -L ${server.socketName} attach`);
  const client = await until("a client", () => server.run("list-clients", "-F", "#{client_name}"));
  return { screen, client };
}

/** As tmux-resurrect saves and restores: names and titles are given to tmux, which expands them. */
async function saveAndRename(
  server: TmuxServer,
  panes: HostilePane[],
  run: () => Promise<number>,
): Promise<void> {
  const folder = `${server.scratch.home}/.tmux/resurrect`;
  await Deno.mkdir(folder, { recursive: true });
  const text = [];
  for (const { id } of panes) {
    const field = (format: string) => server.paneFormat(id, format);
    const [session, window, pane] = [await field("#{session_name}"), await field("#{window_index}"), "0"];
    const [name, title, path] = [
      await field("#{window_name}"),
      await field("#{pane_title}"),
      await field("#{pane_current_path}"),
    ];
    text.push(["pane", session, window, "1", ":*", pane, title, `:${path}`, "1", "bash", ":bash"].join("\t"));
    text.push(["window", session, window, `:${name}`, "1", ":*", "layout", ":"].join("\t"));
  }
  await Deno.writeTextFile(`${folder}/tmux_resurrect_20260101T000000.txt`, `${text.join("\n")}\n`);
  await Deno.symlink("tmux_resurrect_20260101T000000.txt", `${folder}/last`);
  assert.equal(await run(), 0);
  const saved = await Deno.readTextFile(`${folder}/last`);
  for (const line of saved.split("\n")) {
    const fields = line.split("\t");
    const name = fields[0] === "window" ? fields[3]?.slice(1) : fields[0] === "pane" ? fields[6] : undefined;
    if (name) await server.attempt("display-message", "-p", name);
  }
}

Deno.test(`H5: ${PANES} panes with hostile everything, of ${HOSTILE.length} words: from hook to revive nothing runs, and each line is exact`, async () => {
  assert.ok(HOSTILE.length >= 100);
  await using server = await startServer();
  await using outer = await startServer();
  const { scratch } = server;
  await arm(scratch);
  const panes = await planPanes(scratch, (Number(Deno.env.get("SEED")) || 0) * PANES);
  const none = async (says: string) => assert.ok(!await hasRun(scratch), `${says}: the canary was run`);

  await Deno.writeTextFile(`${scratch.root}/names.conf`, nameConf({ bin: `${scratch.bin}/tmuxclaude` }));
  await server.newSession({ session: "keep" });
  await server.run("source-file", `${scratch.root}/names.conf`);
  await server.run(
    "set-option",
    "-g",
    "status-right",
    "#{E:@tmuxclaude_status}#{pane_title}#{window_name}#{session_name}",
  );
  await build(server, panes);
  await none("building");
  await bindAll(server, panes);
  const { screen, client } = await attach(server, outer);
  await none("the hook");
  const env = await server.paneEnv(panes[0].id);
  await saveAndRename(
    server,
    panes,
    async () => (await runIn(env, {}, (system) => manifest(system, {}))).code,
  );
  await none("the manifest and the save");

  const answers = await Promise.all(
    [["list"], ["list", "--json"], ["recover"], ["doctor"]].map((args) => runBin(args, { env })),
  );
  await none("list, recover, doctor");
  for (const { stdout, stderr } of answers) {
    // deno-lint-ignore no-control-regex -- control characters are what is looked for
    assert.doesNotMatch(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  }
  await server.run("set-option", "-g", "automatic-rename", "on");
  for (const { id } of panes.slice(0, 12)) {
    await server.run("set-option", "-w", "-t", id, "automatic-rename", "on");
    await server.run("switch-client", "-c", client, "-t", id);
  }
  await outer.capture(screen);
  await none("automatic names and the status line");
  await crash(server, panes);
  await none("the crash");
  await restoreAndRevive(server, panes);
  await none("restore and revive");
});

async function crash(server: TmuxServer, panes: HostilePane[]): Promise<void> {
  await server.kill9();
  await server.restart();
  await build(server, panes);
}

async function restoreAndRevive(server: TmuxServer, panes: HostilePane[]): Promise<void> {
  const env = await server.paneEnv(panes[0].id);
  const restored = await runIn(env, {}, (system) => restore(system, { json: true }));
  const rows: { session_id: string; action: string; reason: string }[] = JSON.parse(restored.stdout).panes;
  for (const pane of panes) {
    const row = rows.find(({ session_id }) => session_id === pane.session_id);
    assert.deepEqual([pane.folder, row?.action], [pane.folder, "stamped"], row?.reason);
  }
  for (const pane of panes) {
    const ran = await runIn(env, {}, (system) => revive(system, { pane: pane.id, json: true, enter: true }));
    const { outcome, message, line } = JSON.parse(ran.stdout);
    assert.equal(outcome, "typed", `${pane.shell}: ${line}\n${message}\n${await server.capture(pane.id)}`);
    const { cwd, configDir, argv } = await nextStart(server.scratch);
    const wanted = [pane.folder, pane.configDir ?? "", [
      "--resume",
      pane.session_id,
      `--add-dir=${pane.argument}`,
    ]];
    assert.deepEqual([cwd, configDir, argv], wanted, `${pane.shell}: ${line}`);
  }
}

/** Conversations of one folder, with hostile titles. */
async function writeTitles(scratch: Scratch, folder: string, titles: string[]): Promise<void> {
  const project = `${scratch.config}/projects/${folder.replaceAll(/[^A-Za-z0-9]/g, "-")}`;
  await Deno.mkdir(project, { recursive: true });
  for (const [index, title] of titles.entries()) {
    const sessionId = idOf(0xb000 + index);
    const line = {
      type: "user",
      cwd: folder,
      timestamp: new Date().toISOString(),
      entrypoint: "cli",
      sessionId,
    };
    const lines = [line, { type: "custom-title", customTitle: title, sessionId }];
    await Deno.writeTextFile(
      `${project}/${sessionId}.jsonl`,
      lines.map((one) => `${JSON.stringify(one)}\n`).join(""),
    );
  }
}

const MENUS = 3;
const ITEMS = 9;

Deno.test(`H5: ${MENUS * ITEMS} hostile titles in menus, and what is chosen, run nothing`, async () => {
  await using server = await startServer();
  await using outer = await startServer();
  const { scratch } = server;
  await arm(scratch);
  const keep = await server.newSession();
  const { screen, client } = await attach(server, outer);
  const env = await server.paneEnv(keep);
  for (let menu = 0; menu < MENUS; menu++) {
    const folder = await scratch.folder(`project ${menu}`);
    await writeTitles(scratch, folder, Array.from({ length: ITEMS }, (_, n) => word(0, menu * ITEMS + n)));
    const pane = await server.newWindow(keep, { folder });
    await server.run("select-window", "-t", pane);
    const shown = await runBin(["revive", "--menu", "--pane", pane, "--client", client], { env });
    assert.equal(shown.code, 0, shown.stderr);
    await untilText("the menu", () => outer.capture(screen), "Which conversation?");
    await outer.press(screen, String(1 + menu));
    await untilText("the line", () => server.capture(pane), /claude --resume [0-9a-f-]{36}/);
    assert.ok(!await hasRun(scratch), `the canary was run by menu ${menu}`);
  }
});

const MESSAGES = 40;

Deno.test(`H5: ${MESSAGES} messages about hostile folders, on a client that looks on, run nothing and are shown as they are`, async () => {
  await using server = await startServer();
  await using outer = await startServer();
  const { scratch } = server;
  await arm(scratch);
  const pane = await server.newSession();
  const { screen, client } = await attach(server, outer);
  const env = await server.paneEnv(pane);
  const above = claudeIn(Number(await server.paneFormat(pane, "#{pane_pid}")), ["claude"]);
  await writeTitles(scratch, scratch.home, ["title"]);
  for (let n = 0; n < MESSAGES; n++) {
    const folder = `/gone/${word(0, n)}`;
    const event = {
      hook_event_name: "SessionStart",
      session_id: idOf(0xb000),
      cwd: folder,
      source: "startup",
    };
    await runHook(env, 0, JSON.stringify(event), above);
    const ran = await runIn(env, {}, (system) => revive(system, { pane, client }));
    assert.equal(ran.code, 1, folder);
    const first = word(0, n).replaceAll(/[^ -~].*$/gs, "").slice(0, 20);
    await untilText(
      `the message about ${JSON.stringify(folder)}`,
      () => outer.capture(screen),
      `/gone/${first}`,
    );
    assert.ok(!await hasRun(scratch), `the canary was run by ${folder}`);
  }
});

Deno.test("H5: what is printed about hostile words is nothing that a terminal obeys, and JSON still says the same", () => {
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
  for (const one of [...HOSTILE, "\u2066x\u2069", "\u0085", "\u2028"]) {
    for (const indent of [0, 2]) {
      const text = jsonText({ [one]: [one] }, indent);
      assert.doesNotMatch(text, obeyed);
      assert.deepEqual(JSON.parse(text), { [one]: [one] });
    }
    assert.doesNotMatch(printableLines(one), obeyed);
    assert.doesNotMatch(message(one), obeyed);
  }
});

// What doctor prints, what it keeps to itself, and how it behaves when other programs do not.
import assert from "node:assert/strict";
import { fileSystemType } from "../src/doctor/checks_state.ts";
import { type Checked, fail, hidden, info, ok, warn } from "../src/doctor/check.ts";
import { renderReport, renderText, toJson } from "../src/doctor/render.ts";
import { CHECKS } from "../src/doctor/run.ts";
import { counted } from "../src/counted.ts";
import { appendJournal } from "../src/state/journal.ts";
import { runTmux } from "../src/tmux/client.ts";
import { stampCommands } from "../src/tmux/options.ts";
import { makeInstalled } from "./fixtures/installed_world.ts";
import { idOf, lineOf, systemFor } from "./fixtures/state_world.ts";
import { runBin } from "./helpers/run_bin.ts";
import { makeScratch } from "./helpers/scratch.ts";
import { tmuxOf } from "./helpers/typing.ts";

const FOUND: Checked[] = [
  { id: "a.one", group: "program", ...ok("fine") },
  { id: "a.second", group: "tmux", ...info(`at ${hidden("/home/me/secret")}`, { fix: "try this" }) },
  {
    id: "b.third",
    group: "hook",
    ...warn("look", { fix: `see ${hidden("/home/me/.claude/settings.json")}` }),
  },
  { id: "b.last", group: "hook", ...fail("broken", { fix: "mend me", data: { n: 1 } }) },
];

Deno.test("text has a line for each check, an arrow for each next step, and the most important one last", () => {
  const lines = renderText(FOUND, { color: false, unicode: false }).split("\n");
  assert.deepEqual(lines, [
    "ok   a.one     fine",
    "info a.second  at /home/me/secret",
    "  -> try this",
    "warn b.third   look",
    "  -> see /home/me/.claude/settings.json",
    "FAIL b.last    broken",
    "  -> mend me",
    "",
    "1 ok, 1 for your information, 1 to look at, 1 broken, 0 skipped. Next: mend me",
    "",
  ]);
  const colored = renderText(FOUND, { color: true, unicode: true });
  assert.ok(colored.includes("\x1b[31m✗\x1b[0m b.last"));
});

Deno.test("one is told as one", () => {
  assert.deepEqual([0, 1, 2].map((number) => counted(number, "pane")), ["0 panes", "1 pane", "2 panes"]);
});

Deno.test("what a terminal would obey is not in the text, and a message stays one line", () => {
  const found: Checked[] = [{ id: "a.x", group: "hook", ...ok(`read ${hidden("a\u001b[31m\nb")}`) }];
  const [line] = renderText(found, { color: false, unicode: false }).split("\n");
  assert.equal(line, "ok   a.x  read a\ufffd[31m\ufffdb");
});

Deno.test("text and JSON come from the same list", () => {
  const json = toJson(FOUND, false) as {
    ok: boolean;
    checks: { id: string; message: string; data: unknown }[];
  };
  const text = renderText(FOUND, { color: false, unicode: false });
  assert.deepEqual(json.checks.map((check) => check.id), FOUND.map((check) => check.id));
  for (const check of json.checks) assert.ok(text.includes(check.message), check.message);
  assert.deepEqual([json.ok, json.checks[3].data], [false, { n: 1 }]);
});

Deno.test("the ids are stable and each is there once", () => {
  const ids = CHECKS.map((check) => check.id);
  assert.equal(new Set(ids).size, ids.length);
  for (const { id, group } of CHECKS) assert.ok(id.startsWith(`${group}.`), id);
});

Deno.test("a report hides names and folders, the home, the user and the host", () => {
  const found: Checked[] = [...FOUND, {
    id: "c.x",
    group: "state",
    ...ok("of anna on box, see /home/me/other"),
  }];
  const report = renderReport(found, { home: "/home/me", user: "anna", host: "box" }, () => "1a2b3c4d");
  assert.match(report, /at <1a2b3c4d>/);
  assert.match(report, /see ~\/\.claude\/settings\.json/);
  assert.match(report, /of USER on HOST, see ~\/other/);
  for (const secret of ["secret", "/home/me", "anna", "box"]) assert.ok(!report.includes(secret), secret);
});

Deno.test("a report shows a path only when every part of it is a name that everybody's has", () => {
  const shown = [
    "/home/me/.local/bin/tmuxclaude",
    "/home/me/.config/tmux/tmux.conf",
    "/tmp/tmux-1000/default",
  ];
  const hashed = [
    "/home/me/clients/acme/.claude/settings.json",
    "/tmp/acme/tmuxclaude",
    "claude",
    "/opt/acme/claude",
  ];
  const found: Checked[] = [...shown, ...hashed].map((path) => ({
    id: "c.x",
    group: "state",
    ...ok(hidden(path)),
  }));
  const report = renderReport(found, { home: "/home/me", user: "anna", host: "box" }, () => "1a2b3c4d");
  assert.ok(!/acme/.test(report), report);
  assert.equal(report.match(/<1a2b3c4d>/g)?.length, hashed.length, report);
});

Deno.test("a report shows nothing of what stands in a broken file", async () => {
  await using scratch = await makeScratch();
  await Deno.writeTextFile(`${scratch.config}/settings.json`, '{ "key": hunter2 }\n');
  await Deno.mkdir(scratch.state, { recursive: true });
  await Deno.mkdir(`${scratch.state}/journal.jsonl/hunter2`, { recursive: true });
  const told = await runBin(["doctor"], { env: scratch.env });
  assert.match(told.stdout, /not valid JSON: .*hunter2/);
  const report = await runBin(["doctor", "--report"], { env: scratch.env });
  assert.match(report.stdout, /hook\.settings +~\/\.claude\/settings\.json cannot be used: <[0-9a-f]{8}>/);
  for (const part of ["hunter", "unter2"]) assert.ok(!report.stdout.includes(part), report.stdout);
});

Deno.test("--fix tells of what install did, and of no server where none was told", async () => {
  await using scratch = await makeScratch();
  await Deno.writeTextFile(`${scratch.config}/settings.json`, "{}\n");
  const { env } = scratch;
  assert.equal((await runBin(["install", "--no-tmux"], { env })).code, 0);
  await Deno.writeTextFile(`${scratch.config}/settings.json`, "{}\n");
  const { stderr } = await runBin(["doctor", "--fix", "--yes"], { env });
  assert.match(stderr, /changed ~\/\.claude\/settings\.json, as it was: /);
  assert.doesNotMatch(stderr, /told/);
});

Deno.test("the file system of a folder is the one of its nearest mount", () => {
  const mounts = [
    "22 27 0:21 / / rw - ext4 /dev/vda rw",
    "23 22 0:22 / /home rw,relatime shared:1 - nfs4 server:/home rw",
    "24 23 0:23 / /home/with\\040blank rw - btrfs /dev/b rw",
  ].join("\n");
  assert.equal(fileSystemType(mounts, "/var/x"), "ext4");
  assert.equal(fileSystemType(mounts, "/home/me/.local"), "nfs4");
  assert.equal(fileSystemType(mounts, "/homeless"), "ext4");
  assert.equal(fileSystemType(mounts, "/home/with blank/x"), "btrfs");
  assert.equal(fileSystemType("", "/var/x"), null);
});

Deno.test("before install doctor ends with 1 and says what to do; after it with 0, as the program itself", async () => {
  await using scratch = await makeScratch();
  await Deno.writeTextFile(`${scratch.config}/settings.json`, "{}\n");
  const before = await runBin(["doctor"], { env: scratch.env });
  assert.deepEqual([before.code, before.stderr], [1, ""]);
  assert.match(before.stdout, /Next: tmuxclaude install/);
  await runBin(["install"], { env: scratch.env });
  const after = await runBin(["doctor"], { env: scratch.env });
  assert.equal(after.code, 0, after.stdout);
  // On a loaded machine it says so, which is no failure.
  assert.match(after.stdout, /[✓!] hook\.works +(run as Claude runs it|the hook works)/);
  assert.match(after.stdout, /tmux\.server +no tmux server is running/);
});

Deno.test("--strict lets warnings count", async () => {
  await using world = await makeInstalled();
  await world.server.run("set", "-g", "status-right", "a theme");
  assert.equal((await world.print({})).code, 0);
  assert.equal((await world.print({ strict: true })).code, 1);
});

Deno.test("--report of a real world holds neither its home nor its names", async () => {
  await using world = await makeInstalled();
  await world.server.newSession({ session: "secret project.1" });
  const { text } = await world.print({ report: true }, { USER: "tester" });
  for (const secret of [world.home, "secret project", "tester", Deno.hostname()]) {
    assert.ok(!text.includes(secret), secret);
  }
  assert.match(text, /hook\.registered/);
});

Deno.test("conversations of panes that Claude deletes within a week are counted, others are not", async () => {
  await using world = await makeInstalled();
  const { config } = world.server.scratch;
  const project = `${config}/projects/-home-me`;
  await Deno.mkdir(project, { recursive: true });
  for (const [number, days] of [[1, 1], [2, 25], [3, 29], [4, 400], [5, 25]]) {
    const path = `${project}/${idOf(number)}.jsonl`;
    await Deno.writeTextFile(path, '{"type":"user"}\n');
    const time = Date.now() / 1000 - days * 86_400;
    await Deno.utime(path, time, time);
    const line = lineOf(number, { config_dir: config, transcript: number === 3 ? null : path });
    await appendJournal(systemFor(world.env), line);
    // The fifth was left long ago.
    if (number === 5) continue;
    await runTmux(tmuxOf(world.server), stampCommands(await world.server.newSession(), line));
  }
  const seen = (await world.doctor()).checks.get("claude.retention")!;
  assert.deepEqual([seen.level, seen.data], ["warn", {
    cleanup_period_days: 30,
    bound: 4,
    deleted_within_a_week: 2,
  }]);
  assert.match(seen.message, /deletes 2 bound conversations within a week/);
  await Deno.writeTextFile(world.settings, JSON.stringify({ cleanupPeriodDays: 365 }));
  assert.equal((await world.doctor()).checks.get("claude.retention")!.level, "ok");
});

Deno.test("a tmux server that hangs makes its check fail, not the command", async () => {
  await using world = await makeInstalled();
  const pid = await world.server.pid();
  Deno.kill(pid, "SIGSTOP");
  try {
    const begin = performance.now();
    const { code, checks } = await world.doctor();
    // One call waits its 5 s; each of the others would add as much.
    assert.ok(performance.now() - begin < 20_000);
    assert.equal(code, 1);
    assert.equal(checks.get("tmux.answers")!.level, "fail");
    assert.equal(checks.get("keys.revive")!.level, "skip");
    assert.equal(checks.get("hook.registered")!.level, "ok");
  } finally {
    Deno.kill(pid, "SIGCONT");
  }
});

Deno.test("--deep survives a crash on a private server", async () => {
  await using scratch = await makeScratch();
  await runBin(["install", "--no-tmux"], { env: scratch.env });
  const ran = await runBin(["doctor", "--deep", "--json"], { env: scratch.env });
  const found = JSON.parse(ran.stdout).checks.at(-1);
  assert.deepEqual([found.id, found.level], ["deep.round_trip", "ok"], found.message);
});

Deno.test("Claude's folders are those that were named, and one that is not there is said to be missing", async () => {
  await using scratch = await makeScratch();
  const gone = `${scratch.home}/.claude-wrok`;
  const look = async (...args: string[]) => {
    const { stdout } = await runBin(["doctor", "--json", ...args], { env: scratch.env });
    const all = JSON.parse(stdout).checks as Checked[];
    return ["claude.config", "hook.settings"].map((id) => all.find((check) => check.id === id)!);
  };
  const [config, settings] = await look("--config-dir", gone);
  assert.equal(config.level, "warn");
  assert.match(config.message, /\.claude-wrok is not there/);
  assert.match(settings.message, /\.claude-wrok\/settings\.json \(not there yet\)/);
  const [both] = await look("--config-dir", scratch.config, "--config-dir", gone);
  assert.match(both.message, /\.claude-wrok is not there/);
  const [usual] = await look();
  assert.equal(usual.level, "ok");
});

Deno.test("without tmux-resurrect nothing is said about its keys: they do nothing", async () => {
  await using world = await makeInstalled();
  await world.server.run("set", "-gu", "@resurrect-save-script-path");
  const { checks } = await world.doctor();
  for (const id of ["saving.continuum", "saving.save", "saving.contents"]) {
    assert.equal(checks.get(id)!.level, "skip", id);
  }
  const told = [...checks.values()].map(({ message, fix }) => `${message} ${fix}`).join("\n");
  assert.ok(!told.includes("C-s"), told);
});

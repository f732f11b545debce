// Which record recover goes by, from files as a crash, a wrong clock or another version may have left them.
import assert from "node:assert/strict";
import { type Binding, newBinding, type ServerLife, type SessionId, sessionId } from "../src/binding.ts";
import type { Boot } from "../src/recover/boots.ts";
import { formatLine } from "../src/state/journal_line.ts";
import type { JournalEvent } from "../src/state/journal.ts";
import { readJournal } from "../src/state/journal.ts";
import type { Manifest, ManifestRow } from "../src/state/manifest.ts";
import { knownSockets, listHeads } from "../src/state/snapshot_heads.ts";
import { choosePast } from "../src/survey/recover_past.ts";
import { openArchive } from "../src/survey/recover_records.ts";
import { realSystem } from "../src/system/real.ts";
import type { System } from "../src/system/system.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-09-28T18:00:00Z");
const SOCKET = "/tmp/tmux-1/default";
const id = (letter: string): SessionId => sessionId(`${letter.repeat(8)}-1111-4111-8111-111111111111`)!;
const iso = (time: number) => new Date(time).toISOString();
const server = (pid: number, startedHoursAgo: number): ServerLife => ({
  socket: SOCKET,
  pid,
  started: Math.floor((NOW - startedHoursAgo * HOUR) / 1_000),
});

interface World extends AsyncDisposable {
  system: System;
  state: string;
  home: string;
  /** Writes a manifest made so many hours ago; `ids` are its panes, "" for one without a conversation. */
  snapshot(life: ServerLife, hoursAgo: number, ids: string[], changes?: Partial<Binding>): string;
  journal(life: ServerLife, hoursAgo: number, pane: string, of: string, event?: JournalEvent): void;
  save(hoursAgo: number, commands: string[]): string;
  point(name: string): void;
  choose(running: ServerLife | null, options?: { at?: number; boots?: Boot[] }): string;
}

/** A HOME of its own, at a fixed time. */
function makeWorld(): World {
  const home = Deno.makeTempDirSync({ prefix: "tmuxclaude-" });
  const state = `${home}/.local/state/tmuxclaude`;
  const resurrect = `${home}/.tmux/resurrect`;
  const system: System = {
    ...realSystem(),
    env: (name) => name === "HOME" ? home : undefined,
    hostname: () => "host",
    now: () => NOW,
  };
  const folder = `${state}/servers/host-${encodeURIComponent(SOCKET)}`;
  for (const path of [`${folder}/snapshots`, resurrect]) Deno.mkdirSync(path, { recursive: true });
  let seq = 0;
  const choose: World["choose"] = (running, { at, boots } = {}) => {
    const { lines: journal } = readJournal(system);
    const archive = openArchive(system, { socket: SOCKET, option: "", journal });
    const { record } = choosePast(archive, { running, boots: boots ?? [], at: at ?? null, others: 0 });
    if (!record) return "none";
    const source = record.manifest
      ? `manifest of ${record.life!.pid}`
      : record.save
      ? "save"
      : `journal of ${record.life!.pid}`;
    return `${source}, ${Math.round((NOW - record.time) / HOUR)} h ago, ${record.panes.length} panes`;
  };
  return {
    system,
    state,
    home,
    choose,
    snapshot(life, hoursAgo, ids, changes = {}) {
      const at = iso(NOW - hoursAgo * HOUR);
      const path = `${folder}/snapshots/${at.replaceAll(":", "-")}.json`;
      Deno.writeTextFileSync(path, JSON.stringify(manifest(life, at, ids, changes)));
      return path;
    },
    journal(life, hoursAgo, pane_id, of, event = "start") {
      const tmux = {
        ...life,
        tmux_session: "work",
        window_index: Number(pane_id.slice(1)),
        pane_index: 0,
        pane_id,
      };
      const line = {
        ...newBinding(id(of), "/w", iso(NOW - hoursAgo * HOUR)),
        event,
        source: null,
        previous_id: null,
        tmux,
      };
      Deno.writeTextFileSync(`${state}/journal.jsonl`, `${formatLine(line, ++seq)}\n`, { append: true });
    },
    save(hoursAgo, commands) {
      const time = new Date(NOW - hoursAgo * HOUR);
      const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString();
      const name = `tmux_resurrect_${local.slice(0, 19).replaceAll(/[-:]/g, "")}.txt`;
      const lines = commands.map((command, index) =>
        ["pane", "work", index, 1, ":*", 0, "t", ":/w", 1, command, ":"].join("\t")
      );
      Deno.writeTextFileSync(`${resurrect}/${name}`, lines.join("\n"));
      return name;
    },
    point(name) {
      Deno.symlinkSync(name, `${resurrect}/last`);
    },
    [Symbol.asyncDispose]: () => Deno.remove(home, { recursive: true }),
  };
}

function manifest(life: ServerLife, at: string, ids: string[], changes: Partial<Binding>): Manifest {
  const panes = ids.map((of, index): ManifestRow => {
    const address = { tmux_session: "work", window_index: index, pane_index: 0 };
    return {
      ...address,
      addresses: [address],
      pane_id: `%${index}`,
      window_id: `@${index}`,
      window_name: "",
      deliberate: false,
      title: "",
      cwd: "/w",
      command: "bash",
      activity: 0,
      live: false,
      inherited: false,
      binding: of === "" ? null : { ...newBinding(id(of), "/w", at), ...changes },
      evidence: [],
    };
  });
  const resurrect = { folder: null, save: null };
  const count = panes.length;
  return {
    schema: 1,
    at,
    server: { ...life, version: "3.3a", host: "host" },
    resurrect,
    base_index: 0,
    pane_base_index: 0,
    count,
    panes,
  };
}

Deno.test("the last record with conversations before the first crash, whether a server runs now or not", async () => {
  await using world = makeWorld();
  world.snapshot(server(1, 99), 30, ["a", "b"]);
  world.snapshot(server(1, 99), 29, ["a", "b", "c"]);
  world.snapshot(server(1, 99), 28, ["", ""]);
  world.snapshot(server(2, 3), 2.9, [""]);
  world.snapshot(server(3, 2), 1.9, ["", ""]);
  const running = server(4, 1);
  for (const now of [running, null]) assert.equal(world.choose(now), "manifest of 1, 29 h ago, 3 panes");
  world.snapshot(running, 0.5, ["d"]);
  assert.equal(world.choose(running), "manifest of 1, 29 h ago, 3 panes");
  assert.equal(world.choose(running, { at: NOW - 29.5 * HOUR }), "manifest of 1, 30 h ago, 2 panes");
  assert.equal(world.choose(running, { at: NOW }), "manifest of 4, 1 h ago, 1 panes");
  assert.equal(world.choose(running, { at: NOW - 31 * HOUR }), "none");
});

Deno.test("lives that only put things back are passed over", async () => {
  await using world = makeWorld();
  world.snapshot(server(1, 99), 30, ["a", "b"]);
  world.snapshot(server(2, 3), 2.9, ["a", "b"], { state: "restored" });
  world.journal(server(2, 3), 2.9, "%0", "a", "restore");
  assert.equal(world.choose(server(4, 1)), "manifest of 1, 30 h ago, 2 panes");
});

Deno.test("what the journal alone knows is a record too: panes after the last save, lives without any", async () => {
  await using world = makeWorld();
  world.journal(server(1, 99), 40, "%0", "a");
  world.journal(server(1, 99), 39, "%1", "b");
  assert.equal(world.choose(null), "journal of 1, 39 h ago, 2 panes");
  world.snapshot(server(1, 99), 38, ["a", "b"]);
  world.journal(server(1, 99), 37, "%7", "c");
  world.journal(server(1, 99), 37, "%0", "a");
  assert.equal(world.choose(null), "manifest of 1, 38 h ago, 3 panes");
});

Deno.test("clocks that jumped: the future is not believed, and a start in 1970 is no long life", async () => {
  await using world = makeWorld();
  world.snapshot(server(6, 9), -900 * 24, ["x", "y", "z"]);
  world.journal(server(6, 9), -900 * 24, "%0", "x");
  world.journal(server(1, 99), 40, "%0", "a");
  world.snapshot(server(1, 99), 39, ["a"]);
  assert.equal(world.choose(server(4, 1)), "manifest of 1, 39 h ago, 1 panes");
  for (const hours of [20, 2]) world.journal({ ...server(7, 1), started: 60 }, hours, "%0", "b");
  assert.equal(world.choose(server(4, 1)), "journal of 7, 2 h ago, 1 panes");
});

Deno.test("records that cannot be read cost nothing but themselves", async () => {
  await using world = makeWorld();
  world.snapshot(server(1, 99), 30, ["a"]);
  const spoil = (text: string) => Deno.writeTextFileSync(world.snapshot(server(2, 20), 10, ["b"]), text);
  const whole = JSON.stringify(manifest(server(2, 20), iso(NOW - 10 * HOUR), ["b"], {}));
  for (
    const text of [
      "",
      "{",
      "null",
      whole.slice(0, -30),
      whole.replace('"schema":1', '"schema":9'),
      whole.replace('"pid":2', '"pid":"2"'),
    ]
  ) {
    spoil(text);
    assert.equal(world.choose(null), "manifest of 1, 30 h ago, 1 panes", text.slice(0, 60));
  }
  spoil(whole.replace('"host":"host"', '"host":"a \\",\\"panes\\":[ trap"'));
  assert.equal(world.choose(null), "manifest of 2, 10 h ago, 1 panes");
});

Deno.test("tmux saves alone: the last with Claude in it, between two boots the one before", async () => {
  await using world = makeWorld();
  assert.equal(world.choose(null), "none");
  world.save(50, ["claude", "claude", "bash"]);
  world.save(3, ["claude"]);
  world.save(2.9, ["bash"]);
  assert.equal(world.choose(null), "save, 3 h ago, 1 panes");
  const boots = [{ first: NOW - 99 * HOUR, last: NOW - 49 * HOUR }, {
    first: NOW - 4 * HOUR,
    last: NOW - 2 * HOUR,
  }];
  assert.equal(world.choose(null, { boots }), "save, 50 h ago, 3 panes");
  assert.equal(world.choose(server(1, 10)), "save, 50 h ago, 3 panes");
});

Deno.test("without any Claude in the saves: the newest that is about as full as the fullest", async () => {
  await using world = makeWorld();
  world.save(50, Array(20).fill("bash"));
  world.save(40, Array(18).fill("bash"));
  world.save(3, ["bash"]);
  const boots = [{ first: NOW - 99 * HOUR, last: NOW - 39 * HOUR }, { first: NOW - 4 * HOUR, last: NOW }];
  assert.equal(world.choose(null, { boots }), "save, 40 h ago, 18 panes");
});

Deno.test("a save is preferred to a record of ours that is more than a day older", async () => {
  await using world = makeWorld();
  world.snapshot(server(1, 99), 30, ["a"]);
  world.save(20, ["claude", "claude"]);
  assert.equal(world.choose(server(4, 1)), "manifest of 1, 30 h ago, 1 panes");
  world.save(5, ["claude", "claude"]);
  assert.equal(world.choose(server(4, 1)), "save, 5 h ago, 2 panes");
});

Deno.test("a `last` that somebody pointed to an older save is followed", async () => {
  await using world = makeWorld();
  const old = world.save(70, ["claude", "claude"]);
  world.save(5, ["claude"]);
  world.snapshot(server(1, 99), 30, ["a"]);
  world.point(old);
  assert.equal(world.choose(server(4, 1)), "save, 70 h ago, 2 panes");
  assert.equal(world.choose(server(4, 1), { at: NOW - 20 * HOUR }), "manifest of 1, 30 h ago, 1 panes");
});

Deno.test("a crash of long ago is not what somebody looks for whose server runs well since", async () => {
  await using world = makeWorld();
  world.snapshot(server(1, 20 * 24), 15 * 24, ["a", "b"]);
  const running = server(2, 14 * 24);
  assert.equal(world.choose(running), "manifest of 1, 360 h ago, 2 panes");
  world.snapshot(running, 1, ["c"]);
  assert.equal(world.choose(running), "manifest of 2, 1 h ago, 1 panes");
});

Deno.test("heads are the newest first, each once, and tell which servers have a history", async () => {
  await using world = makeWorld();
  const newest = world.snapshot(server(1, 99), 30, ["a", "", "b"]);
  world.snapshot(server(1, 99), 31, ["a"]);
  Deno.copyFileSync(newest, newest.replace(/snapshots\/[^/]+$/, "manifest.json"));
  const heads = listHeads(world.system, SOCKET);
  assert.deepEqual(heads.map(({ time, count, life }) => [(NOW - time) / HOUR, count, life.pid]), [
    [30, 3, 1],
    [31, 1, 1],
  ]);
  assert.deepEqual(knownSockets(world.system), [SOCKET]);
  assert.deepEqual(listHeads(world.system, "/other"), []);
});

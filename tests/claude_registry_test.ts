// Claude's registry: believed when the process proves it, never an error, never a wait.
import assert from "node:assert/strict";
import { listRegistry, lookUp, readRegistry } from "../src/claude/registry.ts";
import { realFiles } from "../src/system/files.ts";
import { processTable, type Row } from "./helpers/process_table.ts";

const ID = "3e671a15-db76-4f66-b7f4-68a6bc197e91";
/** As 2.1.332 wrote it. */
const ENTRY = {
  pid: 200,
  sessionId: ID,
  cwd: "/w",
  startedAt: 1796055519263,
  procStart: "2000",
  version: "2.1.332",
  kind: "interactive",
  entrypoint: "cli",
  tmux: "main:@1.%1",
  name: "my-name",
  nameSource: "user",
  status: "waiting",
  waitingFor: "permission prompt",
  updatedAt: 1796055521510,
};
const CLAUDE: Row = { pid: 200, name: "claude", argv: ["claude"] };

interface World extends Disposable {
  config: string;
  put(name: string, text: string): string;
}

function makeWorld(): World {
  const config = Deno.makeTempDirSync({ prefix: "tmuxclaude-" });
  Deno.mkdirSync(`${config}/sessions`);
  return {
    config,
    put(name, text) {
      const path = `${config}/sessions/${name}`;
      Deno.writeTextFileSync(path, text);
      return path;
    },
    [Symbol.dispose]: () => Deno.removeSync(config, { recursive: true }),
  };
}

function systemOf(rows: Row[], files = realFiles) {
  return { files, processes: processTable(rows), platform: "linux" };
}

Deno.test("an entry of a live process with the same start time is believed, whatever the process is called", () => {
  using world = makeWorld();
  world.put("200.json", JSON.stringify(ENTRY));
  const expected = {
    pid: 200,
    sessionId: ID,
    started: "2000",
    version: "2.1.332",
    kind: "interactive",
    jobId: null,
    name: "my-name",
    nameSource: "user",
    status: "waiting",
    updatedAt: 1796055521510,
    cwd: "/w",
  };
  assert.deepEqual(readRegistry(systemOf([CLAUDE]), world.config, 200), expected);
  const renamed = { ...CLAUDE, name: "helper", argv: ["helper"] };
  assert.deepEqual(readRegistry(systemOf([renamed]), world.config, 200), expected);
});

Deno.test("a stale entry is refused with its reason", () => {
  using world = makeWorld();
  world.put("200.json", JSON.stringify(ENTRY));
  const cases: [Row[], RegExp][] = [
    [[], /no such process/],
    [[{ ...CLAUDE, state: "Z" }], /no such process/],
    [[{ ...CLAUDE, started: "2001" }], /pid reused/],
  ];
  for (const [rows, reason] of cases) {
    assert.match(lookUp(systemOf(rows), world.config, 200).reason ?? "", reason);
  }
  assert.deepEqual(lookUp(systemOf([CLAUDE]), world.config, 201), { entry: null, reason: null });
});

Deno.test("an old shape without a start time counts only for a listed Claude", () => {
  using world = makeWorld();
  world.put("200.json", JSON.stringify({ pid: 200, session_id: ID, cwd: "/w", updated_at: 5 }));
  const read = (rows: Row[]) => readRegistry(systemOf(rows), world.config, 200);
  assert.deepEqual([read([CLAUDE])?.sessionId, read([CLAUDE])?.updatedAt], [ID, 5]);
  assert.equal(read([{ ...CLAUDE, name: "vim", argv: ["vim"] }]), null);
  // A thread id: it answers, but no process of that id is listed.
  const thread = systemOf([CLAUDE]);
  assert.equal(
    readRegistry({ ...thread, processes: { ...thread.processes, all: () => [] } }, world.config, 200),
    null,
  );
});

Deno.test("start times are ticks on Linux, dates elsewhere, and never a date for ticks", () => {
  using world = makeWorld();
  const cases: [unknown, string, boolean][] = [
    ["2000", "2000", true],
    [2000, "2000", true],
    ["Mon Nov 30 16:18:39 2026", "Mon Nov 30 16:18:39 2026", true],
    ["Mon Nov 30 16:18:39 2026", "2026-11-30 16:18:39", true],
    ["Mon Nov 30 16:18:39 2026", "Mon Nov 30 16:18:41 2026", false],
    ["Mon Nov 30 16:18:39 2026", "2000", false],
    ["2000", "2001", false],
    ["", "2000", false],
  ];
  for (const [procStart, started, believed] of cases) {
    world.put("200.json", JSON.stringify({ ...ENTRY, procStart }));
    const found = readRegistry(systemOf([{ ...CLAUDE, started }]), world.config, 200);
    assert.equal(found !== null, believed, `${procStart} ${started}`);
  }
});

Deno.test("a damaged entry is unknown with a reason, and no error", () => {
  using world = makeWorld();
  const whole = JSON.stringify(ENTRY);
  const texts = ["", "{", whole.slice(0, 100), whole + whole, "null", "[]", "7", "\0"];
  const shapes = [{ sessionId: "x" }, { sessionId: null }, { pid: "x" }, { pid: -1 }, { pid: 1.5 }, {
    cwd: "w",
  }, {
    cwd: 7,
  }].map((change) => JSON.stringify({ ...ENTRY, ...change }));
  for (const text of [...texts, ...shapes, `{"__proto__":${whole}}`, " ".repeat(70_000) + whole]) {
    world.put("200.json", text);
    const { entry, reason } = lookUp(systemOf([CLAUDE]), world.config, 200);
    assert.equal(entry, null, text.slice(0, 80));
    assert.match(reason ?? "", /^the registry entry of 200 /, text.slice(0, 80));
  }
  world.put("200.json", JSON.stringify({ ...ENTRY, pid: 201 }));
  assert.match(lookUp(systemOf([CLAUDE]), world.config, 200).reason ?? "", /another process/);
});

Deno.test("a folder, a pipe, a link to itself and a refused read are no error and no wait", () => {
  using world = makeWorld();
  const path = `${world.config}/sessions/200.json`;
  const makes: (() => unknown)[] = [
    () => Deno.mkdirSync(path),
    () => new Deno.Command("mkfifo", { args: [path] }).outputSync(),
    () => Deno.symlinkSync(path, path),
  ];
  for (const make of makes) {
    make();
    const { entry, reason } = lookUp(systemOf([CLAUDE]), world.config, 200);
    assert.equal(entry, null);
    assert.notEqual(reason, null, make.toString());
    assert.deepEqual(listRegistry(systemOf([CLAUDE]), world.config), []);
    Deno.removeSync(path, { recursive: true });
  }
  world.put("200.json", JSON.stringify(ENTRY));
  const open = (): never => {
    throw new Deno.errors.PermissionDenied("Permission denied (os error 13)");
  };
  assert.match(lookUp(systemOf([CLAUDE], { ...realFiles, open }), world.config, 200).reason ?? "", /denied/);
  const list = open;
  assert.deepEqual(listRegistry(systemOf([CLAUDE], { ...realFiles, list }), world.config), []);
});

Deno.test("listRegistry() gives each live process once, the current kind of file first", () => {
  using world = makeWorld();
  const other = "aaaaaaaa-1111-4111-8111-111111111111";
  world.put("200.json", JSON.stringify(ENTRY));
  world.put("200-old.json", JSON.stringify({ pid: 200, session_id: other, cwd: "/w" }));
  world.put("210-old.json", JSON.stringify({ pid: 210, session_id: other, cwd: "/w" }));
  world.put("220.json", JSON.stringify({ ...ENTRY, pid: 220 }));
  world.put("230.json", "{");
  world.put("200.key", "secret");
  world.put("x.json", JSON.stringify(ENTRY));
  const rows = [CLAUDE, { ...CLAUDE, pid: 210 }, { ...CLAUDE, pid: 230 }];
  const found = listRegistry(systemOf(rows), world.config);
  assert.deepEqual(found.map(({ pid, sessionId }) => [pid, sessionId]), [[200, ID], [210, other]]);
  assert.deepEqual(listRegistry(systemOf(rows), `${world.config}/none`), []);
});

Deno.test("within one look no entry is read twice, and what was refused stays refused", () => {
  using world = makeWorld();
  world.put("200.json", JSON.stringify(ENTRY));
  world.put("201.json", JSON.stringify({ ...ENTRY, pid: 201, procStart: "1" }));
  world.put("202.json", JSON.stringify({ ...ENTRY, pid: 202 }));
  const opened: string[] = [];
  const open = (
    ...args: Parameters<typeof realFiles.open>
  ) => (opened.push(args[0]), realFiles.open(...args));
  const rows = [CLAUDE, { ...CLAUDE, pid: 201 }, { ...CLAUDE, pid: 202 }];
  const system = systemOf(rows, { ...realFiles, open });
  const seen = new Map();
  for (const pid of [200, 201]) lookUp(system, world.config, pid, seen);
  lookUp(system, world.config, 200, seen);
  assert.deepEqual(
    listRegistry(system, world.config, seen).map(({ pid }) => pid),
    listRegistry(systemOf(rows), world.config).map(({ pid }) => pid),
  );
  assert.deepEqual(opened, [200, 201, 202].map((pid) => `${world.config}/sessions/${pid}.json`));
});

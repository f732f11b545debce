// Where the state folder is, and that nothing planted there is followed (H6) or left open to others (H7).
import assert from "node:assert/strict";
import { UserError } from "../src/errors.ts";
import { recordFailure } from "../src/state/failures.ts";
import { appendJournal, readJournal } from "../src/state/journal.ts";
import { withLock } from "../src/state/lock.ts";
import { readManifest, writeManifest } from "../src/state/manifest.ts";
import { prepareState, statePaths } from "../src/state/paths.ts";
import { runWorker } from "./fixtures/state_processes.ts";
import {
  filesBelow,
  lineOf,
  makeFifo,
  makeState,
  manifestOf,
  modeOf,
  SOCKET,
  systemFor,
} from "./fixtures/state_world.ts";

const ROOTS: [string, Record<string, string>, string][] = [
  ["the variable", { TMUXCLAUDE_STATE_DIR: "/s", XDG_STATE_HOME: "/x", HOME: "/h" }, "/s"],
  ["the variable with slashes at its end", { TMUXCLAUDE_STATE_DIR: "/s//" }, "/s"],
  ["XDG", { XDG_STATE_HOME: "/x", HOME: "/h" }, "/x/tmuxclaude"],
  ["XDG with a slash at its end", { XDG_STATE_HOME: "/x/", HOME: "/h" }, "/x/tmuxclaude"],
  ["HOME when XDG is relative", { XDG_STATE_HOME: "x", HOME: "/h" }, "/h/.local/state/tmuxclaude"],
  ["HOME when XDG is empty", { XDG_STATE_HOME: "", HOME: "/h" }, "/h/.local/state/tmuxclaude"],
  ["HOME when the variable is empty", { TMUXCLAUDE_STATE_DIR: "", HOME: "/h" }, "/h/.local/state/tmuxclaude"],
  ["HOME with blanks", { HOME: "/my home" }, "/my home/.local/state/tmuxclaude"],
];

for (const [says, variables, root] of ROOTS) {
  Deno.test(`statePaths() takes ${says}`, () => assert.equal(statePaths(systemFor(variables)).root, root));
}

const NO_ROOTS: [string, Record<string, string>][] = [
  ["no HOME", {}],
  ["a relative HOME", { HOME: "home" }],
  ["a relative TMUXCLAUDE_STATE_DIR", { TMUXCLAUDE_STATE_DIR: "state", HOME: "/h" }],
  ["an unexpanded ~", { TMUXCLAUDE_STATE_DIR: "~/state", HOME: "/h" }],
];

for (const [says, variables] of NO_ROOTS) {
  Deno.test(`statePaths() refuses ${says} and names the variable to set`, () => {
    assert.throws(() => statePaths(systemFor(variables)), namesTheVariable);
  });
}

function namesTheVariable(error: unknown): boolean {
  return error instanceof UserError && error.next.includes("TMUXCLAUDE_STATE_DIR");
}

Deno.test("a server's folder is one name, its own for each socket and host", () => {
  const paths = (host: string, socket: string) =>
    statePaths(systemFor({ HOME: "/h" }, { hostname: () => host })).server(socket);
  assert.equal(paths("mac", "/tmp/a b").folder, "/h/.local/state/tmuxclaude/servers/mac-%2Ftmp%2Fa%20b");
  const sockets = ["/a", "/b", `/${"é".repeat(50)}`, `/${"é".repeat(49)}è`, "/../x"];
  const names = ["one", "two"].flatMap((host) =>
    sockets.map((socket) => paths(host, socket).folder.split("/").slice(6))
  );
  assert.ok(names.every((parts) => parts.length === 1 && parts[0].length < 250 && !parts[0].startsWith(".")));
  assert.equal(new Set(names.flat()).size, names.length);
});

for (const umask of ["000", "022", "077"]) {
  Deno.test(`H7: with umask ${umask} folders are 0700 and files 0600`, async () => {
    using world = makeState();
    await runWorker(world.root, ["everything"], umask);
    const files = filesBelow(world.root);
    assert.equal(files.length, 6, files.join(" "));
    for (const file of files) assert.equal(modeOf(`${world.root}/${file}`), 0o600, file);
    const { folder, snapshots } = statePaths(world.system).server(SOCKET);
    for (const path of [world.root, `${world.root}/servers`, folder, snapshots]) {
      assert.equal(modeOf(path), 0o700, path);
    }
  });
}

Deno.test("H7: looser modes that are there already are tightened", async () => {
  using world = makeState();
  await runWorker(world.root, ["everything"], "000");
  const { journal, journalLock, failures } = statePaths(world.system);
  for (const path of [journal, journalLock, failures]) Deno.chmodSync(path, 0o666);
  Deno.chmodSync(world.root, 0o777);
  await appendJournal(world.system, lineOf(2));
  recordFailure(world.system, { where: "hook", reason: "a test" });
  assert.equal(modeOf(world.root), 0o700);
  for (const path of [journal, journalLock, failures]) assert.equal(modeOf(path), 0o600);
});

Deno.test("H6: a state folder that is a link, a file, foreign or cannot be made is refused, naming the variable", () => {
  using world = makeState();
  const plain = `${world.folder}/file`;
  Deno.writeTextFileSync(plain, "");
  Deno.mkdirSync(`${world.folder}/there`);
  Deno.symlinkSync(`${world.folder}/there`, `${world.folder}/link`);
  Deno.symlinkSync(`${world.folder}/nowhere`, `${world.folder}/dangling`);
  for (const name of ["link", "link/", "dangling", "file", "file/below"]) {
    const system = systemFor({ TMUXCLAUDE_STATE_DIR: `${world.folder}/${name}` });
    assert.throws(() => prepareState(system), namesTheVariable, name);
  }
  const foreign = systemFor({ TMUXCLAUDE_STATE_DIR: `${world.folder}/there` }, {
    uid: (Deno.uid() ?? 0) + 1,
  });
  assert.throws(() => prepareState(foreign), namesTheVariable);
  assert.deepEqual(filesBelow(world.folder), ["dangling", "file", "link"]);
});

type Plant = [string, (path: string, target: string) => void];
const PLANTS: Plant[] = [
  ["a link", (path, target) => Deno.symlinkSync(target, path)],
  ["a dangling link", (path) => Deno.symlinkSync("/nonexistent/x", path)],
  ["a FIFO", (path) => makeFifo(path)],
  ["a folder", (path) => Deno.mkdirSync(path)],
];

for (const [what, plant] of PLANTS) {
  Deno.test(`H6: ${what} planted as journal or its lock is refused, and the line still not lost`, async () => {
    for (const name of ["journal", "journalLock"] as const) {
      using world = makeState();
      const path = prepareState(world.system)[name];
      Deno.writeTextFileSync(`${world.folder}/target`, "mine\n");
      plant(path, `${world.folder}/target`);
      await assert.rejects(() => appendJournal(world.system, lineOf(7)), namesTheVariable);
      if (name === "journal") assert.throws(() => readJournal(world.system), namesTheVariable);
      Deno.removeSync(path);
      assert.equal(readJournal(world.system).lines[0].source, "7");
      assert.equal(Deno.readTextFileSync(`${world.folder}/target`), "mine\n");
    }
  });

  Deno.test(`H6: ${what} planted as failures.jsonl, manifest.json or its lock is never written through`, async () => {
    using world = makeState();
    const target = `${world.folder}/target`;
    const { failures } = prepareState(world.system);
    const { lock, manifest } = prepareState(world.system, SOCKET).server(SOCKET);
    Deno.writeTextFileSync(target, "mine\n");
    for (const path of [failures, lock, manifest]) plant(path, target);
    recordFailure(world.system, { where: "hook", reason: "a test" });
    assert.equal(readManifest(world.system, SOCKET).found, false);
    await assert.rejects(
      () => withLock(world.system, lock, { exclusive: true, waitMs: 0 }, () => 1),
      namesTheVariable,
    );
    await assert.rejects(() => writeManifest(world.system, manifestOf()), namesTheVariable);
    Deno.removeSync(lock);
    await writeManifest(world.system, manifestOf()).catch((error) => assert.ok(error instanceof UserError));
    assert.equal(Deno.readTextFileSync(target), "mine\n");
  });
}

Deno.test("H6: a link planted as a folder below the state folder is refused", async () => {
  for (const name of ["servers", `servers/${serverName()}`, `servers/${serverName()}/snapshots`]) {
    using world = makeState();
    prepareState(world.system, SOCKET);
    Deno.mkdirSync(`${world.folder}/target`);
    Deno.removeSync(`${world.root}/${name}`, { recursive: true });
    Deno.symlinkSync(`${world.folder}/target`, `${world.root}/${name}`);
    await assert.rejects(() => writeManifest(world.system, manifestOf()), namesTheVariable, name);
    assert.deepEqual(filesBelow(`${world.folder}/target`), []);
  }
});

Deno.test("H6: a link planted as the spool is refused", async () => {
  using world = makeState();
  const { journalLock, spool } = prepareState(world.system);
  Deno.mkdirSync(`${world.folder}/target`);
  Deno.symlinkSync(`${world.folder}/target`, spool);
  const hurried = { ...world.system, sleep: () => Promise.resolve() };
  const append = () => appendJournal(hurried, lineOf(1));
  const attempt = () => withLock(world.system, journalLock, { exclusive: true, waitMs: 0 }, append);
  await assert.rejects(attempt, namesTheVariable);
  assert.deepEqual(filesBelow(`${world.folder}/target`), []);
});

function serverName(): string {
  using world = makeState();
  return statePaths(world.system).server(SOCKET).folder.split("/").at(-1)!;
}

Deno.test("H6: a journal of another user is neither read nor written", async () => {
  using world = makeState();
  await appendJournal(world.system, lineOf(1));
  const foreign = { ...world.system, uid: (Deno.uid() ?? 0) + 1 };
  assert.throws(() => readJournal(foreign), namesTheVariable);
  await assert.rejects(() => appendJournal(foreign, lineOf(2)), namesTheVariable);
  assert.equal(readJournal(world.system).lines.length, 1);
});

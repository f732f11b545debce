// Foreign files as they lie on a disk: links, modes, owners, and things that are no files.
import assert from "node:assert/strict";
import { listBackups } from "../src/install/backup.ts";
import type { System } from "../src/system/system.ts";
import { realSystem } from "../src/system/real.ts";
import { edit, makeWorld, TEXT } from "./fixtures/foreign_file.ts";
import { filesBelow, makeFifo, modeOf } from "./fixtures/state_world.ts";

async function assertRefused(path: string, reason: RegExp, changes: Partial<System> = {}): Promise<void> {
  const outcome = await edit(path, changes);
  assert.equal(outcome.outcome, "by_hand", JSON.stringify(outcome));
  assert.match((outcome as { reason: string }).reason, reason);
}

const hasHooks = (path: string) => /tmuxclaude' hook/.test(Deno.readTextFileSync(path));

Deno.test("a file is changed in place, with its mode, and a copy of it stays beside it", async () => {
  using world = makeWorld();
  Deno.writeTextFileSync(world.path, TEXT, { mode: 0o640 });
  const outcome = await edit(world.path);
  assert.equal(outcome.outcome, "changed");
  assert.ok(hasHooks(world.path));
  assert.equal(modeOf(world.path), 0o640);
  const [backup] = listBackups(realSystem(), world.path);
  assert.equal(outcome.outcome === "changed" && outcome.backup, backup);
  assert.equal(Deno.readTextFileSync(backup), TEXT);
  assert.equal(modeOf(backup), 0o640);
  assert.equal((await edit(world.path)).outcome, "unchanged");
  assert.equal(filesBelow(world.folder).length, 2);
});

Deno.test("only the last three copies stay", async () => {
  using world = makeWorld();
  let now = Date.UTC(2026, 0, 1);
  for (let round = 0; round < 6; round++) {
    Deno.writeTextFileSync(world.path, `{ "round": ${round} }`);
    assert.equal((await edit(world.path, { now: () => now += 60_000 })).outcome, "changed");
  }
  const kept = listBackups(realSystem(), world.path).map((path) => Deno.readTextFileSync(path));
  assert.deepEqual(kept, ['{ "round": 3 }', '{ "round": 4 }', '{ "round": 5 }']);
});

Deno.test("a missing file and its folder are made, for the user alone", async () => {
  using world = makeWorld();
  const path = `${world.folder}/new/settings.json`;
  const outcome = await edit(path);
  assert.ok(outcome.outcome === "changed" && outcome.change.madeFolder && outcome.backup === null);
  assert.deepEqual([modeOf(`${world.folder}/new`), modeOf(path)], [0o700, 0o600]);
});

Deno.test("links are followed to their end and stay links", async () => {
  using world = makeWorld();
  for (const name of ["dotfiles", "home", "store"]) Deno.mkdirSync(`${world.folder}/${name}`);
  const file = `${world.folder}/dotfiles/settings.json`;
  Deno.writeTextFileSync(file, TEXT);
  Deno.symlinkSync("../dotfiles/settings.json", `${world.folder}/store/link`);
  Deno.symlinkSync(`${world.folder}/store/link`, `${world.folder}/home/settings.json`);
  const outcome = await edit(`${world.folder}/home/settings.json`);
  assert.ok(outcome.outcome === "changed" && outcome.target === file);
  assert.ok(hasHooks(file));
  assert.ok(Deno.lstatSync(`${world.folder}/home/settings.json`).isSymlink);
  assert.ok(Deno.lstatSync(`${world.folder}/store/link`).isSymlink);
  assert.equal(listBackups(realSystem(), file).length, 1);
});

Deno.test("a folder that is a link is followed too, and a link in it counts from where the folder really is", async () => {
  using world = makeWorld();
  Deno.mkdirSync(`${world.folder}/dotfiles/claude`, { recursive: true });
  Deno.writeTextFileSync(`${world.folder}/dotfiles/real.json`, TEXT);
  Deno.symlinkSync("../real.json", `${world.folder}/dotfiles/claude/settings.json`);
  Deno.symlinkSync("dotfiles/claude", `${world.folder}/.claude`);
  const outcome = await edit(`${world.folder}/.claude/settings.json`);
  assert.ok(outcome.outcome === "changed" && outcome.target === `${world.folder}/dotfiles/real.json`);
});

Deno.test("40 links are followed, more are not, nor a circle", async () => {
  using world = makeWorld();
  Deno.writeTextFileSync(`${world.folder}/0`, TEXT);
  for (let index = 1; index <= 41; index++) Deno.symlinkSync(`${index - 1}`, `${world.folder}/${index}`);
  await assertRefused(`${world.folder}/41`, /lead in a circle, or through more than 40/);
  assert.equal((await edit(`${world.folder}/40`)).outcome, "changed");
  Deno.symlinkSync("b", `${world.folder}/a`);
  Deno.symlinkSync("a", `${world.folder}/b`);
  await assertRefused(`${world.folder}/a`, /circle|symbolic link/i);
});

Deno.test("a link that leads nowhere makes its target, unless its folder is missing", async () => {
  using world = makeWorld();
  Deno.symlinkSync("target.json", world.path);
  assert.equal((await edit(world.path)).outcome, "changed");
  assert.ok(hasHooks(`${world.folder}/target.json`));
  assert.ok(Deno.lstatSync(world.path).isSymlink);
  Deno.symlinkSync("missing/target.json", `${world.folder}/far`);
  await assertRefused(`${world.folder}/far`, /that folder does not exist/);
});

Deno.test("what is no file, or not ours to write, is left alone with a reason", async () => {
  using world = makeWorld();
  const at = (name: string) => `${world.folder}/${name}`;
  Deno.mkdirSync(at("directory"));
  await assertRefused(at("directory"), /it is a directory/);
  makeFifo(at("fifo"));
  await assertRefused(at("fifo"), /device or pipe/);
  await assertRefused("/dev/null", /device or pipe/);
  Deno.writeTextFileSync(at("file"), TEXT);
  await assertRefused(at("file/settings.json"), /no folder|Not a directory/);
  Deno.writeTextFileSync(at("read-only"), TEXT, { mode: 0o444 });
  await assertRefused(at("read-only"), /it is read-only/);
  Deno.mkdirSync(at("locked"));
  Deno.writeTextFileSync(at("locked/settings.json"), TEXT);
  Deno.chmodSync(at("locked"), 0o555);
  await assertRefused(at("locked/settings.json"), /its folder is read-only/);
  await assertRefused(at("file"), /belongs to another user/, { uid: (Deno.uid() ?? 0) + 1 });
  await assertRefused(at("new"), /belongs to another user/, { uid: (Deno.uid() ?? 0) + 1 });
  for (const name of ["read-only", "file", "locked/settings.json"]) {
    assert.equal(Deno.readTextFileSync(at(name)), TEXT);
  }
});

Deno.test("a file in the Nix store is left alone", async () => {
  using world = makeWorld();
  const files = realSystem().files;
  const store = {
    ...files,
    realPath: (path: string) => path.replace(world.folder, "/nix/store/abc-home-files"),
  };
  Deno.writeTextFileSync(world.path, TEXT);
  await assertRefused(world.path, /Nix store/, { files: store });
});

Deno.test("bytes that are no text are left alone; Latin-1 keeps its bytes", async () => {
  using world = makeWorld();
  Deno.writeFileSync(world.path, new TextEncoder().encode('{ "a": "\0" }'));
  await assertRefused(world.path, /NUL bytes/);
  const latin = Uint8Array.from([...'{ "a": "caf\u00e9" }'].map((char) => char.charCodeAt(0)));
  Deno.writeFileSync(world.path, latin);
  assert.equal((await edit(world.path)).outcome, "changed");
  assert.ok(Deno.readFileSync(world.path).includes(0xe9));
  assert.ok(!new TextDecoder("latin1").decode(Deno.readFileSync(world.path)).includes("Ã"));
});

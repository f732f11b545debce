// The ways to call install and uninstall: dry run, snippets, JSON, several config folders, files that must be edited
// by hand.
import assert from "node:assert/strict";
import { runBin, type RunResult } from "./helpers/run_bin.ts";
import { makeScratch, type Scratch } from "./helpers/scratch.ts";
import { filesBelow } from "./fixtures/state_world.ts";

const EMPTY = "{}\n";

async function scratchWith(settings: string): Promise<Scratch> {
  const scratch = await makeScratch();
  await Deno.writeTextFile(`${scratch.config}/settings.json`, settings);
  return scratch;
}

function call(scratch: Scratch, args: string[], env: Record<string, string> = {}): Promise<RunResult> {
  return runBin(args, { env: { ...scratch.env, ...env } });
}

/** Files below HOME, without Deno's cache. */
function files({ home }: Scratch): string[] {
  return filesBelow(home).filter((name) => !name.startsWith(".cache/"));
}

const read = (path: string) => Deno.readTextFile(path);
const hasHooks = async (path: string) => /tmuxclaude' hook/.test(await read(path));

Deno.test("--dry-run shows the changes as a diff and changes nothing", async () => {
  await using scratch = await scratchWith(EMPTY);
  for (const command of ["install", "uninstall"]) {
    const before = files(scratch);
    const ran = await call(scratch, [command, "--dry-run"]);
    assert.equal(ran.code, 0, ran.stderr);
    if (command === "install") {
      assert.match(ran.stdout, /^\+ {2}"hooks": \{$/m);
      assert.match(ran.stdout, /^\+source-file -q ~\/\.local\/share\/tmuxclaude\/tmux\.conf$/m);
      assert.match(ran.stderr, /would change ~\/\.claude\/settings\.json/);
    }
    assert.deepEqual(files(scratch), before);
    assert.equal(await read(`${scratch.config}/settings.json`), EMPTY);
  }
});

Deno.test("without tmux.conf one is made, and uninstall removes it", async () => {
  await using scratch = await makeScratch();
  const before = files(scratch);
  assert.equal((await call(scratch, ["install"])).code, 0);
  assert.match(await read(`${scratch.home}/.tmux.conf`), /^# >>> tmuxclaude/);
  assert.ok(await hasHooks(`${scratch.config}/settings.json`));
  const removed = await call(scratch, ["uninstall"]);
  assert.equal(removed.code, 0, removed.stderr);
  const left = files(scratch).filter((name) => !name.startsWith(".local/state/"));
  assert.deepEqual(left, before);
});

Deno.test("a relative --tmux-conf counts from the folder one is in, for both", async () => {
  await using scratch = await scratchWith(EMPTY);
  const inFolder = { env: scratch.env, cwd: await scratch.folder("dotfiles") };
  const conf = `${inFolder.cwd}/my.conf`;
  await Deno.writeTextFile(conf, "set -g mouse on\n");
  assert.equal((await runBin(["install", "--tmux-conf", "./my.conf"], inFolder)).code, 0);
  assert.match(await read(conf), /# >>> tmuxclaude/);
  await Deno.remove(`${scratch.home}/.local/share/tmuxclaude/install.json`);
  const removed = await runBin(["uninstall", "--tmux-conf", "my.conf"], inFolder);
  assert.equal(removed.code, 0, removed.stderr);
  assert.equal(await read(conf), "set -g mouse on\n");
});

Deno.test("uninstall --purge removes the records too", async () => {
  await using scratch = await scratchWith(EMPTY);
  await call(scratch, ["install"]);
  assert.ok((await Deno.stat(scratch.state)).isDirectory);
  assert.equal((await call(scratch, ["uninstall", "--purge"])).code, 0);
  await assert.rejects(Deno.stat(scratch.state), Deno.errors.NotFound);
});

Deno.test("--json prints one object: what became of each file, server and key", async () => {
  await using scratch = await scratchWith(EMPTY);
  const ran = await call(scratch, ["install", "--json"]);
  assert.deepEqual([ran.code, ran.stderr], [0, ""]);
  const told = JSON.parse(ran.stdout);
  assert.deepEqual([told.schema, told.ok, told.dry_run, told.program], [1, true, false, scratch.program]);
  assert.deepEqual(told.files.map((file: { path: string; outcome: string }) => [file.path, file.outcome]), [
    [`${scratch.config}/settings.json`, "changed"],
    [`${scratch.home}/.tmux.conf`, "changed"],
  ]);
  assert.deepEqual([told.keys.revive, told.keys.menu, told.keys.reload], ["r", "M-r", null]);
  const back = JSON.parse((await call(scratch, ["uninstall", "--json"])).stdout);
  assert.deepEqual(
    back.files.map((file: { outcome: string; exact: boolean }) => [file.outcome, file.exact]),
    [
      ["changed", true],
      ["removed", true],
    ],
  );
});

Deno.test("several config folders, CLAUDE_CONFIG_DIR with blanks and ~, and hooks alone", async () => {
  await using scratch = await makeScratch();
  const { home } = scratch;
  const several = await call(scratch, [
    "install",
    "--no-tmux",
    "--config-dir",
    `${home}/a`,
    "--config-dir",
    "~/b",
  ]);
  assert.equal(several.code, 0, several.stderr);
  for (const folder of ["a", "b"]) assert.ok(await hasHooks(`${home}/${folder}/settings.json`));
  const variable = await call(scratch, ["install", "--no-tmux"], { CLAUDE_CONFIG_DIR: " ~/c " });
  assert.equal(variable.code, 0, variable.stderr);
  assert.ok(await hasHooks(`${home}/c/settings.json`));
  await assert.rejects(Deno.stat(`${home}/.tmux.conf`), Deno.errors.NotFound);
  assert.equal((await call(scratch, ["uninstall"])).code, 0);
  for (const folder of ["a", "b", "c"]) {
    await assert.rejects(Deno.stat(`${home}/${folder}`), Deno.errors.NotFound);
  }
});

const BY_HAND: [name: string, settings: string, reason: RegExp][] = [
  ["comments", '{ // mine\n  "model": "opus" }\n', /not valid JSON/],
  ["a list of hooks", '{ "hooks": [] }\n', /"hooks" in it is no object/],
];

for (const [name, settings, reason] of BY_HAND) {
  Deno.test(`settings with ${name} are left alone: reason, snippet, exit code 5, and tmux is set up all the same`, async () => {
    await using scratch = await scratchWith(settings);
    const ran = await call(scratch, ["install"]);
    assert.equal(ran.code, 5);
    assert.match(ran.stderr, reason);
    assert.match(ran.stderr, /To go on, merge this into it:\n\n\{\n {2}"hooks"/);
    assert.equal(await read(`${scratch.config}/settings.json`), settings);
    assert.match(await read(`${scratch.home}/.tmux.conf`), /source-file -q/);
    const told = JSON.parse((await call(scratch, ["install", "--json"])).stdout);
    assert.equal(told.ok, false);
    assert.deepEqual(Object.keys(JSON.parse(told.files[0].snippet).hooks), [
      "SessionStart",
      "UserPromptSubmit",
      "SessionEnd",
    ]);
  });
}

Deno.test("a read-only tmux.conf behind a link is left alone, with the lines to paste", async () => {
  await using scratch = await scratchWith(EMPTY);
  await Deno.writeTextFile(`${scratch.root}/store.conf`, "set -g mouse on\n", { mode: 0o444 });
  await Deno.symlink(`${scratch.root}/store.conf`, `${scratch.home}/.tmux.conf`);
  const ran = await call(scratch, ["install"]);
  assert.equal(ran.code, 5);
  assert.match(
    ran.stderr,
    /~\/\.tmux\.conf was left alone: it is read-only\. To go on, put this at its end:\n\n# >>> tmuxclaude/,
  );
  assert.ok((await Deno.lstat(`${scratch.home}/.tmux.conf`)).isSymlink);
});

Deno.test("--print gives snippets for settings, tmux, TPM, Nix and chezmoi, and changes nothing", async () => {
  await using scratch = await scratchWith(EMPTY);
  const before = files(scratch);
  const { code, stdout } = await call(scratch, ["install", "--print"]);
  assert.equal(code, 0);
  for (const part of ["Claude's hooks", "tmux: at the end", "TPM", "home-manager", "chezmoi"]) {
    assert.ok(stdout.includes(part), part);
  }
  const snippet = JSON.parse(/\n(\{\n[\s\S]*?\n\})\n/.exec(stdout)![1]);
  assert.equal(snippet.hooks.SessionStart[0].hooks[0].timeout, 10);
  assert.match(stdout, /^# chezmoi: .*\n\n#!\/bin\/sh\n/m);
  assert.deepEqual(files(scratch), before);
});

Deno.test("a program that is none is refused, and so is a HOME that is none", async () => {
  await using scratch = await scratchWith(EMPTY);
  for (
    const [program, why] of [["/nonexistent/tmuxclaude", /no such file/], [
      "/bin/sh",
      /called "tmuxclaude"/,
    ]] as const
  ) {
    const ran = await call(scratch, ["install", "--program", program]);
    assert.equal(ran.code, 2);
    assert.match(ran.stderr, why);
  }
  const { HOME: _home, ...rest } = scratch.env;
  const ran = await runBin(["install"], { env: rest });
  assert.equal(ran.code, 1);
  assert.match(ran.stderr, /HOME is not set/);
  assert.equal(await read(`${scratch.config}/settings.json`), EMPTY);
});

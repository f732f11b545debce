// The lines in settings.json as the shells that Claude may use run them.
import assert from "node:assert/strict";
import { HOOK_EVENTS, hookCommand, programOf } from "../src/install/hook_command.ts";
import { makeScratch, type Scratch } from "./helpers/scratch.ts";

const SHELLS = [["sh"], ["dash"], ["bash", "--posix"], ["bash"], ["zsh"], ["busybox", "sh"]]
  .filter(([name]) =>
    new Deno.Command("sh", { args: ["-c", `command -v ${name}`], stdout: "null" }).outputSync().success
  );

interface Run {
  code: number;
  stdout: string;
  stderr: string;
  /** Arguments the program was called with, null when it was not called. */
  called: string | null;
}

/** A program that writes down its arguments and says a word, so that exec can be told from a fork. */
async function placeProgram(scratch: Scratch, folder: string): Promise<string> {
  await Deno.mkdir(folder, { recursive: true });
  const path = `${folder}/tmuxclaude`;
  await Deno.writeTextFile(path, `#!/bin/sh\nprintf '%s' "$*" > '${scratch.root}/called'\n`, { mode: 0o755 });
  return path;
}

async function runHook(
  scratch: Scratch,
  shell: string[],
  command: string,
  env: Record<string, string>,
): Promise<Run> {
  await Deno.remove(`${scratch.root}/called`).catch(() => {});
  const output = await new Deno.Command(shell[0], {
    args: [...shell.slice(1), "-c", command],
    env: { HOME: scratch.home, PATH: "/usr/bin:/bin", ...env },
    clearEnv: true,
    stdin: "null",
  }).output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const called = await Deno.readTextFile(`${scratch.root}/called`).catch(() => null);
  return { code: output.code, stdout: decode(output.stdout), stderr: decode(output.stderr), called };
}

const SILENT = { code: 0, stdout: "", stderr: "" };
const INSIDE = { TMUX: "/tmp/tmux,1,0" };

for (const shell of SHELLS) {
  Deno.test(`${shell.join(" ")}: the hook runs the program in tmux and does nothing outside`, async () => {
    await using scratch = await makeScratch();
    const program = await placeProgram(scratch, `${scratch.root}/it's a "$HOME" \`x\` #{y} folder`);
    for (const event of ["SessionStart", "SessionEnd"] as const) {
      const command = hookCommand(event, program);
      assert.deepEqual(await runHook(scratch, shell, command, INSIDE), { ...SILENT, called: "hook" });
      assert.deepEqual(await runHook(scratch, shell, command, {}), { ...SILENT, called: null });
      assert.deepEqual(await runHook(scratch, shell, command, { TMUX: "" }), { ...SILENT, called: null });
    }
  });

  Deno.test(`${shell.join(" ")}: the hook is silent when the program is gone`, async () => {
    await using scratch = await makeScratch();
    for (const event of HOOK_EVENTS) {
      const command = hookCommand(event, `${scratch.root}/gone/tmuxclaude`);
      assert.deepEqual(await runHook(scratch, shell, command, INSIDE), { ...SILENT, called: null });
    }
  });

  Deno.test(`${shell.join(" ")}: a prompt starts the program only while a name waits, by the rules of the records`, async () => {
    await using scratch = await makeScratch();
    const program = await placeProgram(scratch, `${scratch.root}/bin2`);
    const command = hookCommand("UserPromptSubmit", program);
    const own = `${scratch.root}/my state`;
    const xdg = `${scratch.root}/xdg state`;
    const places: [folder: string, env: Record<string, string>][] = [
      [`${scratch.home}/.local/state/tmuxclaude`, {}],
      [`${scratch.home}/.local/state/tmuxclaude`, { XDG_STATE_HOME: "relative" }],
      [`${scratch.home}/.local/state/tmuxclaude`, { XDG_STATE_HOME: "", TMUXCLAUDE_STATE_DIR: "" }],
      [`${xdg}/tmuxclaude`, { XDG_STATE_HOME: xdg }],
      [own, { XDG_STATE_HOME: xdg, TMUXCLAUDE_STATE_DIR: own }],
    ];
    for (const [folder, env] of places) {
      const all = { ...INSIDE, ...env };
      assert.equal((await runHook(scratch, shell, command, all)).called, null, JSON.stringify(env));
      await Deno.mkdir(`${folder}/pending`, { recursive: true });
      assert.deepEqual(
        await runHook(scratch, shell, command, all),
        { ...SILENT, called: "hook" },
        JSON.stringify(env),
      );
      assert.equal((await runHook(scratch, shell, command, env)).called, null, "outside tmux");
      await Deno.remove(folder, { recursive: true });
    }
  });
}

Deno.test("the three commands are known again, whatever the path", () => {
  for (
    const program of ["/usr/bin/tmuxclaude", "/a b/tmuxclaude", "/it's/tmuxclaude", '/a"b/$c/`d`/tmuxclaude']
  ) {
    for (const event of HOOK_EVENTS) assert.equal(programOf(hookCommand(event, program)), program);
  }
});

const OURS: [command: string, program: string][] = [
  ["tmuxclaude hook", "tmuxclaude"],
  ["/usr/bin/tmuxclaude hook", "/usr/bin/tmuxclaude"],
  ["~/.local/bin/tmuxclaude hook", "~/.local/bin/tmuxclaude"],
  ["'/a b/tmuxclaude' hook", "/a b/tmuxclaude"],
  ['"/a b/tmuxclaude" hook', "/a b/tmuxclaude"],
  ["exec '/a/tmuxclaude' hook", "/a/tmuxclaude"],
  ["tmuxclaude hook || true", "tmuxclaude"],
  ["tmuxclaude hook; exit 0", "tmuxclaude"],
  ["test -x '/a/tmuxclaude' && exec '/a/tmuxclaude' hook; exit 0", "/a/tmuxclaude"],
];

for (const [command, program] of OURS) {
  Deno.test(`programOf() knows "${command}"`, () => assert.equal(programOf(command), program));
}

const FOREIGN = [
  "",
  "tmuxclaude",
  "tmuxclaude hooks",
  "tmuxclaude hook --verbose",
  "tmuxclaude hook && date",
  "date; tmuxclaude hook",
  "cd /x && tmuxclaude hook",
  "my-tmuxclaude hook",
  "/opt/tmuxclaude/start.sh hook",
  "/opt/tmuxclaude hook.sh",
  "tmuxclaude.sh hook",
  "echo tmuxclaude hook",
  "test -x '/a/tmuxclaude' && exec '/b/tmuxclaude' hook; exit 0",
  "TMUXCLAUDE hook",
  " tmuxclaude hook ",
];

for (const command of FOREIGN) {
  Deno.test(`programOf() takes "${command}" for somebody else's`, () =>
    assert.equal(programOf(command), null));
}

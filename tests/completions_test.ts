// Completions in the real shells: a line is typed in a pane, Tab is pressed, and the pane shows what came of it.
import assert from "node:assert/strict";
import { untilText } from "./helpers/poll.ts";
import { runBin } from "./helpers/run_bin.ts";
import { makeScratch } from "./helpers/scratch.ts";
import { type Shell, startServer } from "./helpers/tmux_server.ts";

interface Case {
  shell: Shell;
  /** Loads the completions the way the first line of the script says. */
  load: string;
}

const CASES: Case[] = [
  { shell: "bash", load: "source <(tmuxclaude completions bash)" },
  { shell: "zsh", load: "autoload -Uz compinit && compinit -u -D && source <(tmuxclaude completions zsh)" },
  { shell: "fish", load: "tmuxclaude completions fish | source" },
];

const LINES: [typed: string, shown: RegExp][] = [
  ["tmuxclaude unins", /tmuxclaude uninstall/],
  ["tmuxclaude install --tmux-c", /tmuxclaude install --tmux-conf/],
  ["tmuxclaude restore --policy la", /tmuxclaude restore --policy lazy/],
  ["tmuxclaude completions zs", /tmuxclaude completions zsh/],
];

for (const { shell, load } of CASES) {
  Deno.test(`${shell} completes commands, flags and values`, async () => {
    await using server = await startServer();
    const pane = await server.newSession({ shell });
    await server.sendLine(pane, `${load}; echo ready`);
    await untilText("the completions", () => server.capture(pane), /^ready/m);
    for (const [typed, shown] of LINES) {
      await server.type(pane, typed);
      await server.press(pane, "Tab");
      await untilText(`the end of "${typed}"`, () => server.capture(pane), shown);
      await server.press(pane, "C-u");
    }
  });

  Deno.test(`${shell} shows every command when nothing is typed`, async () => {
    await using server = await startServer();
    const pane = await server.newSession({ shell });
    await server.sendLine(pane, `${load}; echo ready`);
    await untilText("the completions", () => server.capture(pane), /^ready/m);
    await server.type(pane, "tmuxclaude ");
    await server.press(pane, "Tab");
    await server.press(pane, "Tab");
    const text = await untilText(
      "the commands",
      () => server.capture(pane),
      /doctor[\s\S]*uninstall|uninstall[\s\S]*doctor/,
    );
    assert.ok(!/\bcomplete\b|\bhook\b/.test(text.slice(text.lastIndexOf("tmuxclaude "))), text);
  });

  Deno.test(`${shell} completes file names where a file is wanted`, async () => {
    await using server = await startServer();
    await Deno.writeTextFile(`${server.scratch.home}/my-own.conf`, "");
    const pane = await server.newSession({ shell });
    await server.sendLine(pane, `${load}; echo ready`);
    await untilText("the completions", () => server.capture(pane), /^ready/m);
    await server.type(pane, "tmuxclaude install --tmux-conf my-o");
    await server.press(pane, "Tab");
    await untilText("the file", () => server.capture(pane), /--tmux-conf my-own\.conf/);
  });
}

Deno.test("the scripts are valid for their shells, and an unknown shell is refused", async () => {
  await using scratch = await makeScratch();
  const checks = { bash: ["bash", "-n"], zsh: ["zsh", "-n"], fish: ["fish", "--no-execute"] };
  for (const [shell, [program, ...args]] of Object.entries(checks)) {
    const { code, stdout } = await runBin(["completions", shell], { env: scratch.env });
    assert.equal(code, 0);
    await Deno.writeTextFile(`${scratch.root}/script`, stdout);
    const ran = await new Deno.Command(program, { args: [...args, `${scratch.root}/script`] }).output();
    assert.equal(ran.code, 0, new TextDecoder().decode(ran.stderr));
  }
  assert.equal((await runBin(["completions", "tcsh"], { env: scratch.env })).code, 2);
});

Deno.test("complete never fails and offers only what goes on with what is typed", async () => {
  await using scratch = await makeScratch();
  const propose = async (...words: string[]) => {
    const { code, stdout, stderr } = await runBin(["complete", "--", ...words], { env: scratch.env });
    assert.deepEqual([code, stderr], [0, ""]);
    return stdout.split("\n").filter((line) => line !== "").map((line) => line.split("\t")[0]);
  };
  assert.deepEqual(await propose("unin"), ["uninstall"]);
  assert.deepEqual(await propose("install", "--pr"), ["--print", "--program"]);
  assert.deepEqual(await propose("nonsense", ""), []);
  assert.deepEqual(await propose("install", "--nonsense", "x"), []);
  assert.deepEqual(await propose("restore", "--policy", "r"), ["run"]);
  assert.ok((await propose()).includes("revive"));
  assert.deepEqual(await propose("he"), ["help"]);
  assert.deepEqual(await propose("help", "re"), ["revive", "restore", "recover"]);
  assert.deepEqual(await propose("help", "revive", ""), []);
  assert.ok(!(await propose("install", "--")).includes("--"));
});

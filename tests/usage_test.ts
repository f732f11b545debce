// What a person reads who mistypes: what is wrong, and where help is. Code 2, nothing on stdout.
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { runBin } from "./helpers/run_bin.ts";
import { makeScratch } from "./helpers/scratch.ts";

const WRONG: [line: string[], message: RegExp, help: string][] = [
  [["revve"], /there is no command "revve", did you mean `revive`\?/, "help"],
  [["help", "revve"], /there is no command "revve"/, "help"],
  [["--bogus"], /there is no command "--bogus"\./, "help"],
  [["completions", "tcsh"], /there is no command "tcsh", did you mean `bash` or `fish`\?/, "help"],
  [["revive", "--pan"], /no flag registered for --pan, did you mean --pane\?/, "help revive"],
  [["revive", "--pane"], /expected input for flag --pane\./, "help revive"],
  [["revive", "extra"], /too many arguments, expected 0 but encountered "extra"\./, "help revive"],
  [["list", "--state", "losst"], /did you mean "lost"\?/, "help list"],
  [["install", "--key", "F99x"], /"F99x" is no key of tmux such as g, M-r or F5\./, "help install"],
  [["install", "--key", ""], /"" is no key of tmux/, "help install"],
  [["restore", "--spacing", "x"], /"x" is not a whole number\./, "help restore"],
  [["restore", "--min-memory", "much"], /"much" is not a size such as 16G or 512M\./, "help restore"],
];

for (const [line, message, help] of WRONG) {
  Deno.test(`tmuxclaude ${line.join(" ")}: says what is wrong and where help is`, async () => {
    await using scratch = await makeScratch();
    const { code, stdout, stderr } = await runBin(line, { env: scratch.env });
    deepStrictEqual([code, stdout], [2, ""]);
    match(stderr, new RegExp(`^tmuxclaude: .*\n  See how it goes with: tmuxclaude ${help}\n$`));
    match(stderr, message);
  });
}

Deno.test("alone it says in a few lines what it is for; help, -h and --help say the same", async () => {
  await using scratch = await makeScratch();
  const run = (...args: string[]) => runBin(args, { env: scratch.env });
  const alone = await run();
  strictEqual(alone.code, 0);
  match(alone.stdout, /^tmuxclaude brings .*\n\n {2}tmuxclaude demo /);
  strictEqual(alone.stdout.split("\n").length < 12, true);
  const help = await run("help");
  deepStrictEqual(await run("--help"), help);
  deepStrictEqual(await run("-h"), help);
  deepStrictEqual(await run("help", "revive"), await run("revive", "-h"));
});

Deno.test("a time that is none is answered with the form of its own flag, also when there is nothing to do", async () => {
  await using scratch = await makeScratch();
  for (
    const [args, form] of [[["--since", "abc"], "--since 2d"], [
      ["--at", "abc"],
      '--at "2026-11-30 09:15"',
    ]] as const
  ) {
    const { code, stderr } = await runBin(["recover", ...args], { env: scratch.env });
    deepStrictEqual([code, stderr.split("\n")[1]], [2, `  Give it like ${form}`]);
  }
});

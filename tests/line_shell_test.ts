// Which program is a shell, and which of its arguments leave it with a prompt.
import assert from "node:assert/strict";
import { isInteractiveShell, shellOf } from "../src/line/shell.ts";

const NAMES: [string, string | null][] = [
  ["bash", "bash"],
  ["-bash", "bash"],
  ["/bin/bash", "bash"],
  ["/opt/my shells/zsh", "zsh"],
  ["-zsh", "zsh"],
  ["zsh-5.9", "zsh"],
  ["fish", "fish"],
  ["nu", "nu"],
  ["sh", "posix"],
  ["-sh", "posix"],
  ["dash", "posix"],
  ["ash", "posix"],
  ["ksh93", "posix"],
  ["mksh", "posix"],
  ["", null],
  ["-", null],
  ["tcsh", null],
  ["pwsh", null],
  ["elvish", null],
  ["rbash", null],
  ["bashful", null],
  ["ssh", null],
  ["claude", null],
  ["constructor", null],
  ["toString", null],
];

for (const [name, shell] of NAMES) {
  Deno.test(`the program "${name}" is ${shell ?? "no shell we know"}`, () =>
    assert.equal(shellOf(name), shell));
}

const PROMPTS = [
  "bash",
  "-bash",
  "/bin/bash -i",
  "bash -l",
  "bash --norc --noprofile",
  "bash --rcfile FILE",
  "bash --init-file FILE -i",
  "bash -O extglob +O nullglob",
  "bash -o vi",
  "bash -o",
  "bash -eo pipefail",
  "bash --posix --",
  "bash -s one two",
  "-zsh",
  "zsh -f",
  "zsh -il",
  "zsh -o nobeep +o rcs",
  "fish",
  "fish -l",
  "fish --no-config",
  "fish -C COMMAND",
  "fish --init-command=COMMAND -i",
  "fish --init-command COMMAND",
  "fish -d 3 --profile FILE",
  "nu",
  "nu --config FILE --env-config FILE",
  "nu -e COMMAND",
  "nu -l -n",
  "dash",
  "sh -i",
  "sh -o vi",
  "busybox sh",
  "busybox ash -l",
];

const OTHERS = [
  "",
  "vim",
  "claude",
  "bash -c COMMAND",
  "bash -lc COMMAND",
  "bash -ic COMMAND",
  "bash script",
  "bash -x script",
  "bash --rcfile FILE script",
  "bash -- script",
  "bash -o vi script",
  "bash --version",
  "bash -n script",
  "bash /dev/fd/63",
  "zsh -fc COMMAND",
  "zsh -f script",
  "fish -c COMMAND",
  "fish --command=COMMAND",
  "fish -l script",
  "fish -C COMMAND script",
  "nu -c COMMAND",
  "nu --commands COMMAND",
  "nu --config FILE script.nu",
  "nu --lsp",
  "sh script",
  "sh -c COMMAND",
  "dash -ec COMMAND",
  "busybox vi",
  "busybox sh script",
];

for (const line of PROMPTS) {
  Deno.test(`"${line}" shows a prompt`, () => assert.equal(isInteractiveShell(line.split(" ")), true));
}
for (const line of OTHERS) {
  Deno.test(`"${line}" shows no prompt`, () => assert.equal(isInteractiveShell(line.split(" ")), false));
}
Deno.test("no arguments at all show no prompt", () => assert.equal(isInteractiveShell([]), false));

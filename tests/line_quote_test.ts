// Quoting: what each shell reads back is the text itself. The shells run for real (nushell by its book's rules).
import assert from "node:assert/strict";
import { quote, type Shell } from "../src/line/quote.ts";
import { AWKWARD } from "./helpers/awkward.ts";

const TEXTS = [
  ...AWKWARD,
  "",
  "a'b\"c$d`e\\f!g\nh",
  "!'\n",
  "\\'",
  "\\\\'",
  "%%\n",
  "\u0001\u001f\u0080\u009f",
  "-n\n",
  "x\n\ny\n\n",
];

const SHELLS: { shell: Shell; program: string[] }[] = [
  { shell: "bash", program: ["bash", "--norc", "-c"] },
  { shell: "bash", program: ["bash", "--posix", "--norc", "-c"] },
  { shell: "zsh", program: ["zsh", "-fc"] },
  {
    shell: "zsh",
    program: ["zsh", "-f", "-o", "rcquotes", "-o", "extendedglob", "-o", "magicequalsubst", "-c"],
  },
  { shell: "fish", program: ["fish", "--no-config", "-c"] },
  { shell: "posix", program: ["dash", "-c"] },
  { shell: "posix", program: ["bash", "--posix", "-c"] },
  { shell: "posix", program: ["busybox", "sh", "-c"] },
];

for (const { shell, program } of SHELLS) {
  for (const ascii of [false, true]) {
    Deno.test(`${program.join(" ")} reads back each text${ascii ? " from ASCII alone" : ""}`, async () => {
      const words = TEXTS.map((text) => quote(text, shell, { ascii }));
      for (const word of words) {
        // deno-lint-ignore no-control-regex
        assert.doesNotMatch(word, ascii ? /[^ -~]/ : /[\x00-\x1f\x7f-\x9f]/);
      }
      const line = `command env -i printf '%s\\0' ${words.join(" ")}`;
      const [name, ...args] = program;
      const { stdout } = await new Deno.Command(name, { args: [...args, line], env: { LC_ALL: "C.UTF-8" } })
        .output();
      assert.deepEqual(new TextDecoder().decode(stdout).split("\0").slice(0, -1), TEXTS);
    });
  }
}

const NU: [string, string][] = [
  ["plain-1.2/x_y:z@w", "plain-1.2/x_y:z@w"],
  ["", "''"],
  ["two words", "'two words'"],
  ["a=b", "'a=b'"],
  ["a,b", "'a,b'"],
  ["50%", "'50%'"],
  ["dots...", "'dots...'"],
  ["$x (y) {z} [w]", "'$x (y) {z} [w]'"],
  ["back\\slash", "'back\\slash'"],
  ['say "hi"', "'say \"hi\"'"],
  ["it's", '"it\'s"'],
  ['it\'s "a\\b"', '"it\'s \\"a\\\\b\\""'],
  ["a\nb\tc\u001bd", '"a\\u{a}b\\u{9}c\\u{1b}d"'],
  ["bang!", "'bang!'"],
  ["a !$ b", '"a \\u{21}$ b"'],
  ["日本", "'日本'"],
  ["\u202e", '"\\u{202e}"'],
];

for (const [text, word] of NU) {
  Deno.test(`nushell: ${JSON.stringify(text)}`, () => assert.equal(quote(text, "nu"), word));
}

const READABLE: [Shell, string, string][] = [
  ["bash", "/home/me/my-app_1.2", "/home/me/my-app_1.2"],
  ["zsh", "--add-dir=/x", "--add-dir=/x"],
  ["zsh", "=ls", "'=ls'"],
  ["bash", "~/x", "'~/x'"],
  ["bash", "my app", "'my app'"],
  ["bash", "it's", `"it's"`],
  ["posix", "it's $5", `'it'\\''s $5'`],
  ["bash", "it's $5", "$'it\\047s $5'"],
  ["fish", "it's \\\\", "'it\\'s \\\\\\\\'"],
  ["fish", "a\nb", "'a'\\n'b'"],
  ["zsh", "e\u0301", "$'e\\314\\201'"],
  ["bash", "café", "'café'"],
];

for (const [shell, text, word] of READABLE) {
  Deno.test(`${shell} writes ${JSON.stringify(text)} as ${word}`, () =>
    assert.equal(quote(text, shell), word));
}

// tmux.conf as text: one block goes in behind everything else, and comes out again.
import assert from "node:assert/strict";
import { addBlock, confBlock, findBlock, removeBlock } from "../src/install/conf_edit.ts";
import type { Edit } from "../src/install/edit.ts";
import { chooseConf } from "../src/tmux/conf_file.ts";
import { pathWord } from "../src/install/tmux_words.ts";
import { confWord } from "../src/tmux/format.ts";
import { systemFor } from "./fixtures/state_world.ts";
import { EDITED, LINE, REFUSED } from "./fixtures/tmux_conf/variants.ts";
import { makeScratch } from "./helpers/scratch.ts";

function changed(edit: Edit): Extract<Edit, { kind: "changed" }> {
  assert.equal(edit.kind, "changed", JSON.stringify(edit));
  return edit as Extract<Edit, { kind: "changed" }>;
}

function hasBlock(text: string): boolean {
  const found = findBlock(text);
  return "block" in found && found.block !== null;
}

Deno.test("there are at least 50 variants of tmux.conf", () => {
  assert.ok(EDITED.length + REFUSED.length >= 50);
});

for (const [name, text] of EDITED) {
  Deno.test(`tmux.conf with ${name}: one block behind what is there, and back byte for byte`, () => {
    const added = changed(addBlock(text, LINE));
    assert.equal(added.text.split(LINE).length, text.split(LINE).length + 1);
    assert.deepEqual(addBlock(added.text, LINE), { kind: "unchanged" });
    assert.ok(added.text.includes(confBlock(LINE).trimEnd()));
    if (hasBlock(text)) return;
    assert.ok(added.text.startsWith(text));
    assert.equal(changed(removeBlock(added.text, added)).text, text);
    const blind = changed(removeBlock(added.text, null)).text;
    // Nobody remembers the empty line that ends an open one.
    assert.equal(blind.replace(/(\\\r?)\n\n?$/, "$1"), text.replace(/(\\\r?)\n$/, "$1"));
  });
}

for (const [name, text] of REFUSED) {
  Deno.test(`tmux.conf with ${name} is left alone`, () => {
    for (const edit of [addBlock(text, LINE), removeBlock(text, null)]) {
      assert.equal(edit.kind, "refused");
      assert.match((edit as { reason: string }).reason, /marks in it are damaged/);
    }
  });
}

Deno.test("what was added behind the block stays when the block goes", () => {
  const added = changed(addBlock("set -g mouse on\n", LINE));
  assert.equal(
    changed(removeBlock(`${added.text}set -g status off\n`, added)).text,
    "set -g mouse on\nset -g status off\n",
  );
});

Deno.test("a block whose line was edited goes all the same", () => {
  const added = changed(addBlock("set -g mouse on\n", LINE));
  const edited = added.text.replace(LINE, `${LINE}\nbind r display x`);
  assert.equal(changed(removeBlock(edited, added)).text, "set -g mouse on\n");
});

Deno.test("tmux itself reads every variant with the block in it, and what the block loads comes last", async () => {
  await using scratch = await makeScratch();
  const probe = `${scratch.root}/probe.conf`;
  await Deno.writeTextFile(probe, "set -g @probe loaded\n");
  const tmux = (...args: string[]) =>
    new Deno.Command("tmux", {
      args: ["-u", "-L", "parse", "-f", "/dev/null", ...args],
      env: scratch.env,
      clearEnv: true,
    }).outputSync();
  tmux("new-session", "-d", "sleep 100");
  try {
    for (const [name, text] of EDITED) {
      const file = `${scratch.root}/variant.conf`;
      await Deno.writeTextFile(file, changed(addBlock(text, `source-file -q ${probe}`)).text);
      tmux("set", "-gu", "@probe");
      const read = tmux("source-file", file);
      // A CR is a part of the value for tmux, which then complains: about the user's lines, not about ours.
      if (!text.includes("\r")) assert.equal(new TextDecoder().decode(read.stderr), "", name);
      assert.equal(new TextDecoder().decode(tmux("show", "-gv", "@probe").stdout), "loaded\n", name);
    }
  } finally {
    tmux("kill-server");
  }
});

Deno.test("words for tmux come out as they went in", async () => {
  await using scratch = await makeScratch();
  const texts = [
    "plain",
    "it's",
    'say "hi"',
    "$HOME ${HOME}",
    "back\\slash\\",
    "a;b;",
    "#{pid} #(x)",
    "~/x",
    "{ }",
    "%if",
    "日本 🎉",
    "a\nb",
  ];
  const file = `${scratch.root}/words.conf`;
  await Deno.writeTextFile(
    file,
    texts.map((text, index) => `set -g @w${index} ${confWord(text)}\n`).join(""),
  );
  const tmux = (...args: string[]) =>
    new Deno.Command("tmux", { args: ["-u", "-L", "words", ...args], env: scratch.env, clearEnv: true })
      .outputSync();
  tmux("-f", file, "new-session", "-d", "sleep 100");
  try {
    for (const [index, text] of texts.entries()) {
      assert.equal(new TextDecoder().decode(tmux("show", "-gv", `@w${index}`).stdout), `${text}\n`);
    }
  } finally {
    tmux("kill-server");
  }
});

Deno.test("a path below HOME is written with ~ when nothing in it needs quotes", () => {
  assert.equal(
    pathWord("/home/me/.local/share/tmuxclaude/tmux.conf", "/home/me"),
    "~/.local/share/tmuxclaude/tmux.conf",
  );
  assert.equal(pathWord("/home/me/a b/tmux.conf", "/home/me"), '"/home/me/a b/tmux.conf"');
  assert.equal(pathWord("/data/[x]*?/tmux.conf", "/home/me"), '"/data/\\\\[x\\\\]\\\\*\\\\?/tmux.conf"');
});

Deno.test("chooseConf() takes what the server read last, else what exists, else ~/.tmux.conf", async () => {
  await using scratch = await makeScratch();
  const { home } = scratch;
  const system = systemFor(scratch.env);
  const choose = (loaded: string[] = [], configHome = "") => chooseConf(system, { home, configHome, loaded });
  assert.equal(choose(), `${home}/.tmux.conf`);
  await Deno.mkdir(`${home}/.config/tmux`, { recursive: true });
  await Deno.writeTextFile(`${home}/.config/tmux/tmux.conf`, "");
  assert.equal(choose(), `${home}/.config/tmux/tmux.conf`);
  assert.equal(choose(["/dev/null"]), `${home}/.config/tmux/tmux.conf`);
  assert.equal(choose(["/etc/tmux.conf"]), `${home}/.config/tmux/tmux.conf`);
  await Deno.writeTextFile(`${home}/.tmux.conf`, "");
  assert.equal(choose(), `${home}/.config/tmux/tmux.conf`);
  await Deno.writeTextFile(`${home}/mine.conf`, "");
  assert.equal(choose([`${home}/.tmux.conf`, `${home}/mine.conf`]), `${home}/mine.conf`);
  await Deno.mkdir(`${home}/xdg/tmux`, { recursive: true });
  await Deno.symlink(`${home}/mine.conf`, `${home}/xdg/tmux/tmux.conf`);
  assert.equal(choose([`${home}/mine.conf`], `${home}/xdg`), `${home}/xdg/tmux/tmux.conf`);
});

// The line stands at the prompt, alone and whole, whatever the pane was doing; or nothing was sent that does harm.
import assert from "node:assert/strict";
import type { System } from "../src/system/system.ts";
import { typeLine } from "../src/tmux/typing.ts";
import { until, untilText } from "./helpers/poll.ts";
import { type Shell, SHELLS, startServer, type TmuxServer } from "./helpers/tmux_server.ts";
import { paneOf, stateOf, system, tmuxOf, typeAt, untilState, wideSession } from "./helpers/typing.ts";

const LINE = "cd '/tmp/a b' && claude --resume 8a1c0e7e-5b1f-4a54-9d0c-0f2f9be2d001 --add-dir '/x;'";
const NAMES = Object.keys(SHELLS) as Shell[];

/** The last line on the screen that is not empty. */
async function lastLine(server: TmuxServer, id: string): Promise<string> {
  return (await server.capture(id)).trimEnd().split("\n").at(-1)!;
}

async function expectTyped(server: TmuxServer, id: string, line = LINE, prompt?: string): Promise<void> {
  assert.deepEqual(await typeAt(server, id, line), { typed: true }, await server.capture(id));
  const last = await lastLine(server, id);
  assert.ok(last.endsWith(line), last);
  if (prompt !== undefined) assert.equal(last, prompt + line);
  assert.equal(await server.run("list-buffers"), "");
}

/** Types at the pane's keyboard and waits to see it. */
async function halfType(server: TmuxServer, id: string, text: string): Promise<void> {
  await server.type(id, text);
  await untilText("the half-typed text", () => server.capture(id), text.trimEnd());
}

/** Waits until the screen has not changed for a while. */
async function standstill(server: TmuxServer, id: string): Promise<void> {
  let last = "", same = 0;
  await until("the screen to stand still", async () => {
    const now = await server.run("capture-pane", "-p", "-t", id) + await server.paneFormat(id, "#{cursor_x}");
    same = now === last ? same + 1 : 0;
    last = now;
    return same >= 4;
  });
}

/** The world in which something happens once, between the fresh prompt and the paste. */
function meddled(happens: () => Promise<unknown>): System {
  let done = false;
  const run: System["run"] = async (program, args, options) => {
    if (args.includes("set-buffer") && !done) {
      done = true;
      await happens();
    }
    return await system.run(program, args, options);
  };
  return { ...system, run };
}

for (const shell of NAMES) {
  Deno.test(`${shell}: the line stands alone after the prompt, half-typed text stays readable above`, async () => {
    await using server = await startServer();
    const id = await wideSession(server, { shell });
    const prompt = `${await lastLine(server, id)} `;
    await expectTyped(server, id, LINE, prompt);
    await expectTyped(server, id, LINE, prompt);
    await server.press(id, "C-c");
    await standstill(server, id);
    await halfType(server, id, 'git commit -m "half');
    await expectTyped(server, id, LINE, prompt);
    assert.match(await server.capture(id), /git commit -m "half/);
  });

  Deno.test(`${shell}: the line goes past copy mode, view mode, clock and tree`, async () => {
    await using server = await startServer();
    const id = await wideSession(server, { shell });
    await halfType(server, id, "half");
    for (const mode of [["copy-mode"], ["clock-mode"], ["choose-tree"]]) {
      await server.run(...mode, "-t", id);
      await expectTyped(server, id);
      assert.equal(await server.paneFormat(id, "#{pane_in_mode}"), "0");
    }
    await server.run("run-shell", "-t", id, "echo shown in view mode");
    assert.equal(await server.paneFormat(id, "#{pane_in_mode}"), "1");
    await expectTyped(server, id);
  });

  Deno.test(`${shell}: a synchronized neighbour gets nothing, and the option comes back as it was`, async () => {
    await using server = await startServer();
    const id = await wideSession(server, { shell });
    const neighbour = await server.split(id, { shell });
    await halfType(server, neighbour, "mine");
    await halfType(server, id, "half");
    const before = await server.capture(neighbour);
    await server.run("set-option", "-w", "-t", id, "synchronize-panes", "on");
    await expectTyped(server, id);
    assert.equal(await server.run("show-options", "-pqv", "-t", id, "synchronize-panes"), "");
    assert.equal(await server.paneFormat(id, "#{pane_synchronized}"), "1");
    await server.run("set-option", "-wu", "-t", id, "synchronize-panes");
    for (const pane of [id, neighbour]) {
      await server.run("set-option", "-p", "-t", pane, "synchronize-panes", "on");
    }
    await expectTyped(server, id);
    assert.equal(await server.run("show-options", "-pqv", "-t", id, "synchronize-panes"), "on");
    assert.equal(await server.capture(neighbour), before);
  });

  Deno.test(`${shell}: Enter comes after the line was seen, and runs it once`, async () => {
    await using server = await startServer();
    const id = await wideSession(server, { shell });
    const neighbour = await server.split(id, { shell });
    await server.run("set-option", "-w", "-t", id, "synchronize-panes", "on");
    const out = `${server.scratch.root}/out`;
    assert.deepEqual(await typeAt(server, id, `echo once >> ${out}`, { enter: true }), { typed: true });
    await until("what the line writes", () => Deno.readTextFile(out).catch(() => ""));
    await untilText("the next prompt", async () => (await stateOf(server, id)).ready ? "ready" : "", "ready");
    assert.equal(await Deno.readTextFile(out), "once\n");
    assert.doesNotMatch(await server.capture(neighbour), /once/);
    assert.equal(await server.run("list-buffers"), "");
  });

  Deno.test(`${shell}: a line longer than a narrow pane is read as it wraps`, async () => {
    await using server = await startServer();
    for (const [width, height] of [[79, 24], [40, 10], [31, 12], [20, 9]]) {
      const id = await server.newSession({ shell });
      await server.run("resize-window", "-t", id, "-x", String(width), "-y", String(height));
      await standstill(server, id);
      for (const line of [LINE, `${LINE} --name 'ein Ü, 日本語 wide'`]) {
        assert.deepEqual(await typeAt(server, id, line), { typed: true }, await server.capture(id));
      }
    }
  });

  Deno.test(`${shell}: a line taller than the pane is typed, or said to be unreadable`, async () => {
    await using server = await startServer();
    const id = await wideSession(server, { shell });
    await server.run("resize-window", "-t", id, "-x", "16", "-y", "3");
    await standstill(server, id);
    const typed = await typeAt(server, id, LINE);
    if (shell === "bash" || shell === "dash") assert.deepEqual(typed, { typed: true });
    else assert.ok(typed.typed || /too small/.test(typed.reason), JSON.stringify(typed));
  });

  Deno.test(`${shell}: what the user types meanwhile is seen, and Enter is not pressed`, async () => {
    await using server = await startServer();
    const id = await wideSession(server, { shell });
    await untilState(server, id, "ready");
    const out = `${server.scratch.root}/out`;
    const line = `echo ran >> ${out}`;
    const tmux = { ...tmuxOf(server), system: meddled(() => halfType(server, id, "true ")) };
    const typed = await typeLine(tmux, await paneOf(server, id), line, { enter: true });
    const end = `true ${line}`.slice(-24);
    assert.deepEqual(typed, { typed: false, reason: `not typed as meant, check the pane: "${end}"` });
    await standstill(server, id);
    await assert.rejects(Deno.stat(out), Deno.errors.NotFound);
  });
}

Deno.test("vi modes: from command mode the line still stands whole", async () => {
  await using server = await startServer();
  await Deno.writeTextFile(`${server.scratch.home}/rc`, "set -o vi\n");
  await Deno.writeTextFile(`${server.scratch.home}/.zshrc`, "bindkey -v\n");
  const commands = [
    "exec bash --rcfile rc",
    "exec zsh",
    "exec fish -C 'set -g fish_key_bindings fish_vi_key_bindings; set -g fish_greeting'",
  ];
  for (const command of commands) {
    const id = await wideSession(server, { command });
    await untilState(server, id, "ready");
    await halfType(server, id, "half typed");
    await server.press(id, "Escape");
    await server.press(id, "0");
    await standstill(server, id);
    await expectTyped(server, id);
    await server.press(id, "Escape");
    await standstill(server, id);
    await expectTyped(server, id);
    await server.press(id, "C-c");
    await server.press(id, "Escape");
    await standstill(server, id);
    await expectTyped(server, id);
  }
});

Deno.test("fish's mode for replacing, where C-c does nothing: what was typed does not stay before the line", async () => {
  await using server = await startServer();
  const config = `${server.scratch.home}/.config/fish`;
  await Deno.mkdir(config, { recursive: true });
  await Deno.writeTextFile(`${config}/config.fish`, "set -g fish_greeting\nfish_vi_key_bindings\n");
  const id = await wideSession(server, { command: "exec fish" });
  for (const keys of [["h", "i", "Escape", "R"], ["Escape", "R", "h", "i"]]) {
    await untilState(server, id, "ready");
    for (const key of keys) {
      await server.press(id, key);
      await standstill(server, id);
    }
    assert.match(await lastLine(server, id), /^\[R\] .*hi/);
    await expectTyped(server, id);
    assert.doesNotMatch(await lastLine(server, id), /hi/);
    await server.press(id, "C-c");
    await standstill(server, id);
  }
});

Deno.test("a fish that neither C-c nor Escape gets to drop its line: nothing is typed into it", async () => {
  await using server = await startServer();
  const config = `${server.scratch.home}/.config/fish`;
  await Deno.mkdir(config, { recursive: true });
  const keys = "fish_vi_key_bindings\nbind -M replace \\e true\n";
  await Deno.writeTextFile(`${config}/config.fish`, `set -g fish_greeting\n${keys}`);
  const id = await wideSession(server, { command: "exec fish" });
  await untilState(server, id, "ready");
  for (const key of ["h", "i", "Escape", "R"]) {
    await server.press(id, key);
    await standstill(server, id);
  }
  assert.match(await lastLine(server, id), /^\[R\] .*hi/);
  const typed = await typeAt(server, id, LINE);
  assert.equal(typed.typed, false);
  assert.doesNotMatch(await lastLine(server, id), /claude/);
});

Deno.test("search, completion and continuation lines are left as well", async () => {
  await using server = await startServer();
  for (const shell of ["bash", "zsh", "fish"] as const) {
    const id = await wideSession(server, { shell });
    await server.sendLine(id, "echo earlier");
    await standstill(server, id);
    const leave = [["C-r", "e", "a"], ["l", "s", " ", "/", "Tab", "Tab"], [
      "e",
      "c",
      "h",
      "o",
      " ",
      "'",
      "Enter",
      "x",
    ]];
    for (const keys of leave) {
      await server.press(id, ...keys);
      await standstill(server, id);
      await expectTyped(server, id);
    }
  }
});

Deno.test("right prompts and suggestions right of the cursor are not taken for typed text", async () => {
  await using server = await startServer();
  const zsh = await wideSession(server, { shell: "zsh" });
  await server.sendLine(zsh, "RPROMPT='[right %T]'");
  const fish = await wideSession(server, { shell: "fish" });
  await server.sendLine(fish, "function fish_right_prompt; echo '[right]'; end");
  await server.sendLine(fish, ": claude --resume 8a1c0e7e-5b1f-4a54-9d0c-0f2f9be2d001 --and-more");
  for (const id of [zsh, fish]) {
    await standstill(server, id);
    const line = `${id === fish ? ": " : ""}claude --resume 8a1c0e7e-5b1f-4a54-9d0c-0f2f9be2d001`;
    assert.deepEqual(await typeAt(server, id, line), { typed: true }, await server.capture(id));
    assert.match(await lastLine(server, id), id === zsh ? /right/ : /and-more/);
  }
});

const PROMPTS: [Shell, string][] = [
  ["bash", "PS1="],
  ["bash", "PS1='one\\ntwo> '"],
  ["bash", "PROMPT_COMMAND='sleep 0.3'; PS1='slow> '"],
  ["bash", "PROMPT_COMMAND='for (( i = 0; i < 100000; i++ )); do :; done'; PS1='busy> '"],
  ["bash", "PS1='\\[\\e[31m\\]red\\[\\e[0m\\] ❯ '"],
  ["bash", "PS1='日本 🎉 \\w $ '"],
  ["zsh", "PROMPT="],
  ["zsh", "PROMPT=$'one\\ntwo> '"],
  ["zsh", "precmd() { sleep 0.3 }; PROMPT='slow> '"],
  ["zsh", "precmd() { for (( i = 0; i < 100000; i++ )); do :; done }; PROMPT='busy> '"],
  ["fish", "function fish_prompt; end"],
  ["fish", "function fish_prompt; sleep 0.3; printf 'one\\ntwo> '; end"],
  ["dash", "PS1="],
];

for (const [shell, prompt] of PROMPTS) {
  Deno.test(`${shell}: the line stands once with ${prompt}`, async () => {
    await using server = await startServer();
    const id = await wideSession(server, { shell });
    await server.sendLine(id, prompt);
    await standstill(server, id);
    for (let n = 1; n < 3; n++) {
      await expectTyped(server, id);
      await standstill(server, id);
      const shown = await server.capture(id);
      assert.equal(shown.split("claude --resume").length, n + 1, shown);
    }
  });
}

const CHANGES: [string, (server: TmuxServer, id: string) => Promise<unknown>][] = [
  ["died", async (server, id) => {
    Deno.kill((await paneOf(server, id)).pid, "SIGKILL");
    await until("the pane to be dead", async () => (await paneOf(server, id)).dead);
  }],
  ["is gone", (server, id) => server.run("kill-pane", "-t", id)],
  ["runs another program", async (server, id) => {
    await server.sendLine(id, "cat");
    await untilText("cat", async () => (await paneOf(server, id)).command, "cat");
  }],
];

for (const [name, change] of CHANGES) {
  Deno.test(`a pane that ${name} by now gets nothing, and the server lives`, async () => {
    await using server = await startServer({ conf: "set -g remain-on-exit on\n" });
    await server.newSession();
    for (const early of [true, false]) {
      const id = await wideSession(server);
      const pane = await paneOf(server, id);
      if (early) await change(server, id);
      const tmux = { ...tmuxOf(server), system: early ? system : meddled(() => change(server, id)) };
      const typed = await typeLine(tmux, pane, LINE, { enter: true });
      assert.deepEqual(typed, {
        typed: false,
        reason: "another program came to the front meanwhile: press again",
      });
      if (name !== "is gone") assert.doesNotMatch(await server.captureAll(id), /claude/);
      assert.equal(await server.run("list-buffers"), "");
    }
  });
}

Deno.test("a script that takes the terminal after C-c is not taken for the shell, though it has its name", async () => {
  await using server = await startServer();
  const id = await wideSession(server);
  const got = `${server.scratch.root}/got`;
  await Deno.writeTextFile(
    `${server.scratch.root}/claude.sh`,
    `stty raw -echo; printf '❯ '; cat >'${got}'\n`,
  );
  const run: System["run"] = async (program, args, options) => {
    const result = await system.run(program, args, options);
    if (args.some((word) => word.includes("send-keys"))) {
      await standstill(server, id);
      await server.sendLine(id, `bash ${server.scratch.root}/claude.sh`);
      await until("the script", () => Deno.stat(got).then(() => true, () => false));
    }
    return result;
  };
  const state = await untilState(server, id, "ready");
  assert.ok(state.ready);
  const tmux = { ...tmuxOf(server), system: { ...system, run } };
  const typed = await typeLine(tmux, await paneOf(server, id), LINE, {
    enter: true,
    shellPid: state.shellPid,
  });
  assert.equal(typed.typed, false);
  await standstill(server, id);
  assert.equal(await Deno.readTextFile(got), "");
});

Deno.test("a server that hangs types nothing when it goes on", async () => {
  await using server = await startServer();
  const id = await wideSession(server);
  await untilState(server, id, "ready");
  const pid = await server.pid();
  const hangs = meddled(() => Promise.resolve(Deno.kill(pid, "SIGSTOP")));
  const tmux = { ...tmuxOf(server), system: hangs };
  await assert.rejects(typeLine(tmux, await paneOf(server, id), LINE, { enter: true }), /no answer within/);
  Deno.kill(pid, "SIGCONT");
  await standstill(server, id);
  assert.doesNotMatch(await server.captureAll(id), /claude/);
  assert.equal(await server.run("list-buffers"), "");
});

Deno.test("a shell that ignores C-c is left alone", async () => {
  await using server = await startServer();
  const id = await wideSession(server);
  await server.sendLine(id, "stty intr undef; bind -r '\\C-c' 2>/dev/null");
  await standstill(server, id);
  await halfType(server, id, "half");
  const typed = await typeAt(server, id, LINE, { enter: true });
  assert.ok(!typed.typed && /did not show its prompt/.test(typed.reason), JSON.stringify(typed));
  assert.doesNotMatch(await server.capture(id), /claude/);
});

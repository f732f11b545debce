// Only a shell that waits for a command line is a prompt: real programs on a real tmux, each with its reason.
import assert from "node:assert/strict";
import { startClaude } from "./helpers/panes.ts";
import { until, untilText } from "./helpers/poll.ts";
import { SHELLS, startServer, type TmuxServer } from "./helpers/tmux_server.ts";
import { paneOf, stateOf, untilState } from "./helpers/typing.ts";

/** The state must come, and be the same a moment later. */
async function expectState(server: TmuxServer, id: string, wanted: string, program?: string | null) {
  const state = await untilState(server, id, wanted);
  if (state.ready) return state;
  if (program !== undefined) assert.equal(state.program, program);
  assert.ok([...state.message].length <= 68, state.message);
  assert.doesNotMatch(state.message, /\n/);
  return state;
}

/** A program of that name that waits at the terminal for a line; gives its path. */
async function stub(server: TmuxServer, name: string): Promise<string> {
  const path = `${await server.scratch.folder("stubs")}/${name}`;
  await Deno.copyFile("/bin/cat", path);
  await Deno.chmod(path, 0o755);
  return path;
}

for (
  const [name, shell] of [["bash", "bash"], ["zsh", "zsh"], ["fish", "fish"], ["dash", "posix"]] as const
) {
  Deno.test(`${name} at its prompt is ready, also with half-typed text and in copy mode`, async () => {
    await using server = await startServer();
    const id = await server.newSession({ shell: name });
    const state = await expectState(server, id, "ready");
    assert.ok(state.ready);
    assert.equal(state.shell, shell);
    assert.equal(state.shellPid, (await paneOf(server, id)).pid);
    await server.type(id, "git commit -m 'ab");
    await server.run("copy-mode", "-t", id);
    await expectState(server, id, "ready");
  });

  Deno.test(`${name} is not at its prompt while it runs something`, async () => {
    await using server = await startServer();
    const id = await server.newSession({ shell: name });
    await server.sendLine(id, "sleep 600");
    await expectState(server, id, "program", "sleep");
    await server.press(id, "C-c");
    await expectState(server, id, "ready");
  });

  Deno.test(`${name} within another shell, with jobs behind it, is a prompt`, async () => {
    await using server = await startServer();
    const id = await server.newSession({ shell: "bash" });
    await server.sendLine(id, "sleep 600 &");
    await server.sendLine(id, "sleep 601");
    await expectState(server, id, "program");
    await server.press(id, "C-z");
    await expectState(server, id, "ready");
    await server.sendLine(id, SHELLS[name]);
    await untilText(`the nested ${name}`, async () => (await paneOf(server, id)).command, name);
    const state = await expectState(server, id, "ready");
    assert.ok(state.ready);
    assert.equal(state.shell, shell);
    assert.notEqual(state.shellPid, (await paneOf(server, id)).pid);
  });
}

Deno.test("a program in the foreground is refused by its name", async () => {
  await using server = await startServer();
  const id = await server.newSession();
  for (const [name, command] of [["vim", "vim -u NONE"], ["less", "less /etc/passwd"], ["cat", "cat"]]) {
    await expectState(server, id, "ready");
    await server.sendLine(id, command);
    await expectState(server, id, "program", name);
    await server.press(id, "C-z");
  }
  await server.sendLine(id, "python3 -q");
  await untilText("Python's prompt", () => server.capture(id), ">>>");
  const state = await expectState(server, id, "program");
  assert.ok(!state.ready && /python/.test(state.program ?? ""));
});

Deno.test("a program that only calls itself a shell is refused by its real name", async () => {
  await using server = await startServer();
  const id = await server.newSession();
  await server.sendLine(id, "(exec -a bash vim)");
  await untilText("the editor", () => server.capture(id), /^~$/m);
  const state = await expectState(server, id, "program");
  assert.ok(!state.ready && /vim/.test(state.message));
});

const ELSEWHERE = [
  ["ssh", "remote", /^this pane is inside ssh: /],
  ["mosh-client", "remote", /^this pane is inside mosh-client: /],
  ["docker", "remote", /in a container \(docker\)/],
  ["kubectl", "remote", /in a container \(kubectl\)/],
  ["tmux", "remote", /shows tmux itself/],
  ["sudo", "other-user", /^sudo works for another user/],
  ["su", "other-user", /^su works for another user/],
] as const;

for (const [name, because, message] of ELSEWHERE) {
  Deno.test(`a pane inside ${name} is refused, and told where to go`, async () => {
    await using server = await startServer();
    const id = await server.newSession();
    await server.sendLine(id, `'${await stub(server, name)}'`);
    const state = await expectState(server, id, because, name);
    assert.ok(!state.ready);
    assert.match(state.message, message);
  });
}

Deno.test("the pane's own program is refused when it is no shell, also one that replaced the shell", async () => {
  await using server = await startServer();
  const id = await server.newSession({ command: "sleep 600" });
  await expectState(server, id, "program", "sleep");
  const other = await server.newSession({ shell: "bash" });
  await server.sendLine(other, "exec sleep 600");
  await expectState(server, other, "program", "sleep");
});

Deno.test("a script is refused by the script's name", async () => {
  await using server = await startServer();
  const id = await server.newSession();
  await Deno.writeTextFile(`${server.scratch.bin}/deploy`, "#!/bin/bash\nread -p 'sure? ' x\n", {
    mode: 0o755,
  });
  await server.sendLine(id, "deploy");
  await untilText("the question", () => server.capture(id), "sure?");
  await expectState(server, id, "program", "deploy");
});

const READS = [
  ["bash", "read x"],
  ["bash", "read -s -n 1 x"],
  ["bash", "read -n 1 x"],
  ["bash", "select x in a b; do break; done"],
  ["zsh", "read x"],
  ["zsh", "read -sk 1 x"],
  ["zsh", "read -q x"],
] as const;

for (const [shell, command] of READS) {
  Deno.test(`${shell} that waits in "${command}" is not at its prompt`, async () => {
    await using server = await startServer();
    const id = await server.newSession({ shell });
    await server.sendLine(id, command);
    await expectState(server, id, "starting", shell);
  });
}

Deno.test("a bash that is called sh is held to bash's line editor", async () => {
  await using server = await startServer();
  await Deno.symlink("/bin/bash", `${server.scratch.bin}/sh`);
  const id = await server.newSession({ command: `exec ${server.scratch.bin}/sh` });
  const state = await expectState(server, id, "ready");
  assert.ok(state.ready && state.shell === "posix");
  await server.sendLine(id, "read x");
  await expectState(server, id, "starting", "sh");
});

Deno.test("a shell whose start file still runs something is not at its prompt", async () => {
  await using server = await startServer();
  const rc = `${server.scratch.root}/.zshrc`;
  await Deno.writeTextFile(rc, "cat\n");
  const commands = [
    `exec bash --rcfile ${rc}`,
    `ZDOTDIR=${server.scratch.root} exec zsh`,
    `exec fish --no-config -C cat`,
    `ENV=${rc} exec dash`,
  ];
  for (const command of commands) {
    const id = await server.newSession({ command });
    await server.sendLine(id, "cat reads this");
    await untilText("cat's answer", () => server.capture(id), /cat reads this\ncat reads this/);
    const state = await stateOf(server, id);
    assert.ok(!state.ready, command);
    assert.match(state.because, /^(starting|program)$/);
    assert.equal(state.program, "cat");
  }
});

Deno.test("a shell that still works through its start file is not at its prompt", async () => {
  await using server = await startServer();
  const rc = `${server.scratch.root}/rc`;
  await Deno.writeTextFile(rc, "for (( i = 0; i < 100000000; i++ )); do :; done\n");
  const busy = await server.newSession({ command: `exec bash --rcfile ${rc}` });
  await expectState(server, busy, "starting", "bash");
});

Deno.test("what a start file left running in the shell's own group does not stand in the way", async () => {
  await using server = await startServer();
  const rc = `${server.scratch.root}/rc`;
  await Deno.writeTextFile(rc, "sleep 600 &\nsleep 600 </dev/tty &\n");
  const bash = await server.newSession({ command: `exec bash --rcfile ${rc}` });
  const fish = await server.newSession({ command: `exec fish --no-config -C 'sleep 600 </dev/tty &'` });
  for (const id of [bash, fish]) await expectState(server, id, "ready");
});

Deno.test("a shell that another program started is not taken for the pane's", async () => {
  await using server = await startServer();
  const wrapper = `${server.scratch.bin}/toolbox`;
  const code = "import subprocess; subprocess.run(['bash', '--norc'])";
  await Deno.writeTextFile(wrapper, `#!/bin/sh\nexec python3 -c "${code}"\n`, { mode: 0o755 });
  const id = await server.newSession();
  await server.sendLine(id, "toolbox");
  await until("the shell below to be refused for the program between", async () => {
    const state = await stateOf(server, id);
    return (await paneOf(server, id)).command === "bash" && !state.ready &&
      /python/.test(state.program ?? "");
  });
  await expectState(server, id, "program");
});

Deno.test({
  name: "a shell of another user is not taken for the pane's",
  ignore: Deno.uid() !== 0,
  fn: async () => {
    await using server = await startServer();
    const id = await server.newSession({ command: "exec setpriv --reuid 65534 --clear-groups bash --norc" });
    await expectState(server, id, "other-user", "bash");
  },
});

Deno.test("a live Claude is refused, also a suspended one", async () => {
  await using server = await startServer();
  const id = await server.newSession();
  await startClaude(server, id);
  await expectState(server, id, "claude", "claude");
  const { pid } = await paneOf(server, id);
  const [claude] = Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`).split(" ").map(Number);
  Deno.kill(claude, "SIGSTOP");
  await expectState(server, id, "claude", "claude");
});

Deno.test("a dead pane, and one whose input is off, are told apart", async () => {
  await using server = await startServer({ conf: "set -g remain-on-exit on\n" });
  const id = await server.newSession({ command: "true" });
  await expectState(server, id, "dead", null);
  const off = await server.newSession();
  await server.run("select-pane", "-d", "-t", off);
  await expectState(server, off, "input-off", null);
});

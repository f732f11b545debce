// install and uninstall as a person runs them: the program, a real HOME, a real tmux server.
import assert from "node:assert/strict";
import { until } from "./helpers/poll.ts";
import { runBin } from "./helpers/run_bin.ts";
import { makeScratch, type Scratch } from "./helpers/scratch.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

const SETTINGS = `{
\t"permissions": { "allow": ["Bash(ls:*)"] },
\t"hooks": {
\t\t"SessionStart": [
\t\t\t{ "matcher": "startup|resume", "hooks": [ { "type": "command", "command": "~/bin/other.sh", "timeout": 5 } ] }
\t\t],
\t\t"Stop": [ { "hooks": [ { "type": "command", "command": "notify-send done" } ] } ]
\t},
\t"env": { "X": "1e3" }
}
`;

const CONF = `# mine: a reload key, a save hook, a format of my own
set -g mouse on
bind r source-file "$HOME/.tmux.conf" \\; display-message "Reloaded #{pid} é"
set -g @resurrect-hook-post-save-all 'printf saved > "$HOME/saved" & # mine, with } and ,'
set -g automatic-rename-format '#{b:pane_current_path}'
`;

async function prepare(scratch: Scratch): Promise<void> {
  await Deno.writeTextFile(`${scratch.config}/settings.json`, SETTINGS);
  await Deno.writeTextFile(`${scratch.home}/.tmux.conf`, CONF);
}

/** Everything a server has that install may touch. */
async function stateOf(server: TmuxServer): Promise<string> {
  const parts = [["show", "-g"], ["show", "-gw"], ["show", "-s"], ["show-hooks", "-g"], ["list-keys"]];
  return (await Promise.all(parts.map((args) => server.run(...args)))).join("\n");
}

/** Names and contents of everything below HOME but our records. */
async function filesOf(home: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const visit = async (folder: string) => {
    for await (const entry of Deno.readDir(folder)) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory) await visit(path);
      else if (!/\/\.(cache|local\/state)\//.test(path)) found[path] = await Deno.readTextFile(path);
    }
  };
  await visit(home);
  return found;
}

/** A server that has read the user's tmux.conf, and the environment of a pane in it. */
async function startWithConf(scratch: Scratch): Promise<{ server: TmuxServer; env: Record<string, string> }> {
  await prepare(scratch);
  const server = await startServer({ scratch, conf: `source-file '${scratch.home}/.tmux.conf'\n` });
  const env = await server.paneEnv(await server.newSession());
  return { server, env };
}

Deno.test("install, ten reloads, uninstall: files and the running server are as before, byte for byte", async () => {
  const { server, env } = await startWithConf(await makeScratch());
  await using _end = server;
  const { home } = server.scratch;
  const before = { server: await stateOf(server), files: await filesOf(home) };

  const installed = await runBin(["install", "--tmux-conf", `${home}/.tmux.conf`], { env });
  assert.equal(installed.code, 0, installed.stderr);
  assert.equal(installed.stdout, "");
  assert.match(installed.stderr, /\+set|\+source-file -q ~\/\.local\/share\/tmuxclaude\/tmux\.conf/);
  assert.match(installed.stderr, /moved from prefix \+ r to prefix \+ R/);
  assert.match(installed.stderr, /undo it with: tmuxclaude uninstall/);
  const loaded = await stateOf(server);
  for (let round = 0; round < 10; round++) await server.run("source-file", `${home}/.tmux.conf`);
  assert.equal(await stateOf(server), loaded);

  const again = await runBin(["install", "--tmux-conf", `${home}/.tmux.conf`], { env });
  assert.deepEqual([again.code, /as it should be/.test(again.stderr)], [0, true]);
  assert.equal(await stateOf(server), loaded);

  const removed = await runBin(["uninstall"], { env });
  assert.equal(removed.code, 0, removed.stderr);
  assert.equal(await stateOf(server), before.server);
  assert.deepEqual(await filesOf(home), before.files);
  const nothing = await runBin(["uninstall"], { env });
  assert.equal(nothing.code, 0);
  assert.match(nothing.stderr, /nothing of tmuxclaude/);
});

Deno.test("the hook option of tmux-resurrect runs what the user has there, and then ours", async () => {
  const { server, env } = await startWithConf(await makeScratch());
  await using _end = server;
  const { home, root } = server.scratch;
  const program = `${root}/it's #{pid} #(touch x) $H "q" 100%H/tmuxclaude`;
  await Deno.mkdir(program.slice(0, -"/tmuxclaude".length));
  await Deno.writeTextFile(program, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${root}/called'\n`, { mode: 0o755 });
  const installed = await runBin(["install", "--tmux-conf", `${home}/.tmux.conf`, "--program", program], {
    env,
  });
  assert.equal(installed.code, 0, installed.stderr);
  for (const event of ["save", "restore"]) {
    const hook = await server.run("show", "-gqv", `@resurrect-hook-post-${event}-all`);
    const ran = await new Deno.Command("bash", {
      args: ["-c", 'eval "$1 $2"; wait', "-", hook, ""],
      env,
      clearEnv: true,
    }).output();
    assert.equal(ran.code, 0, new TextDecoder().decode(ran.stderr));
  }
  assert.equal(await Deno.readTextFile(`${home}/saved`), "saved");
  assert.equal(await Deno.readTextFile(`${root}/called`), "manifest\nrestore --background\n");
});

Deno.test("prefix + r and prefix + M-r call the program with ids only, whatever its path", async () => {
  const { server, env } = await startWithConf(await makeScratch());
  await using _end = server;
  const { home, root } = server.scratch;
  const program = `${root}/it's #{pid} #(touch x) $H "q" 100%H/tmuxclaude`;
  await Deno.mkdir(program.slice(0, -"/tmuxclaude".length));
  await Deno.writeTextFile(program, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${root}/called'\n`, { mode: 0o755 });
  const installed = await runBin(["install", "--tmux-conf", `${home}/.tmux.conf`, "--program", program], {
    env,
  });
  assert.equal(installed.code, 0, installed.stderr);

  const pane = await server.newSession({ session: "seen" });
  const outer = await server.newSession({
    session: "outer",
    command: `env -u TMUX tmux -u -S '${server.socketPath}' attach -t =seen:`,
  });
  const client = await until("a client", () => server.run("list-clients", "-F", "#{client_name}"));
  await server.press(outer, "C-b", "r");
  await server.press(outer, "C-b", "M-r");
  const called = await until("both calls", async () => {
    const text = await Deno.readTextFile(`${root}/called`);
    return text.split("\n").length === 3 ? text : null;
  });
  const common = `revive --pane ${pane} --client ${client}`;
  assert.deepEqual(called.trim().split("\n").sort(), [common, `${common} --menu`]);
  assert.equal(await server.paneFormat(pane, "#{pane_in_mode}"), "0");
});

Deno.test("another key: the first one is given back to what it did, also in the running server", async () => {
  const { server, env } = await startWithConf(await makeScratch());
  await using _end = server;
  const { home } = server.scratch;
  await server.run("bind-key", "-r", "-T", "prefix", "v", "resize-pane", "-U", "3");
  const before = await stateOf(server);
  const install = (...args: string[]) =>
    runBin(["install", "--tmux-conf", `${home}/.tmux.conf`, ...args], { env });
  assert.equal((await install()).code, 0);
  const changed = await install("--key", "v");
  assert.equal(changed.code, 0, changed.stderr);
  assert.match(changed.stderr, /prefix \+ v was: resize-pane -U 3/);
  const keys = await server.run("list-keys", "-T", "prefix");
  assert.match(keys, /prefix r +source-file/);
  assert.match(keys, /prefix v +run-shell -b .* revive /);
  assert.equal(
    await server.run("show-options", "-gv", "@tmuxclaude-revive-key"),
    "v",
    "messages name the key",
  );
  assert.doesNotMatch(keys, /prefix (R|M-r) /);
  assert.equal((await runBin(["uninstall"], { env })).code, 0);
  assert.equal(await stateOf(server), before);
});

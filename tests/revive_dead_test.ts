// A pane that remain-on-exit kept gets a shell and its conversation again, and is a pane like any other afterwards.
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { exitClaude, prompt, sessionOf, startClaude, waitForBox } from "./helpers/panes.ts";
import { until, untilText } from "./helpers/poll.ts";
import { endShell, exited, hooked, revive, untilDead } from "./helpers/revive.ts";
import { SHELLS, type TmuxServer } from "./helpers/tmux_server.ts";

const STAYS = "set -g remain-on-exit on\n";

Deno.test("a dead pane starts again with its conversation, and the stamp names it", async () => {
  await using server = await hooked(STAYS);
  const { pane, id } = await exited(server);
  await endShell(server, pane);
  const { outcome, session_id, line } = await revive(server, pane);
  deepStrictEqual([outcome, session_id, line], ["respawned", id, `claude --resume ${id}`]);
  await waitForBox(server, pane);
  strictEqual(await server.paneFormat(pane, "#{@tmuxclaude_session}"), id);
  strictEqual(await sessionOf(server, pane), id);
  await exitClaude(server, pane);
  strictEqual(await server.paneFormat(pane, "#{pane_dead}"), "0");
});

Deno.test("a dead pane nobody prompted starts under its own id, which cannot collide", async () => {
  await using server = await hooked(STAYS);
  const pane = await server.newSession();
  await startClaude(server, pane);
  const id = await sessionOf(server, pane);
  await exitClaude(server, pane);
  await endShell(server, pane);
  strictEqual((await revive(server, pane)).line, `claude --session-id ${id}`);
  await waitForBox(server, pane);
  strictEqual(await sessionOf(server, pane), id);
});

Deno.test("a dead pane whose transcript is gone is left as it is", async () => {
  await using server = await hooked(STAYS);
  const { pane } = await exited(server);
  await endShell(server, pane);
  await Deno.remove(`${server.scratch.config}/projects`, { recursive: true });
  const { outcome, reason } = await revive(server, pane);
  deepStrictEqual([outcome, reason], ["refused", "transcript-gone"]);
  strictEqual(await server.paneFormat(pane, "#{pane_dead}"), "1");
});

for (const [name, command] of Object.entries(SHELLS)) {
  Deno.test(`${name}: a Claude in a pane that was dead can be suspended, and comes back with fg`, async () => {
    await using server = await hooked(`${STAYS}set -g default-command "${command}"\n`);
    const pane = await claudeAsProgram(server);
    strictEqual((await revive(server, pane)).outcome, "respawned");
    await waitForBox(server, pane);
    await server.press(pane, "C-z");
    await untilText("the message", async () => (await revive(server, pane)).message, /suspended.*fg/);
    await server.sendLine(pane, "fg");
    await untilText("Claude's box again", () => server.capture(pane), /fg[^]*❯\s*─+\s*$/);
    await waitForBox(server, pane);
    await prompt(server, pane, "still here");
    await exitClaude(server, pane);
    strictEqual(await server.paneFormat(pane, "#{pane_dead}"), "0");
  });
}

/** A dead pane that was started as `claude` and nothing else. */
async function claudeAsProgram(server: TmuxServer): Promise<string> {
  const pane = await server.newSession({ command: "claude --model opus" });
  await waitForBox(server, pane);
  await prompt(server, pane, "hello");
  await server.run("set-option", "-p", "-t", pane, "@mine", "kept");
  await server.sendLine(pane, "/exit");
  await untilDead(server, pane);
  return pane;
}

Deno.test("options and flags stay, and the shell is the one that new panes get", async () => {
  await using server = await hooked(`${STAYS}set -g default-command "exec bash --norc"\n`);
  const pane = await claudeAsProgram(server);
  match((await revive(server, pane)).line!, /^claude --resume \S+ --model=opus$/);
  await waitForBox(server, pane);
  const facts = await server.paneFormat(pane, "#{@mine} #{remain-on-exit} #{pane_start_command}");
  strictEqual(facts, 'kept on "exec bash --norc"');
});

Deno.test("a folder that reads like a tmux format is entered, and nothing in it is run", async () => {
  await using server = await hooked(STAYS);
  const folder = await server.scratch.folder("a#(touch $HOME_OF_TESTS)b#S;");
  const { pane } = await exited(server, { folder });
  await endShell(server, pane);
  strictEqual((await revive(server, pane)).outcome, "respawned");
  await waitForBox(server, pane);
  strictEqual(await server.paneFormat(pane, "#{pane_current_path}"), folder);
});

Deno.test("slow start files are waited for", async () => {
  await using server = await hooked(`${STAYS}set -g default-command "bash --rcfile ~/rc"\n`);
  await Deno.writeTextFile(`${server.scratch.home}/rc`, "sleep 1; echo hi; false; nosuch; sleep 0.3\n");
  const pane = await claudeAsProgram(server);
  strictEqual((await revive(server, pane)).outcome, "respawned");
  await waitForBox(server, pane);
});

Deno.test("a shell that ends at once is told", async () => {
  await using server = await hooked(`${STAYS}set -g default-command false\n`);
  const pane = await claudeAsProgram(server);
  const { outcome, message, code } = await revive(server, pane);
  deepStrictEqual([outcome, code], ["refused", 1]);
  match(message, /ended at once/);
});

Deno.test("two presses at once start one Claude", async () => {
  await using server = await hooked(STAYS);
  const { pane } = await exited(server);
  await endShell(server, pane);
  const before = (await server.scratch.claudeStarts()).length;
  const outcomes = (await Promise.all([1, 2].map(() => revive(server, pane)))).map((one) => one.outcome);
  deepStrictEqual(outcomes.toSorted(), ["respawned", "running"]);
  await waitForBox(server, pane);
  strictEqual((await server.scratch.claudeStarts()).length, before + 1);
});

for (const command of ["ssh host", "docker run -it image claude", "FOO=1 ssh host", "sudo -iu other"]) {
  Deno.test(`a dead pane of "${command}" is not touched`, async () => {
    await using server = await hooked(STAYS);
    const { pane: from } = await exited(server);
    const pane = await server.newSession({ command: `exit 1; ${command}` });
    await untilDead(server, pane);
    await moveStamp(server, from, pane);
    const { outcome, message } = await revive(server, pane);
    strictEqual(outcome, "refused");
    match(message, /^this pane ran (ssh|docker|sudo): /);
    strictEqual(await server.paneFormat(pane, "#{pane_dead}"), "1");
  });
}

async function moveStamp(server: TmuxServer, from: string, to: string): Promise<void> {
  for (const option of ["session", "cwd", "binding"].map((name) => `@tmuxclaude_${name}`)) {
    const value = await server.run("show-options", "-pqv", "-t", from, option);
    await server.run("set-option", "-p", "-t", to, option, value);
    await server.run("set-option", "-pu", "-t", from, option);
  }
}

Deno.test("its worktree is gone: a version that finds conversations from anywhere starts in the repository", async () => {
  await using server = await hooked(STAYS);
  const folder = await server.scratch.folder("repo/.claude/worktrees/wt");
  const { pane, id } = await exited(server, { folder });
  await endShell(server, pane);
  await Deno.remove(folder, { recursive: true });
  const { outcome, line, message } = await revive(server, pane);
  deepStrictEqual([outcome, line], ["respawned", `claude --resume ${id}`]);
  match(message, /in ~\/repo$/);
  await waitForBox(server, pane);
  strictEqual(await server.paneFormat(pane, "#{pane_current_path}"), `${server.scratch.home}/repo`);
});

Deno.test("its worktree is gone: a version that does not is not started, and the folder is named", async () => {
  await using server = await hooked(STAYS);
  await server.run("set-environment", "-g", "STANDIN_VERSION", "2.1.197");
  const folder = await server.scratch.folder("repo/.claude/worktrees/wt");
  const { pane } = await exited(server, { folder });
  await endShell(server, pane);
  await Deno.remove(folder, { recursive: true });
  const { outcome, reason, message } = await revive(server, pane);
  deepStrictEqual([outcome, reason], ["refused", "folder-gone"]);
  match(message, /make it again: ~\/repo\/\.claude\/worktrees\/wt$/);
  strictEqual(await server.paneFormat(pane, "#{pane_dead}"), "1");
  await Deno.mkdir(folder);
  strictEqual((await revive(server, pane)).outcome, "respawned");
  await until("Claude", async () => await waitForBox(server, pane).then(() => true));
});

// The real tmux-resurrect and tmux-continuum, from checkouts that RESURRECT_DIR and CONTINUUM_DIR name, with our
// hooks chained after a hook of the user's.
import { until, untilText } from "../helpers/poll.ts";
import type { Scratch } from "../helpers/scratch.ts";
import type { TmuxServer } from "../helpers/tmux_server.ts";
import { ours, PATIENCE_MS } from "./live_panes.ts";

const RESURRECT = Deno.env.get("RESURRECT_DIR") ?? "";
const CONTINUUM = Deno.env.get("CONTINUUM_DIR") ?? "";
export const noResurrect = RESURRECT === "";
export const noContinuum = noResurrect || CONTINUUM === "";

/**
 * Lines for tmux.conf as a person has them, the plugins last. The user's own hooks leave a mark in HOME. resurrect
 * itself cannot restore from a folder with a blank in its name, as HOME has here.
 */
export function resurrectConf({ program, home, root }: Scratch): string {
  const hook = (event: string, command: string) => {
    const job = `echo ${event} >>'${home}/user-hooks'; '${program}' ${command} >/dev/null 2>&1 || true`;
    return `set -g @resurrect-hook-${event} "${job}"\n`;
  };
  return `set -g @resurrect-dir '${root}/saves'\n` + hook("post-save-all", "manifest") +
    hook("post-restore-all", "restore") +
    `run-shell '${RESURRECT}/resurrect.tmux'\n`;
}

/** The same with continuum, which restores by itself when the server starts. */
export function continuumConf(scratch: Scratch): string {
  return resurrectConf(scratch) + "set -g @continuum-restore 'on'\n" +
    `run-shell '${CONTINUUM}/continuum.tmux >/dev/null 2>&1'\n`;
}

/** A login shell as a person has it: on this machine /etc/profile may set PATH anew. */
export async function writeProfile({ home, bin }: Scratch): Promise<void> {
  await Deno.writeTextFile(`${home}/.bash_profile`, `export PATH="${bin}:$PATH"\nPS1='$ '\n`);
}

/** continuum stays idle when the user has another tmux server: this `ps` shows it only the one in the scratch. */
export async function hideOtherServers({ bin, root }: Scratch): Promise<void> {
  const filter = `awk -v own='${root}' '!/^tmux/ || index($0, own)'`;
  await Deno.writeTextFile(`${bin}/ps`, `#!/bin/sh\n/bin/ps "$@" | ${filter}\n`, { mode: 0o755 });
}

/** Saves as the key does. */
export async function save(server: TmuxServer): Promise<void> {
  await server.run("run-shell", `'${RESURRECT}/scripts/save.sh' quiet`);
}

/** Kills the server, starts it as a boot does, with one placeholder session, and restores as the key does. */
export async function crashAndRestore(server: TmuxServer, wanted: number): Promise<void> {
  await server.kill9();
  await startPlain(server);
  await server.run("run-shell", `'${RESURRECT}/scripts/restore.sh'`);
  await untilRestored(server, wanted);
}

/** `tmux`, as after a boot. */
export async function startPlain(server: TmuxServer): Promise<void> {
  await server.run("new-session", "-d", "-x", "200", "-y", "50");
}

/** Waits until so many panes are there with their prompts, and our restore has run. */
export async function untilRestored(server: TmuxServer, wanted: number): Promise<void> {
  const look = async () =>
    `${await server.run("show-options", "-sqv", "@tmuxclaude_restored")} with ${
      (await server.panes()).length
    } panes`;
  await untilText("our restore", look, new RegExp(`^\\d+ with ${wanted} panes$`), PATIENCE_MS);
  for (const { id } of await server.panes()) {
    await until(`a prompt in ${id}`, async () => (await server.capture(id)).endsWith("$"), PATIENCE_MS);
  }
}

/** What each address is offered: "session:window.pane" to the answer of revive --dry-run. */
// deno-lint-ignore no-explicit-any -- the caller knows the shape and asserts it
export async function offers(server: TmuxServer): Promise<Map<string, any>> {
  const found = new Map();
  for (const { id, session, window, pane } of await server.panes()) {
    const { stdout } = await ours(server, "revive", "--pane", id, "--dry-run", "--json");
    found.set(`${session}:${window}.${pane}`, { pane: id, ...JSON.parse(stdout) });
  }
  return found;
}

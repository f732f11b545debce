// A dead pane gets a shell again, and in it the conversation it held.
import { configDir } from "../claude/config.ts";
import { findTranscript } from "../claude/transcripts.ts";
import { isInteractiveShell, shellOf } from "../line/shell.ts";
import type { System } from "../system/system.ts";
import { type Command, runTmux, type Tmux, TmuxError } from "../tmux/client.ts";
import { literal } from "../tmux/format.ts";
import { stampCommands } from "../tmux/options.ts";
import type { Pane, Server } from "../tmux/panes.ts";
import type { NotReady } from "../tmux/refusal.ts";
import { typeLine } from "../tmux/typing.ts";
import { lineFor, type LineWanted } from "./line.ts";
import { homeOf } from "./survey.ts";
import { waitForPrompt } from "./wait_prompt.ts";

export type Respawned = { line: string } | { line: string | null; reason: string };

/** Long enough for slow start files, in milliseconds. */
const SHELL_MS = 15_000;

/**
 * Respawns the pane in the bound folder with the shell that it had, else with the one that new panes get, types the
 * line there and presses Enter: so it stays a pane like any other, whose Claude can be suspended and ended. Without -k:
 * tmux refuses when the pane is alive after all. Without a transcript the conversation starts anew under its own id,
 * which then cannot collide; an id that owns one is only ever resumed. One without messages collides too (2.1.197
 * writes one at an /exit): then a new conversation starts.
 */
export async function respawn(
  tmux: Tmux,
  server: Server,
  dead: Pane,
  wanted: LineWanted,
): Promise<Respawned> {
  const refused = await start(tmux, server, dead, wanted);
  if (refused) return { line: null, reason: refused };
  const looked = await waitForPrompt(
    tmux,
    dead.pane_id,
    SHELL_MS,
    ({ because }) => !FOR_GOOD.includes(because),
  );
  if (!looked) return { line: null, reason: "the pane went away" };
  const { pane, prompt } = looked;
  if (!prompt.ready) return { line: null, reason: prompt.because === "dead" ? ENDED : prompt.message };
  const shell = { shell: prompt.shell, pid: prompt.shellPid, cwd: pane.cwd, ascii: prompt.ascii };
  const line = lineFor(tmux.system, started(tmux.system, wanted), shell);
  const typed = await typeLine(tmux, pane, line, {
    enter: true,
    shell: prompt.shell,
    shellPid: prompt.shellPid,
  });
  return typed.typed ? { line } : { line, reason: typed.reason };
}

/** No shell gets over these by itself. Anything else may be a start file, or tmux that has not started the shell yet. */
const FOR_GOOD: NotReady[] = ["dead", "claude", "input-off", "other-user"];
const ENDED = "the pane was dead, and the shell it got ended at once";

/** Respawns and stamps; the reason why tmux did not, else null. */
async function start(tmux: Tmux, server: Server, dead: Pane, wanted: LineWanted): Promise<string | null> {
  const binding = { ...wanted.binding, session_id: wanted.id };
  const commands = [
    respawnCommand(server, dead, wanted.folder ?? wanted.binding.cwd),
    ...stampCommands(dead.pane_id, binding),
  ];
  try {
    await runTmux(tmux, commands);
    return null;
  } catch (error) {
    if (!(error instanceof TmuxError) || error.kind !== "failed") throw error;
    return "tmux did not respawn the pane: is it alive again?";
  }
}

/** The shell that the pane was started with; else what tmux starts in a new one, as far as we can type there. */
function respawnCommand(server: Server, dead: Pane, folder: string): Command {
  // tmux expands the folder as a format: a folder may be called #(touch x).
  const respawned = ["respawn-pane", "-c", literal(folder), "-t", dead.pane_id];
  const known = shellOf(server.default_shell) !== null;
  const wasShell = dead.start_command === "" ? known : isShell(dead.start_command);
  if (wasShell) return respawned; // without a command tmux repeats the old one
  if (server.default_command !== "") return [...respawned, server.default_command];
  return [...respawned, known ? server.default_shell : "/bin/sh", "-l"];
}

/** Whether a pane was started as a shell and nothing else; tmux shows a command with its quotes. */
function isShell(startCommand: string): boolean {
  const words = startCommand.replace(/^"(.*)"$/s, "$1").replace(/^exec /, "").split(" ");
  return words.every((word) => /^[\w./-]+$/.test(word)) && isInteractiveShell(words);
}

/** The line that would be typed, in the words of the shell that is to be expected. */
export function respawnLine(system: System, server: Server, wanted: LineWanted): string {
  const shell = shellOf(server.default_shell) ?? "posix";
  const cwd = wanted.folder ?? wanted.binding.cwd;
  return lineFor(system, started(system, wanted), { shell, pid: null, cwd, ascii: false });
}

function started(system: System, wanted: LineWanted): LineWanted {
  return wanted.form === "fresh" && isFree(system, wanted) ? { ...wanted, form: "start" } : wanted;
}

/** Whether Claude takes the id for a new conversation. */
function isFree(system: System, { id, binding }: LineWanted): boolean {
  return findTranscript(system, configDir(binding.config_dir, homeOf(system)), id).state === "missing";
}

/** Programs whose conversation, if any, is on another machine, in a container or another user's. */
const ELSEWHERE =
  /(^|[\s/;&|"'])(ssh|autossh|sshpass|mosh|et|telnet|docker|podman|nerdctl|kubectl|lxc|incus|distrobox|toolbox|machinectl|nsenter|chroot|vagrant|su|sudo|doas)\s/;

/** Why a dead pane is not brought back, null when it is. */
export function whyNotRespawned(startCommand: string): string | null {
  const found = ELSEWHERE.exec(`${startCommand.replace(/["']$/, "")} `);
  return found ? `this pane ran ${found[2]}: bring it back with tmux respawn-pane` : null;
}

// A dead pane gets a shell again, and in it the conversation it held.
import { configDir } from "../claude/config.ts";
import { findTranscript } from "../claude/transcripts.ts";
import { shellOf } from "../line/shell.ts";
import type { Shell } from "../line/quote.ts";
import type { System } from "../system/system.ts";
import { runTmux, type Tmux } from "../tmux/client.ts";
import { stampCommands } from "../tmux/options.ts";
import type { Server } from "../tmux/panes.ts";
import { lineFor, type LineWanted } from "./line.ts";
import { homeOf, type SurveyedPane } from "./survey.ts";

export type Respawned = { line: string } | { reason: string };

/**
 * Respawns the pane in the bound folder with an interactive shell that runs the line and stays. Without -k: tmux
 * refuses when the pane is alive after all. Without a transcript the conversation starts anew under its own id, which
 * then cannot collide; an id that owns one is only ever resumed. One without messages collides too (2.1.197 writes one
 * at an /exit): then a new conversation starts.
 */
export async function respawn(
  tmux: Tmux,
  server: Server,
  one: SurveyedPane,
  wanted: LineWanted,
  options: { dryRun: boolean },
): Promise<Respawned> {
  const reason = foreign(one.pane.start_command);
  if (reason) return { reason };
  const folder = wanted.folder ?? wanted.binding.cwd;
  const form = wanted.form === "fresh" && isFree(tmux.system, wanted) ? "start" : wanted.form;
  const shell = respawnShell(server.default_shell);
  const line = lineFor(tmux.system, { ...wanted, form }, { ...shell, pid: null, cwd: folder, ascii: false });
  if (options.dryRun) return { line };
  const binding = { ...wanted.binding, session_id: wanted.id };
  await runTmux(tmux, [
    [
      "respawn-pane",
      "-c",
      folder,
      "-t",
      one.pane.pane_id,
      shell.path,
      "-ic",
      `${line}; exec ${shell.path} -l`,
    ],
    ...stampCommands(one.pane.pane_id, binding),
  ]);
  return { line };
}

/** Whether Claude takes the id for a new conversation. */
function isFree(system: System, { id, binding }: LineWanted): boolean {
  return findTranscript(system, configDir(binding.config_dir, homeOf(system)), id).state === "missing";
}

/** Programs whose conversation, if any, is on another machine or in a container. */
const REMOTE = /(^|[\s/;&|"'])(ssh|mosh|docker|podman|kubectl|lxc|nerdctl|distrobox|toolbox|machinectl)\s/;

function foreign(startCommand: string): string | null {
  const found = REMOTE.exec(`${startCommand} `);
  return found ? `this pane was started with ${found[2]}: respawn it with tmux respawn-pane` : null;
}

/** The user's shell when its language is known to us and it takes -ic, else sh. */
function respawnShell(path: string): { path: string; shell: Shell } {
  const shell = shellOf(path);
  const usable = shell !== null && shell !== "nu" && /^[\w./+-]+$/.test(path);
  return usable ? { path, shell } : { path: "/bin/sh", shell: "posix" };
}

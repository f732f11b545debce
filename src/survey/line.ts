// The line for one conversation in one pane, with what the pane's shell has already.
import type { Binding, SessionId } from "../binding.ts";
import { shellOf } from "../line/shell.ts";
import { resumeLine } from "../line/resume.ts";
import type { Shell } from "../line/quote.ts";
import type { System } from "../system/system.ts";

export interface LineWanted {
  id: SessionId;
  binding: Binding;
  /** `resume`; `fresh`: a new conversation in the folder; `start`: one with this id. */
  form: "resume" | "fresh" | "start";
  /** Folder to work in when it is not the binding's (which is gone). */
  folder?: string;
}

/** The shell that will read the line. */
export interface LineShell {
  shell: Shell;
  /** Its process, null when it is not known yet. */
  pid: number | null;
  /** Folder it is in. */
  cwd: string;
  ascii: boolean;
}

/** The command line, in the words of the pane's shell. */
export function lineFor(system: System, wanted: LineWanted, shell: LineShell): string {
  const variable = shell.pid === null ? null : system.processes.variable(shell.pid, "CLAUDE_CONFIG_DIR");
  return resumeLine({
    id: wanted.id,
    cwd: wanted.folder ?? wanted.binding.cwd,
    here: shell.cwd,
    configDir: wanted.binding.config_dir,
    hereConfigDir: variable?.trim() || null,
    arguments: wanted.binding.arguments,
    shell: shell.shell,
    form: wanted.form,
    ascii: shell.ascii,
  });
}

/** A pane's shell by the name of its program, for a line that is only shown. */
export function shownShell(pane: { command: string; cwd: string; pid: number }): LineShell {
  return { shell: shellOf(pane.command) ?? "posix", pid: pane.pid, cwd: pane.cwd, ascii: false };
}

// tmux-resurrect's save files: where they are, which one `last` means, and the one field that must be repaired.
import type { System } from "../system/system.ts";

export interface SaveRef {
  folder: string | null;
  /** File name behind `last`, null when there is no save (also for a dangling `last`). */
  save: string | null;
  /** True when `last` is there and leads nowhere (two saves within one second do that). */
  dangling: boolean;
}

/** The save that a restore would read now. `option` is the value of @resurrect-dir, "" when not set. */
export function currentSave(system: System, option: string): SaveRef {
  for (const folder of saveFolders(system, option)) {
    const link = system.files.lstat(`${folder}/last`);
    if (!link) continue;
    if (!system.files.stat(`${folder}/last`)) return { folder, save: null, dangling: true };
    return { folder, save: baseName(system.files.realPath(`${folder}/last`)), dangling: false };
  }
  return { folder: null, save: null, dangling: false };
}

/**
 * Where saves are looked for, in resurrect's own order: the option (with $HOME, $HOSTNAME and ~ expanded), else
 * ~/.tmux/resurrect, then the data folder.
 */
export function saveFolders(system: System, option: string): string[] {
  const home = system.env("HOME") ?? "";
  if (option !== "") return [expand(option, home, system.hostname())];
  const data = system.env("XDG_DATA_HOME") || `${home}/.local/share`;
  return [`${home}/.tmux/resurrect`, `${data}/tmux/resurrect`];
}

function expand(option: string, home: string, host: string): string {
  return option.replaceAll("$HOME", home).replaceAll("$HOSTNAME", host).replaceAll("~", home).replace(
    /\/+$/,
    "",
  );
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** One `pane` line of a save file. */
export interface SavedPane {
  tmux_session: string;
  window_index: number;
  pane_index: number;
  title: string;
  cwd: string;
  command: string;
  full_command: string;
}

/** The panes a save file holds. Lines of another shape (old versions, torn files) are left out. Pure. */
export function savedPanes(text: string): SavedPane[] {
  return text.split("\n").map((line) => line.split("\t")).filter((fields) =>
    fields[0] === "pane" && fields.length >= 11
  )
    .map(toSavedPane).filter((pane) => !Number.isNaN(pane.window_index) && !Number.isNaN(pane.pane_index));
}

function toSavedPane(fields: string[]): SavedPane {
  const [, tmux_session, window, , , pane, title, cwd, , command, ...full] = fields;
  return {
    tmux_session,
    window_index: window === "" ? NaN : Number(window),
    pane_index: pane === "" ? NaN : Number(pane),
    title,
    cwd: cwd.replace(/^:/, "").replaceAll("\\ ", " "),
    command,
    full_command: full.join("\t").replace(/^:/, ""),
  };
}

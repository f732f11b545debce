// tmux-resurrect's save files: where they are, and which one `last` means.
import { baseName } from "../path.ts";
import type { System } from "../system/system.ts";

export interface SaveRef {
  folder: string | null;
  /** File name behind `last`, null when there is no save (also for a dangling `last`). */
  save: string | null;
  /** The save itself, links resolved: people point `last` also at files elsewhere. */
  path: string | null;
  /** True when `last` is there and leads nowhere (two saves within one second do that). */
  dangling: boolean;
}

/** The save that a restore would read now. `option` is the value of @resurrect-dir, "" when not set. */
export function currentSave(system: System, option: string): SaveRef {
  for (const folder of saveFolders(system, option)) {
    const found = lastIn(system, folder);
    if (found) return found;
  }
  return { folder: null, save: null, path: null, dangling: false };
}

/** Null without a `last`, and where nobody lets us look. */
function lastIn(system: System, folder: string): SaveRef | null {
  try {
    if (!system.files.lstat(`${folder}/last`)) return null;
    if (!system.files.stat(`${folder}/last`)) {
      return { folder, save: null, path: null, dangling: true };
    }
    const path = system.files.realPath(`${folder}/last`);
    return { folder, save: baseName(path), path, dangling: false };
  } catch {
    return null;
  }
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

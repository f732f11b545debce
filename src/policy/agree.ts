// Whether a pane that is there now can be the pane of a saved row. Pure.
import type { Binding } from "../binding.ts";

/** Where a row says its pane was. */
export interface SavedFolder {
  cwd: string;
  title: string;
  binding: Binding | null;
}

/**
 * Whether a restored pane's folder fits its row. tmux-resurrect starts a pane in the home folder when it lost the
 * folder (empty title, several spaces in a row, a backslash, a tab, a newline, "#", ";" at the end) or when the folder is gone.
 */
export function foldersAgree(
  row: SavedFolder,
  cwd: string,
  home: string,
  isGone: (folder: string) => boolean,
): boolean {
  if (cwd === row.cwd || cwd === row.binding?.cwd) return true;
  return cwd === home && (row.title.trim() === "" || / {2}|[\\\t\n#]|;$/.test(row.cwd) || isGone(row.cwd));
}

// Words for tmux's configuration language. Pure.

import { confWord } from "../tmux/format.ts";

/** Text that is expanded as a format later and shall come out as it is. */
export function noFormat(text: string): string {
  return text.replaceAll("#", "##");
}

/** A path that source-file shall take as it is, not as a glob pattern. */
export function globWord(path: string): string {
  return path.replaceAll(/[*?[\]\\]/g, "\\$&");
}

/** A path as a word for source-file, which takes it for a glob pattern. `~` keeps dotfiles portable. */
export function pathWord(path: string, home: string): string {
  const rest = path.startsWith(`${home}/`) ? path.slice(home.length) : null;
  if (rest !== null && /^[A-Za-z0-9._/-]+$/.test(rest)) return `~${rest}`;
  return confWord(globWord(path));
}

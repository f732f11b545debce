// Which tmux.conf is the user's: the one whose lines win, because it is read last.
import type { System } from "../system/system.ts";

export interface ConfFacts {
  home: string;
  /** XDG_CONFIG_HOME, "" when it is not set. */
  configHome: string;
  /** What the running server read at its start (#{config_files}), [] without a server. */
  loaded: string[];
}

/** The user's files in the order in which tmux reads them (3.2 to 3.8; all that exist are read). */
export function confCandidates({ home, configHome }: ConfFacts): string[] {
  const folders = [
    ...(configHome.startsWith("/") ? [configHome.replace(/\/+$/, "")] : []),
    `${home}/.config`,
  ];
  return [...new Set([`${home}/.tmux.conf`, ...folders.map((folder) => `${folder}/tmux/tmux.conf`)])];
}

/**
 * The file to write to: the last one the running server read, else the last one of the user's that exists, else
 * `~/.tmux.conf`. Files for all users and devices (`-f /dev/null`) are left out.
 */
export function chooseConf(system: System, facts: ConfFacts): string {
  const isFile = (path: string) => system.files.stat(path)?.kind === "file";
  const loaded = facts.loaded.filter((path) =>
    path.startsWith("/") && !path.startsWith("/etc/") && isFile(path)
  );
  const existing = confCandidates(facts).filter((path) =>
    isFile(path) || system.files.lstat(path)?.kind === "link"
  );
  const last = loaded.at(-1);
  // tmux tells paths with their links resolved: the user's own name for the file is the better one.
  const named = last && existing.find((path) => isFile(path) && system.files.realPath(path) === last);
  return named ?? last ?? existing.at(-1) ?? `${facts.home}/.tmux.conf`;
}

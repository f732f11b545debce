// What is worth a word after an install, and is left to the user.
import { folderOf, withTilde } from "../path.ts";
import type { System } from "../system/system.ts";
import type { Outcome } from "./edit.ts";
import { findOnPath } from "./program.ts";

/** Where each shell looks for completions, below HOME. */
const COMPLETIONS: Record<string, string> = {
  bash: ".local/share/bash-completion/completions/tmuxclaude",
  zsh: ".zfunc/_tmuxclaude",
  fish: ".config/fish/completions/tmuxclaude.fish",
};

/** One line for each hint. */
export function hints(system: System, home: string, files: Outcome[]): string[] {
  const changed = files.filter((file) => file.outcome === "changed").map((file) =>
    withTilde(file.path, home)
  );
  if (changed.length === 0) return [];
  return [...chezmoi(system, home, changed), ...completions(system, home)];
}

/** chezmoi would put back what it knows at its next apply. */
function chezmoi(system: System, home: string, changed: string[]): string[] {
  const source = `${system.env("XDG_DATA_HOME") || `${home}/.local/share`}/chezmoi`;
  if (!system.files.stat(source) || !findOnPath(system, "chezmoi")) return [];
  return [`you use chezmoi: take the changes over with: chezmoi re-add ${changed.join(" ")}`];
}

function completions(system: System, home: string): string[] {
  const shell = (system.env("SHELL") ?? "").split("/").at(-1)!;
  const path = COMPLETIONS[shell];
  if (path === undefined || system.files.stat(`${home}/${path}`)) return [];
  return [
    `completions for ${shell}: mkdir -p ~/${folderOf(path)} && tmuxclaude completions ${shell} > ~/${path}`,
  ];
}

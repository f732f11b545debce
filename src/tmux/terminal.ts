// What a pane's terminal itself says: a line editor that waits for input has taken the terminal out of its line mode.
import type { Shell } from "../line/quote.ts";
import type { System } from "../system/system.ts";

const LIMIT_MS = 1_000;

/** The settings of a terminal as `stty -a` prints them ("-icanon", "inlcr", …), null when it cannot be asked. */
export async function terminalModes(system: System, tty: string): Promise<Set<string> | null> {
  const flag = system.platform === "darwin" ? "-f" : "-F";
  try {
    const env = { LC_ALL: "C" };
    const { code, stdout } = await system.run("stty", [flag, tty, "-a"], { limitMs: LIMIT_MS, env });
    return code === 0 ? new Set(stdout.split(/[\s;]+/)) : null;
  } catch {
    return null;
  }
}

/**
 * Whether these settings are those of the shell's line editor waiting for a key. `read -s -n 1` also leaves line
 * mode, but keeps what the editors change: readline, fish and nushell clear icrnl, zsh sets inlcr (seen on bash 5.2,
 * zsh 5.9, fish 3.6; nushell's raw mode by cfmakeraw(3)). A plain sh has no editor, so its terminal proves nothing.
 */
export function editorWaits(shell: Shell, modes: Set<string>): boolean {
  if (shell === "posix") return true;
  if (!modes.has("-icanon") || !modes.has("-echo")) return false;
  return modes.has(shell === "zsh" ? "inlcr" : "-icrnl");
}

// The demo's own little world: a scratch folder with its HOME, its PATH, its tmux socket and its `claude`. Whatever
// runs in it sees nothing of the user's.
import claude from "./claude.sh" with { type: "text" };
import { BUILD } from "../build_info.ts";
import { UserError } from "../errors.ts";
import { singleQuoted } from "../install/hook_command.ts";
import { ownConf } from "../install/own_conf.ts";
import { findOnPath } from "../install/program.ts";
import { addHooks } from "../install/settings_edit.ts";
import { folderOf } from "../path.ts";
import { writeAtomic } from "../state/atomic.ts";
import type { System } from "../system/system.ts";
import type { PrivateTmux } from "../tmux/private_server.ts";

export interface World {
  root: string;
  home: string;
  /** This very program, under its own name. */
  program: string;
  conf: string;
  /** The words that start a shell without anybody's configuration. */
  shell: string[];
  tmux: PrivateTmux;
}

/** Unix sockets have no longer names (104 bytes on macOS). */
const SOCKET_LIMIT = 100;
/** What the stand-in and tmux need: the folders these are in make up PATH. */
const TOOLS = ["tmux", "sh", "bash", "awk", "sed", "date", "setsid", "stty", "mkdir", "dd", "ps"];

/** Makes the world in a fresh folder. Nothing is started. Throws UserError. */
export async function makeWorld(system: System): Promise<World> {
  const root = system.files.realPath(system.files.makeTempDir("tmuxclaude-demo-"));
  try {
    return await furnish(system, root);
  } catch (error) {
    system.files.remove(root, { recursive: true });
    throw error;
  }
}

async function furnish(system: System, root: string): Promise<World> {
  const home = `${root}/home`;
  const socket = `${root}/tmux`;
  if (socket.length > SOCKET_LIMIT) throw tooLong(root);
  for (const folder of [`${home}/.claude`, `${root}/bin`, `${root}/tmp`]) system.files.makeDir(folder, 0o700);
  const program = placeProgram(system, `${root}/bin/tmuxclaude`);
  writeAtomic(system, `${root}/bin/claude`, claude, { mode: 0o755 });
  writeAtomic(system, `${home}/.claude/settings.json`, await settings(program));
  const conf = `${root}/tmux.conf`;
  writeAtomic(system, conf, tmuxConf(program));
  const inside = insideOf(system, environment(system, root));
  return { root, home, program, conf, shell: shellWords(system), tmux: { system: inside, socket } };
}

function tooLong(root: string): UserError {
  const why = `"${folderOf(root)}" is too long a path for a tmux socket`;
  return new UserError("Cannot run the demo", why, "Run it as: TMPDIR=/tmp tmuxclaude demo");
}

/** A link to this program; from a checkout a script that runs its main.ts. */
function placeProgram(system: System, path: string): string {
  if (BUILD.kind !== "source") system.files.symlink(system.self(), path);
  else writeAtomic(system, path, fromSource(system), { mode: 0o755 });
  return path;
}

function fromSource(system: System): string {
  const main = system.self();
  const cache = system.platform === "darwin" ? "Library/Caches/deno" : ".cache/deno";
  const packages = system.env("DENO_DIR") ?? `${system.env("HOME")}/${cache}`;
  const config = `${folderOf(main)}/deno.json`;
  const words = [system.runtime()!, "run", "-A", "--quiet", "--config", config, main].map(singleQuoted);
  return `#!/bin/sh\nDENO_DIR=${singleQuoted(packages)} exec ${words.join(" ")} "$@"\n`;
}

/** The settings.json that `tmuxclaude install` would write for someone without one. */
async function settings(program: string): Promise<string> {
  const edit = await addHooks("{}\n", program);
  if (edit.kind !== "changed") throw new Error("The demo's settings.json could not be made");
  return edit.text;
}

/** What keeps the server quiet and alive, then the tmux.conf of `tmuxclaude install`. */
function tmuxConf(program: string): string {
  const own = ["set -s exit-empty off", "set -s escape-time 0", "bind -n F12 detach-client"];
  const status = [`set -g status-left-length 20`, `set -g status-right " F12 leaves the demo "`];
  const keys = { key: "r", menu_key: null, moved: null, moved_to: null, before: null, repeat: false };
  return [...own, ...status, ownConf({ program, keys, names: "" })].join("\n");
}

function shellWords(system: System): string[] {
  const bash = findOnPath(system, "bash");
  return bash ? [bash, "--norc", "--noprofile"] : [findOnPath(system, "sh") ?? "/bin/sh", "-i"];
}

/** An allow-list: nothing the user has set gets in. */
function environment(system: System, root: string): Record<string, string> {
  const tools = TOOLS.map((name) => findOnPath(system, name)).filter((path) => path !== null).map(folderOf);
  const locale = [system.env("LC_ALL"), system.env("LANG")].find((one) => /utf-?8/i.test(one ?? ""));
  const runtime = system.runtime();
  return {
    HOME: `${root}/home`,
    PATH: [...new Set([`${root}/bin`, ...tools, "/usr/bin", "/bin"])].join(":"),
    TMPDIR: `${root}/tmp`,
    TMUX_TMPDIR: root,
    TERM: system.env("TERM") || "xterm-256color",
    LANG: locale ?? "C.UTF-8",
    SHELL: shellWords(system)[0],
    PS1: "$ ",
    ...(runtime ? { TMUXCLAUDE_DENO: runtime } : {}),
  };
}

/** The System of whoever lives in that environment. */
function insideOf(system: System, variables: Record<string, string>): System {
  return { ...system, env: (name) => variables[name], environment: () => ({ ...variables }) };
}

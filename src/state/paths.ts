// Where our files are, and the folders they live in. Nothing outside src/state knows these names.
import { reasonOf, UserError } from "../errors.ts";
import type { FileFacts, System } from "../system/system.ts";

export interface ServerPaths {
  folder: string;
  manifest: string;
  lock: string;
  /** Held while something is typed into one of the server's panes. */
  turn: string;
  snapshots: string;
}

export interface StatePaths {
  root: string;
  journal: string;
  journalLock: string;
  /** Journal lines that could not wait for the lock. */
  spool: string;
  failures: string;
  /** Held by install and uninstall from the first read to the last write. */
  installLock: string;
  /** Held while one name is pushed. */
  namesLock: string;
  /** Name pushes; the folder exists only while there are some. */
  pending: string;
  server(socket: string): ServerPaths;
}

/** How the next step of every error about the state folder ends. */
const SET_VARIABLE = "set TMUXCLAUDE_STATE_DIR to a folder of your own";

/** Permission bits of our folders and files. */
const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** Longest file name everywhere is 255 bytes; the rest is left for nothing in particular. */
const NAME_LIMIT = 240;

/** Our paths, from the environment alone. Throws UserError naming the variable to set. */
export function statePaths(system: System): StatePaths {
  const root = stateRoot(system);
  return {
    root,
    journal: `${root}/journal.jsonl`,
    journalLock: `${root}/journal.lock`,
    spool: `${root}/spool`,
    failures: `${root}/failures.jsonl`,
    installLock: `${root}/install.lock`,
    namesLock: `${root}/names.lock`,
    pending: `${root}/pending`,
    server: (socket) => serverPaths(`${root}/servers/${serverName(system.hostname(), socket)}`),
  };
}

function serverPaths(folder: string): ServerPaths {
  return {
    folder,
    manifest: `${folder}/manifest.json`,
    lock: `${folder}/manifest.lock`,
    turn: `${folder}/typing.lock`,
    snapshots: `${folder}/snapshots`,
  };
}

function stateRoot(system: System): string {
  const own = system.env("TMUXCLAUDE_STATE_DIR") ?? "";
  if (own !== "") return absolute(own, "TMUXCLAUDE_STATE_DIR");
  const xdg = system.env("XDG_STATE_HOME") ?? "";
  // The XDG specification: relative values are to be ignored.
  if (xdg.startsWith("/")) return `${trimSlashes(xdg)}/tmuxclaude`;
  const home = system.env("HOME") ?? "";
  return `${absolute(home, "HOME")}/.local/state/tmuxclaude`;
}

function absolute(path: string, variable: string): string {
  if (path.startsWith("/")) return trimSlashes(path);
  const why = path === ""
    ? `the variable ${variable} is not set`
    : `${variable} is "${path}", not an absolute path`;
  throw new UserError("Cannot find the state folder", why, `To go on, ${SET_VARIABLE}`);
}

/** A trailing slash would make lstat follow a link. */
function trimSlashes(path: string): string {
  return path.replace(/\/+$/, "");
}

/** Host and socket in one file name: homes shared between machines do not mix. */
function serverName(host: string, socket: string): string {
  const name = `${encodeURIComponent(host)}-${encodeURIComponent(socket)}`;
  return name.length <= NAME_LIMIT ? name : `${name.slice(0, NAME_LIMIT - 9)}-${hash(name)}`;
}

/** FNV-1a: tells apart the few names that had to be cut (sockets with long names in other scripts). */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value.toString(16).padStart(8, "0");
}

/**
 * Makes the state folder (0700), and with `socket` that server's folders; tightens looser modes. In a dry run it
 * only looks. Throws UserError for a folder that is a link, not ours, or cannot be made.
 */
export function prepareState(system: System, socket?: string): StatePaths {
  const paths = statePaths(system);
  prepareFolder(system, paths.root);
  if (socket === undefined) return paths;
  const server = paths.server(socket);
  for (const folder of [`${paths.root}/servers`, server.folder, server.snapshots]) {
    prepareFolder(system, folder);
  }
  return paths;
}

/** Makes one folder of ours (0700), or checks and tightens the one that is there. Throws UserError. */
export function prepareFolder(system: System, path: string): void {
  const facts = lookAt(system, path) ?? makeFolder(system, path);
  if (!facts) return;
  const problem = folderProblem(system, facts);
  if (problem) throw refusal(path, problem);
  if (facts.mode & 0o077) tighten(system, path, FOLDER_MODE);
}

function lookAt(system: System, path: string): FileFacts | null {
  try {
    return system.files.lstat(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

function makeFolder(system: System, path: string): FileFacts | null {
  if (system.dryRun) return null;
  try {
    system.files.makeDir(path, FOLDER_MODE);
  } catch (error) {
    throw unusable(path, error);
  }
  return lookAt(system, path);
}

function folderProblem(system: System, facts: FileFacts): string | null {
  if (facts.kind === "link") return "it is a symbolic link";
  if (facts.kind !== "directory") return "it is not a folder";
  return isForeign(system, facts) ? `it belongs to another user (id ${facts.owner})` : null;
}

/** Whether another user owns it. */
export function isForeign(system: System, facts: FileFacts): boolean {
  return system.uid !== null && facts.owner !== system.uid;
}

/** Takes the permissions of others away. A file system without permissions may refuse: doctor reports that. */
export function tighten(system: System, path: string, mode: number): void {
  if (system.dryRun) return;
  try {
    system.files.chmod(path, mode);
  } catch {
    // Not worth losing a binding for.
  }
}

/** The error for something at a path of ours that is not ours. */
export function refusal(path: string, why: string): UserError {
  return new UserError(`Cannot use "${path}"`, why, `Remove it, or ${SET_VARIABLE}`);
}

/** The error for a path of ours on which an act failed: the kernel's words do not always name it. */
export function unusable(path: string, cause: unknown): UserError {
  const next = `Check its permissions and the free space, or ${SET_VARIABLE}`;
  return new UserError(`Cannot use "${path}"`, reasonOf(cause), next, undefined, { cause });
}

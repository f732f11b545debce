// The path of this program that goes into other people's files: absolute, and one that outlives an upgrade.
import { ExitCode, UserError } from "../errors.ts";
import type { System } from "../system/system.ts";
import { absolutePath, folderOf } from "../path.ts";

/** The path to register. Throws UserError when there is none that could be run. */
export function programPath(system: System, given?: string): string {
  const path = given === undefined ? stablePath(system) : absolutePath(given, system.cwd());
  const problem = findProblem(system, path);
  if (!problem) return path;
  const next = 'Build it with "deno task build", or name it: tmuxclaude install --program FILE';
  throw new UserError(`Cannot register "${path}"`, problem, next, given ? ExitCode.usage : ExitCode.failed);
}

/**
 * The one on PATH when it is this very file (a link stays where it is while versions come and go), else this file;
 * run from source the one on PATH, else the one that was built in the checkout.
 */
function stablePath(system: System): string {
  const self = system.self();
  const onPath = findOnPath(system, "tmuxclaude");
  const isProgram = self.endsWith("/tmuxclaude");
  if (onPath && (!isProgram || isSame(system, onPath, self))) return onPath;
  return isProgram ? self : `${folderOf(self)}/dist/tmuxclaude`;
}

/** The first executable of that name on PATH, null when there is none. */
export function findOnPath(system: System, name: string): string | null {
  const folders = (system.env("PATH") ?? "").split(":").filter((folder) => folder.startsWith("/"));
  return folders.map((folder) => `${folder.replace(/\/+$/, "")}/${name}`).find((path) =>
    isRunnable(system, path)
  ) ??
    null;
}

/** Whether the path leads to a regular file that somebody may execute. */
export function isRunnable(system: System, path: string): boolean {
  const facts = system.files.stat(path);
  return facts?.kind === "file" && (facts.mode & 0o111) !== 0;
}

function isSame(system: System, a: string, b: string): boolean {
  const [first, second] = [system.files.stat(a), system.files.stat(b)];
  return first !== null && second !== null && first.inode === second.inode && first.size === second.size;
}

function findProblem(system: System, path: string): string | null {
  if (!path.endsWith("/tmuxclaude")) return `the file has to be called "tmuxclaude"`;
  // deno-lint-ignore no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(path)) return "its path holds control characters";
  if (!system.files.stat(path)) return "there is no such file";
  return isRunnable(system, path) ? null : "it is not an executable file";
}

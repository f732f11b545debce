// Is this the program everything else calls, and can it run?
import { BUILD } from "../build_info.ts";
import { findOnPath, isRunnable } from "../install/program.ts";
import { folderOf } from "../path.ts";
import { type Check, fail, hidden, info, ok, warn } from "./check.ts";
import type { Facts } from "./facts.ts";

export const programChecks: Check[] = [
  { id: "program.version", group: "program", run: version },
  { id: "program.path", group: "program", run: onPath },
  { id: "program.registered", group: "program", run: registered },
];

function version() {
  const { version, commit, kind, target } = BUILD;
  return ok(`tmuxclaude ${version} (${commit}, ${kind}, ${target}, Deno ${Deno.version.deno})`, {
    version,
    commit,
    kind,
    target,
    deno: Deno.version.deno,
  });
}

function onPath({ system, program }: Facts) {
  const found = findOnPath(system, "tmuxclaude");
  if (!found) {
    return warn("tmuxclaude is not on PATH: the hook works all the same, you have to type its path", {
      fix: `Add ${hidden(folderOf(program()))} to PATH in your shell's start file`,
      data: { path: null },
    });
  }
  const data = { path: found };
  if (!isRegistered(system.files.stat(found)?.inode, system.files.stat(program())?.inode)) {
    return warn(`another tmuxclaude is first on PATH: ${hidden(found)}, registered is ${hidden(program())}`, {
      fix: "Run install with the one you want: tmuxclaude install",
      repair: "install",
      data,
    });
  }
  return ok(`on PATH as ${hidden(found)}`, data);
}

function isRegistered(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && a === b;
}

function registered({ system, receipt }: Facts) {
  const known = receipt();
  if (!known) {
    return info("nothing is written down about an install on this machine", { fix: "tmuxclaude install" });
  }
  const data = { program: known.program };
  if (isRunnable(system, known.program)) return ok(`installed as ${hidden(known.program)}`, data);
  return fail(`the installed program is gone: ${hidden(known.program)}`, {
    fix: "Register the one you have: tmuxclaude install",
    repair: "install",
    data,
  });
}

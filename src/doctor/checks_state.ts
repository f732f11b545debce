// Our own records: can they be read and written, are they private, is the disk one that can lock?
import { isForeign, statePaths } from "../state/paths.ts";
import type { FileFacts } from "../system/system.ts";
import { type Check, fail, type Finding, hidden, info, ok, skip, warn } from "./check.ts";
import { type Facts, places } from "./facts.ts";
import { counted } from "../counted.ts";

export const stateChecks: Check[] = [
  { id: "state.folder", group: "state", run: folder },
  { id: "state.private", group: "state", run: isPrivate },
  { id: "state.journal", group: "state", run: journal },
  { id: "state.disk", group: "state", run: disk },
];

const OTHER_FOLDER = "Move it away, or set TMUXCLAUDE_STATE_DIR to a folder of your own";

function folder({ system }: Facts): Finding {
  const { state } = places(system);
  const found = system.files.lstat(state);
  const data = { path: state };
  if (!found) return info("nothing is recorded yet: the first start of Claude in tmux begins it", { data });
  const problem = folderProblem(found, isForeign(system, found));
  if (problem) return fail(`${hidden(state)} cannot be used: ${problem}`, { fix: OTHER_FOLDER, data });
  if ((found.mode & 0o700) !== 0o700) {
    return fail(`${hidden(state)} cannot be read and written (mode ${found.mode.toString(8)})`, {
      fix: `chmod 700 ${hidden(state)}`,
      repair: "permissions",
      data,
    });
  }
  return ok(`records are in ${hidden(state)}`, data);
}

function folderProblem(found: FileFacts, foreign: boolean): string | null {
  if (found.kind === "link") return "it is a symbolic link";
  if (found.kind !== "directory") return "it is not a folder";
  return foreign ? "it belongs to another user" : null;
}

/** Everything below the state folder, a few levels deep. */
export function stateFiles({ system }: Facts): { path: string; facts: FileFacts }[] {
  const found: { path: string; facts: FileFacts }[] = [];
  const visit = (path: string, depth: number) => {
    const facts = system.files.lstat(path);
    if (!facts) return;
    found.push({ path, facts });
    if (facts.kind !== "directory" || depth === 0) return;
    for (const name of system.files.list(path)) visit(`${path}/${name}`, depth - 1);
  };
  visit(places(system).state, 4);
  return found;
}

/** Whether others can look into it, or the owner cannot. */
export function isLoose({ kind, mode }: FileFacts): boolean {
  const own = kind === "directory" ? 0o700 : 0o600;
  return kind !== "link" && ((mode & 0o077) !== 0 || (mode & own) !== own);
}

function isPrivate(facts: Facts): Finding {
  const loose = stateFiles(facts).filter(({ facts }) => isLoose(facts));
  if (loose.length === 0) return ok("nobody else can read the records");
  const { path, facts: { mode } } = loose[0];
  const more = loose.length > 1 ? ` (and ${loose.length - 1} more)` : "";
  return warn(`${hidden(path)} has mode ${mode.toString(8)}${more}`, {
    fix: `chmod -R u=rwX,go= ${hidden(places(facts.system).state)}`,
    repair: "permissions",
    data: { loose: loose.length },
  });
}

function journal(facts: Facts): Finding {
  const { journal } = statePaths(facts.system);
  const size = facts.system.files.stat(journal)?.size;
  if (size === undefined) return skip("nothing is recorded yet");
  const { lines, bad, newer } = facts.journal();
  const data = { lines: lines.length, bad, newer, bytes: size };
  if (newer > 0) {
    return warn(`${newer} lines of the journal were written by a newer tmuxclaude`, {
      fix: "Update this one",
      data,
    });
  }
  if (bad > 0) {
    return warn(`${counted(bad, "line")} of the journal cannot be read; the other ${lines.length} are used`, {
      fix: "Nothing has to be done: they go when the journal is trimmed",
      data,
    });
  }
  return ok(`the journal holds ${counted(lines.length, "line")}`, data);
}

const NETWORK =
  /^(nfs4?|cifs|smb3?|smbfs|fuse\.sshfs|afs|9p|afpfs|webdav|fuse\.s3fs|ceph|glusterfs|fuse\.glusterfs|lustre)$/;

/** File systems over a network may not lock, or only within one machine. */
function disk({ system }: Facts): Finding {
  const { state } = places(system);
  const type = fileSystemType(readOrEmpty(system, "/proc/self/mountinfo"), state);
  if (type === null) return skip("the file system cannot be told here");
  if (!NETWORK.test(type)) return ok(`records are on a local disk (${type})`, { type });
  return warn(`records are on a network file system (${type}), where locks may not hold`, {
    fix: "Set TMUXCLAUDE_STATE_DIR to a folder on a local disk",
    data: { type },
  });
}

function readOrEmpty(system: Facts["system"], path: string): string {
  try {
    return system.files.readText(path);
  } catch {
    return "";
  }
}

/** The type of the mount that holds a path, from /proc/self/mountinfo. */
export function fileSystemType(mountinfo: string, path: string): string | null {
  const mounts = mountinfo.split("\n").map((line) => line.split(" ")).filter((fields) =>
    fields.includes("-")
  );
  const holding = mounts.map((fields) => ({
    point: fields[4].replaceAll(/\\(\d{3})/g, (_all, octal) => String.fromCharCode(parseInt(octal, 8))),
    type: fields[fields.indexOf("-") + 1],
  })).filter(({ point }) => point === "/" || path === point || path.startsWith(`${point}/`));
  return holding.toSorted((a, b) => a.point.length - b.point.length).at(-1)?.type ?? null;
}

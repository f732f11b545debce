// Where a foreign file really is, and whether it may be written: links are followed by us, so that none is replaced.
import { reasonOf } from "../errors.ts";
import { baseName, folderOf } from "../path.ts";
import type { FileFacts, System } from "../system/system.ts";

/** A file that may be written; `facts` is null while it does not exist. */
export interface Target {
  path: string;
  facts: FileFacts | null;
}

export type Resolved = { target: Target } | { reason: string };

/** As many links in a chain as the kernel follows. */
const MAX_LINKS = 40;

/** The file at the end of a chain of links, or why it is left alone. A missing file is fine, a missing folder too. */
export function resolveTarget(system: System, path: string): Resolved {
  try {
    const found = follow(system, path);
    const reason = "reason" in found ? found.reason : obstacle(system, found.target);
    return reason ? { reason } : found;
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

function follow(system: System, path: string): Resolved {
  let current = path;
  for (let links = 0; links <= MAX_LINKS; links++) {
    const facts = system.files.lstat(current);
    if (facts?.kind !== "link") return settle(system, current, facts, links > 0);
    const next = system.files.readLink(current);
    // Not normalised: the kernel reads ".." in the folder that the link is really in.
    current = next.startsWith("/") ? next : `${folderOf(current)}/${next}`;
  }
  return { reason: "its symbolic links lead in a circle, or through more than 40" };
}

function settle(system: System, path: string, facts: FileFacts | null, linked: boolean): Resolved {
  const folder = system.files.stat(folderOf(path));
  if (!facts && !folder && linked) {
    return { reason: `it is a link to "${path}", and that folder does not exist` };
  }
  if (!folder) return { target: { path, facts: null } };
  const name = baseName(path);
  return { target: { path: `${system.files.realPath(folderOf(path)).replace(/\/$/, "")}/${name}`, facts } };
}

function obstacle(system: System, { path, facts }: Target): string | null {
  if (path.startsWith("/nix/store/")) {
    return "it is in the Nix store, so it is made by your Nix configuration";
  }
  const folder = system.files.stat(folderOf(path));
  if (folder && folder.kind !== "directory") return `"${folderOf(path)}" is no folder`;
  if (folder && isReadOnly(folder)) return "its folder is read-only";
  if (!facts) return isOthers(system, folder) ? "its folder belongs to another user" : null;
  if (facts.kind === "directory") return "it is a directory";
  if (facts.kind !== "file") return "it is a device or pipe, not a regular file";
  if (isOthers(system, facts)) return "it belongs to another user";
  return isReadOnly(facts) ? "it is read-only" : null;
}

/** Also for root, who could write it: somebody took the permission away on purpose. */
function isReadOnly(facts: FileFacts): boolean {
  return (facts.mode & 0o222) === 0;
}

function isOthers(system: System, facts: FileFacts | null): boolean {
  return facts !== null && system.uid !== null && facts.owner !== system.uid;
}

// Which episode a conversation works in. Pure. An episode is a directory directly under the episodes folder.
import type { Label } from "../binding.ts";

export interface EpisodeFacts {
  /** Claude's launch arguments in their kept form (`--add-dir=FOLDER`, each folder by itself). */
  arguments: string[];
  cwd: string;
  /** The episodes folder, as it was given and with its links resolved; none: nothing is found by folder. */
  roots: string[];
  /** The variable: a name, or a path that ends with it. */
  declared: string | null;
}

const NAME = /^\d{4}-\d{2}-\d{2}-episode-\d+-./;

/** The episode: a folder given with `--add-dir`, then Claude's folder, then the declared one, else null. */
export function resolveEpisode(facts: EpisodeFacts): Label | null {
  const added = facts.arguments.filter((word) => word.startsWith("--add-dir=")).map((word) => word.slice(10));
  const byDir = added.map((dir) => episodeOf(absolute(dir, facts.cwd), facts.roots)).find((id) =>
    id !== null
  );
  if (byDir) return { id: byDir, source: "add-dir" };
  const byFolder = episodeOf(absolute(facts.cwd, "/"), facts.roots);
  if (byFolder) return { id: byFolder, source: "cwd" };
  const declared = facts.declared?.trim().split("/").findLast((part) => part !== "");
  return declared ? { id: declared, source: "declared" } : null;
}

/** The directory right below one of the roots that leads to the path, when it is named as an episode. */
function episodeOf(path: string, roots: string[]): string | null {
  for (const root of roots.map((root) => root.replace(/\/+$/, "")).filter((root) => root !== "")) {
    const first = path.startsWith(`${root}/`) ? path.slice(root.length + 1).split("/")[0] : "";
    if (NAME.test(first)) return first;
  }
  return null;
}

/** The path from the root, without `.` and `..`. */
function absolute(path: string, base: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

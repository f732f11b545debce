// Looks at places that may be missing, or that nobody lets us look into: then there is nothing there for us.
import type { System } from "./system.ts";

type FilesOnly = Pick<System, "files">;

/** Names in a folder, [] when it cannot be listed. */
export function namesIn(system: FilesOnly, folder: string): string[] {
  try {
    return system.files.list(folder);
  } catch {
    return [];
  }
}

/** The path with its links resolved, as it is when that cannot be done. */
export function realPathOf(system: FilesOnly, path: string): string {
  try {
    return system.files.realPath(path);
  } catch {
    return path;
  }
}

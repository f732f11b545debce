// Folders beside the one a conversation has: where it can be resumed when that is gone. Pure.

/** First version that finds a conversation from another folder; 2.1.197 does not, 2.1.332 does. */
export const CROSS_FOLDER_VERSION = "2.1.223";

/**
 * Folders to try instead of one that is gone, nearest first: the repository of a removed worktree, then each parent.
 */
export function nearbyFolders(cwd: string): string[] {
  const repository = repositoryOf(cwd);
  const parents: string[] = [];
  for (let at = parentOf(cwd); at !== "/" && at !== ""; at = parentOf(at)) parents.push(at);
  return repository === null ? parents : [repository, ...parents.filter((folder) => folder !== repository)];
}

/** The repository that a worktree of Claude's belongs to, null for any other folder. */
export function repositoryOf(folder: string): string | null {
  return /^(.+)\/\.claude\/worktrees\/[^/]+/.exec(folder)?.[1] ?? null;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

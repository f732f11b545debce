// Where a conversation can be resumed when its folder is gone. Pure.

/** First version that finds a conversation from another folder; 2.1.197 does not, 2.1.332 does. */
export const CROSS_FOLDER_VERSION = "2.1.223";

/**
 * Folders to try instead of one that is gone, nearest first: the repository of a removed worktree, then each parent.
 */
export function nearbyFolders(cwd: string): string[] {
  const worktree = /^(.+)\/\.claude\/worktrees\/[^/]+/.exec(cwd);
  const parents: string[] = [];
  for (let at = parentOf(cwd); at !== "/" && at !== ""; at = parentOf(at)) parents.push(at);
  return worktree ? [worktree[1], ...parents.filter((folder) => folder !== worktree[1])] : parents;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

// Paths as text: nothing is asked of the disk. Pure.

/** The folder that the last part of a path is in: "/" for what is right below the root. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The path itself when it is absolute, else counted from `base`. */
export function absolutePath(path: string, base: string): string {
  return path.startsWith("/") ? path : `${base}/${path.replace(/^(\.\/)+/, "")}`;
}

/** A path as people write it, with `~` for their home; as it is where no home is known (""). */
export function withTilde(path: string, home: string): string {
  const isBelow = home !== "" && (path === home || path.startsWith(`${home}/`));
  return isBelow ? `~${path.slice(home.length)}` : path;
}

// How Claude names the folder of a project's conversations. The name is lossy: it says where to look, never whose it is.

/** Longer names are cut here and get a hash. */
const LIMIT = 200;

/** The name for a working folder, cut where Claude cuts it. */
export function projectName(folder: string): string {
  return folder.replaceAll(/[^A-Za-z0-9]/g, "-").slice(0, LIMIT);
}

/** Whether a folder of that name may be the one for this working folder. */
export function mayBeProject(name: string, folder: string): boolean {
  const wanted = projectName(folder);
  return folder.length > LIMIT ? name.startsWith(`${wanted}-`) : name === wanted;
}

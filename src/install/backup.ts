// Copies of a foreign file as it was before we changed it, beside it. The last three stay.
import { baseName, folderOf } from "../path.ts";
import type { System } from "../system/system.ts";

const KEPT = 3;

/** Writes the copy under a name nobody can guess (a planted link is refused) and returns its path. */
export function keepBackup(system: System, path: string, bytes: Uint8Array, mode: number): string {
  const backup = `${path}${SUFFIX}${stamp(system.now())}-${system.randomHex(4)}`;
  {
    using file = system.files.open(backup, { write: true, createNew: true, mode });
    try {
      file.write(bytes);
      file.sync();
    } catch (error) {
      system.files.remove(backup);
      throw error;
    }
  }
  for (const old of listBackups(system, path).slice(0, -KEPT)) system.files.remove(old);
  return backup;
}

const SUFFIX = ".tmuxclaude-backup-";

/** The copies of a file that are still there, oldest first. */
export function listBackups(system: System, path: string): string[] {
  const folder = folderOf(path);
  const start = baseName(path) + SUFFIX;
  const names = system.files.list(folder).filter((name) =>
    name.startsWith(start) && /^\d{8}T\d{6}Z-[0-9a-f]{8}$/.test(name.slice(start.length))
  );
  return names.sort().map((name) => `${folder === "/" ? "" : folder}/${name}`);
}

function stamp(now: number): string {
  return new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "");
}

// Journal lines that could not wait for the lock, one file each. The number in the file name is the line's seq, so
// that everyone numbers on from it without opening the files; the next trim merges them.
import type { System } from "../system/system.ts";
import { removeQuietly, TEMP_AGE_MS } from "./atomic.ts";
import { naming, openToRead } from "./own_file.ts";
import { FILE_MODE, prepareFolder, type StatePaths } from "./paths.ts";
import { textLines } from "./raw_lines.ts";

export interface Spooled {
  path: string;
  /** Its lines as text; null for what cannot be read. */
  texts: (string | null)[];
}

const NAME = /^(\d{1,15})-[0-9a-f]+\.jsonl$/;
const encoder = new TextEncoder();

function spoolNames(system: System, folder: string): { name: string; seq: number }[] {
  return naming(folder, () => system.files.list(folder)).flatMap((name) => {
    const found = NAME.exec(name);
    return found ? [{ name, seq: Number(found[1]) }] : [];
  });
}

/** The highest seq in the spool, 0 when it is empty. */
export function spoolSeq(system: System, paths: StatePaths): number {
  return spoolNames(system, paths.spool).reduce((highest, { seq }) => Math.max(highest, seq), 0);
}

/** Writes one line to a file of its own. Throws when that cannot be done, and then leaves none. */
export function writeSpool(system: System, paths: StatePaths, text: string, seq: number): void {
  prepareFolder(system, paths.spool);
  const path = `${paths.spool}/${seq}-${system.randomHex(8)}.jsonl`;
  using file = naming(path, () => system.files.open(path, { write: true, createNew: true, mode: FILE_MODE }));
  try {
    naming(path, () => file.write(encoder.encode(`${text}\n`)));
  } catch (error) {
    // A full disk lets files be made, but nothing be written to them.
    removeQuietly(system, path);
    throw error;
  }
}

/** The files of the spool that are complete, in the order of their seq. */
export function readSpool(system: System, paths: StatePaths): Spooled[] {
  return spoolNames(system, paths.spool)
    .sort((a, b) => a.seq - b.seq || (a.name < b.name ? -1 : 1))
    .flatMap(({ name }) => readOne(system, `${paths.spool}/${name}`) ?? []);
}

/** Null for a file that is being written: it does not end with a newline yet (after an hour it never will). */
function readOne(system: System, path: string): Spooled | null {
  using file = openToRead(system, path);
  if (!file) return null;
  const age = system.now() - (system.files.lstat(path)?.modified ?? 0);
  return naming(path, () => {
    if (!endsWithNewline(file) && age < TEMP_AGE_MS) return null;
    return { path, texts: [...textLines(file)] };
  });
}

function endsWithNewline(
  file: { size(): number; seek(offset: number): void; read(into: Uint8Array): number },
): boolean {
  const size = file.size();
  if (size === 0) return false;
  const last = new Uint8Array(1);
  file.seek(size - 1);
  return file.read(last) === 1 && last[0] === 10;
}

/** Removes files whose lines are in the journal now. */
export function removeSpooled(system: System, spooled: Spooled[]): void {
  for (const { path } of spooled) removeQuietly(system, path);
}

/**
 * Puts spooled lines where their seq says: behind the last line with a smaller one. The order of the file itself is
 * never changed.
 */
export function placeBySeq<T extends { seq: number }>(lines: T[], spooled: T[]): T[] {
  if (spooled.length === 0) return lines;
  const waiting = spooled.toSorted((a, b) => b.seq - a.seq);
  const backwards: T[] = [];
  for (const line of lines.toReversed()) {
    while (waiting.length > 0 && line.seq < waiting[0].seq) backwards.push(waiting.shift()!);
    backwards.push(line);
  }
  return [...backwards, ...waiting].reverse();
}

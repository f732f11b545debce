// tmux-resurrect's save files as history: all of them, of all its versions, whole or torn. Read only.
import type { PaneAddress } from "../binding.ts";
import { baseName } from "../path.ts";
import { namesIn } from "../system/lenient.ts";
import { readPlainText } from "../system/plain_file.ts";
import type { System } from "../system/system.ts";

/** A pane of a save, with the name of its window where the save tells it. */
export interface SavedRow extends PaneAddress {
  window_name: string;
  title: string;
  cwd: string;
  command: string;
  full_command: string;
}

/** One save in resurrect's folder. */
export interface SaveFile {
  name: string;
  path: string;
  /** Milliseconds since the epoch: from its name (local time), else when it was written. */
  time: number;
}

/** `tmux_resurrect_20261130T161110.txt`; up to 2.x the date was written with dashes and colons. */
const NAME = /^tmux_resurrect_(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)\.txt$/;

/** The saves in a folder, newest first. */
export function listSaves(system: Pick<System, "files">, folder: string): SaveFile[] {
  const found = namesIn(system, folder).flatMap((name) => {
    if (!/^tmux_resurrect_.*\.txt$/.test(name)) return [];
    const path = `${folder}/${name}`;
    const time = saveTime(system, path);
    return time === null ? [] : [{ name, path, time }];
  });
  return found.sort((a, b) => b.time - a.time || (a.name < b.name ? 1 : -1));
}

/** When a save was made, in milliseconds: as its name says, else when it was written; null when it is not there. */
export function saveTime(system: Pick<System, "files">, path: string): number | null {
  return timeOf(baseName(path)) ?? system.files.stat(path)?.modified ?? null;
}

function timeOf(name: string): number | null {
  const found = NAME.exec(name);
  if (!found) return null;
  const [year, month, day, hour, minute, second] = found.slice(1).map(Number);
  return new Date(year, month - 1, day, hour, minute, second).getTime();
}

/** The panes of a save, [] when it cannot be read. */
export function readSave(system: Pick<System, "files">, path: string): IdentifiedRow[] {
  try {
    return identifiedRows(readPlainText(system, path));
  } catch {
    return [];
  }
}

/** The panes in the text of a save of any version. Lines that were cut off tell what they still hold. Pure. */
export function savedRows(text: string): SavedRow[] {
  const rows: SavedRow[] = [];
  const windows = new Map<string, string>();
  let last: SavedRow | null = null;
  for (const line of text.split("\n")) {
    const fields = line.split("\t");
    const row = fields[0] === "pane" ? toRow(fields) : null;
    if (row) rows.push(row);
    if (fields[0] === "window" && fields[3]?.startsWith(":")) {
      windows.set(`${fields[1]}\t${fields[2]}`, fields[3].slice(1));
    }
    // Several programs in one pane: resurrect writes a line for each, and only the first begins with "pane".
    if (last && fields.length === 1 && line !== "") last.full_command += `\n${line}`;
    else last = row;
  }
  return rows.map((row) => ({
    ...row,
    window_name: windows.get(`${row.tmux_session}\t${row.window_index}`) ?? row.window_name,
  }));
}

/** A pane of a save with the id it had in the life of the server that was saved, null when the save does not tell. */
export interface IdentifiedRow extends SavedRow {
  pane_id: string | null;
}

/** The panes in the text of a save with their ids: a window's layout names its panes in the order of their indexes. */
export function identifiedRows(text: string): IdentifiedRow[] {
  const lines = text.split("\n").map((line) => line.split("\t")).filter(([type]) => type === "window");
  const ids = new Map(lines.map((fields) => [windowKey(fields[1], fields[2]), idsIn(fields[6] ?? "")]));
  const windows = Map.groupBy(
    savedRows(text),
    ({ tmux_session, window_index }) => windowKey(tmux_session, String(window_index)),
  );
  return [...windows].flatMap(([window, rows]) => identified(rows, ids.get(window) ?? []));
}

function windowKey(session: string, index: string): string {
  return `${session}\t${index}`;
}

/** `b25d,200x50,0,0{100x50,0,0,3,99x50,101,0,7}` is of the panes %3 and %7. */
function idsIn(layout: string): string[] {
  return [...layout.matchAll(/\d+x\d+,\d+,\d+,(\d+)(?![\dx])/g)].map(([, id]) => `%${id}`);
}

function identified(rows: SavedRow[], ids: string[]): IdentifiedRow[] {
  const ordered = rows.toSorted((a, b) => a.pane_index - b.pane_index);
  return ordered.map((row, index) => ({ ...row, pane_id: ids.length === rows.length ? ids[index] : null }));
}

function toRow(fields: string[]): SavedRow | null {
  const isOld = fields[3]?.startsWith(":");
  const [pane, title, cwd, command, full] = isOld ? oldFields(fields) : newFields(fields);
  const window = fields[2];
  if (!fields[1] || !/^\d+$/.test(window ?? "") || !/^\d+$/.test(pane ?? "")) return null;
  return {
    tmux_session: fields[1],
    window_index: Number(window),
    pane_index: Number(pane),
    window_name: isOld ? fields[3].slice(1) : "",
    title: title?.trim() ?? "",
    cwd: folderOf(cwd),
    command: command ?? "",
    full_command: full?.replace(/^:/, "") ?? "",
  };
}

type PaneFields = (string | undefined)[];

/** Up to 3.0.0: pane, session, window, :window name, active, :flags, index, :folder, active, command, :full command. */
function oldFields(fields: string[]): PaneFields {
  return [fields[6], "", fields[7], fields[9], fields.slice(10).join("\t")];
}

/** Since 4.0.0: pane, session, window, active, :flags, index, title, :folder, active, command, :full command. */
function newFields(fields: string[]): PaneFields {
  // An empty title was lost when it was saved, and all after it moved one place to the left.
  if (fields[6]?.startsWith(":/") && /^[01]?$/.test(fields[7] ?? "")) {
    return [fields[5], "", fields[6], fields[8], ""];
  }
  return [fields[5], fields[6], fields[7], fields[9], fields.slice(10).join("\t")];
}

/** Its restore reads folders twice with backslashes as escapes, then tmux reads them: see repair_save.ts. */
function folderOf(field: string | undefined): string {
  if (!field?.startsWith(":")) return "";
  return unescaped(unescaped(field.slice(1))).replace(/\\;$/, ";").replaceAll("##", "#");
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, "$1");
}

// What a manifest says of itself before its panes: enough to find a moment in a long history without reading it all.
import type { ServerLife } from "../binding.ts";
import { toRecord, toServerLife, toText } from "../from_disk.ts";
import { readFully } from "../system/bytes.ts";
import { namesIn } from "../system/lenient.ts";
import type { System } from "../system/system.ts";
import { type Manifest, readManifestFile } from "./manifest_format.ts";
import { openToRead } from "./own_file.ts";
import { statePaths } from "./paths.ts";
import { listSnapshots } from "./snapshots.ts";

export interface SnapshotHead {
  /** Where it is written: the newest manifest mostly stands in the history too. */
  paths: string[];
  /** Milliseconds since the epoch. */
  time: number;
  life: ServerLife;
  /** Panes in it. */
  count: number;
  /** The tmux save it belongs to, null when none. */
  save: string | null;
}

/** The fields before the panes take far less, also with long paths. */
const HEAD = 16 * 1024;

/** All manifests of a server, newest first; what cannot be read is left out. */
export function listHeads(system: System, socket: string): SnapshotHead[] {
  const newest = statePaths(system).server(socket).manifest;
  const paths = [newest, ...listSnapshots(system, socket).map((ref) => ref.path)];
  const heads = paths.flatMap((path) => readHead(system, path) ?? []);
  heads.sort((a, b) => b.time - a.time);
  const same = Map.groupBy(heads, (head) => head.time);
  return [...same.values()].map((twins) => ({ ...twins[0], paths: twins.flatMap(({ paths }) => paths) }));
}

/** The whole manifest behind a head, null when it is gone or bad by now. */
export function readWhole(system: System, head: SnapshotHead): Manifest | null {
  for (const path of head.paths) {
    const read = readManifestFile(system, path);
    if (read.found) return read.manifest;
  }
  return null;
}

function readHead(system: System, path: string): SnapshotHead | null {
  try {
    return toHead(path, headText(system, path));
  } catch {
    return null;
  }
}

function headText(system: System, path: string): string {
  using file = openToRead(system, path);
  if (!file) return "";
  return new TextDecoder().decode(readFully(file, new Uint8Array(HEAD)));
}

/** Cut before its panes; a quote within a value is escaped, so the text between is not found in one. */
function toHead(path: string, text: string): SnapshotHead | null {
  const end = text.search(/,"panes":\[/);
  const found = end < 0 ? null : toRecord(JSON.parse(`${text.slice(0, end)}}`));
  const time = Date.parse(toText(found?.at) ?? "");
  const life = toServerLife(found?.server);
  if (!found || found.schema !== 1 || Number.isNaN(time) || !life || !Number.isInteger(found.count)) {
    return null;
  }
  return {
    paths: [path],
    time,
    life,
    count: found.count as number,
    save: toText(toRecord(found.resurrect)?.save),
  };
}

/** Sockets of this host's tmux servers that have a history here, the one saved last first. */
export function knownSockets(system: System): string[] {
  const folder = `${statePaths(system).root}/servers`;
  const found = namesIn(system, folder).flatMap((name) => {
    const head = readHead(system, `${folder}/${name}/manifest.json`);
    const isHere = head && statePaths(system).server(head.life.socket).folder === `${folder}/${name}`;
    return isHere ? [head] : [];
  });
  return found.sort((a, b) => b.time - a.time).map(({ life }) => life.socket);
}

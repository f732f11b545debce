// Manifests kept as history. A snapshot is written when something but time, activity, titles or life changed.
import { plan } from "../system/dry_run.ts";
import type { System } from "../system/system.ts";
import { removeQuietly, sweepTemps, writeAtomic } from "./atomic.ts";
import { countBindings, type Manifest, type ManifestRead, readManifestFile } from "./manifest_format.ts";
import { naming } from "./own_file.ts";
import { statePaths } from "./paths.ts";

export interface SnapshotRef {
  path: string;
  /** Milliseconds since the epoch. */
  time: number;
}

const KEEP_MS = 7 * 24 * 3_600_000;
/** Kept whatever their age: this many, and this many with conversations (clocks jump, reboots save empty ones). */
const KEEP_LEAST = 5;

/** `2026-11-30T16-11-10.123Z.json`: sorts by time, and no file system minds it. */
const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})Z\.json$/;

function nameOf(time: number): string {
  return `${new Date(time).toISOString().replaceAll(":", "-")}.json`;
}

function timeOf(name: string): number | null {
  const found = NAME.exec(name);
  const time = found ? Date.parse(`${found[1]}T${found[2]}:${found[3]}:${found[4]}Z`) : NaN;
  return Number.isNaN(time) ? null : time;
}

/** The snapshots of a server, newest first. */
export function listSnapshots(system: System, socket: string): SnapshotRef[] {
  const folder = statePaths(system).server(socket).snapshots;
  const refs = naming(folder, () => system.files.list(folder)).flatMap((name) => {
    const time = timeOf(name);
    return time === null ? [] : [{ path: `${folder}/${name}`, time }];
  });
  return refs.sort((a, b) => b.time - a.time);
}

/** The manifest a snapshot holds, or the reason why it cannot be used. */
export function readSnapshot(system: System, ref: SnapshotRef): ManifestRead {
  return readManifestFile(system, ref.path);
}

/** The newest snapshot that can be read. */
export function newestSnapshot(system: System, socket: string): Manifest | null {
  for (const ref of listSnapshots(system, socket)) {
    const read = readSnapshot(system, ref);
    if (read.found) return read.manifest;
  }
  return null;
}

/** Whether two manifests say the same about everything that lasts. */
export function isSameContent(a: Manifest, b: Manifest): boolean {
  return JSON.stringify(lasting(a)) === JSON.stringify(lasting(b));
}

function lasting(manifest: Manifest) {
  const panes = manifest.panes.map((row) => ({ ...row, title: "", activity: 0, live: false }));
  return { ...manifest, at: "", panes };
}

/** Writes a manifest as a snapshot. The caller holds the server's lock. */
export function writeSnapshot(system: System, manifest: Manifest): void {
  const { snapshots } = statePaths(system).server(manifest.server.socket);
  let time = Date.parse(manifest.at);
  while (naming(snapshots, () => system.files.lstat(`${snapshots}/${nameOf(time)}`))) time++;
  writeAtomic(system, `${snapshots}/${nameOf(time)}`, `${JSON.stringify(manifest)}\n`);
}

/**
 * Removes snapshots older than 7 days, but never the newest five, the newest five with conversations, or what a newer
 * tmuxclaude wrote. The caller holds the server's lock.
 */
export function expireSnapshots(system: System, socket: string): void {
  sweepTemps(system, statePaths(system).server(socket).snapshots);
  const all = listSnapshots(system, socket);
  const isOld = (ref: SnapshotRef) => system.now() - ref.time > KEEP_MS;
  if (!all.slice(KEEP_LEAST).some(isOld)) return;
  let withBindings = 0;
  all.forEach((ref, index) => {
    const mayGo = index >= KEEP_LEAST && isOld(ref);
    if (!mayGo && withBindings >= KEEP_LEAST) return;
    const read = readSnapshot(system, ref);
    const isBound = read.found && countBindings(read.manifest) > 0;
    if (mayGo && !isNeeded(read, isBound && withBindings < KEEP_LEAST)) expire(system, ref);
    if (isBound) withBindings++;
  });
}

function isNeeded(read: ManifestRead, isBound: boolean): boolean {
  return isBound || (!read.found && read.newer === true);
}

function expire(system: System, ref: SnapshotRef): void {
  if (system.dryRun) plan(system, `remove ${ref.path}`);
  else removeQuietly(system, ref.path);
}

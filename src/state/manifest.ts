// The table of all panes at one save. Written whole, under the server's lock, never backwards.
import { sameLife } from "../binding.ts";
import { ExitCode, UserError } from "../errors.ts";
import type { System } from "../system/system.ts";
import { sweepTemps, writeAtomic } from "./atomic.ts";
import { withLock } from "./lock.ts";
import {
  countBindings,
  type Manifest,
  type ManifestRead,
  readManifestFile,
  toManifest,
} from "./manifest_format.ts";
import { prepareState, statePaths } from "./paths.ts";
import { expireSnapshots, isSameContent, newestSnapshot, writeSnapshot } from "./snapshots.ts";

export type { Manifest, ManifestRead, ManifestRow, ToManifest } from "./manifest_format.ts";
export { countBindings, toManifest } from "./manifest_format.ts";

/** How long a save waits for another one, in milliseconds. */
const WAIT_MS = 2_000;

/**
 * `written`: it is the newest manifest now. `kept`: what is there is worth more (newer, or with conversations of an
 * earlier server life where this one has none). `busy`: another process held the lock too long.
 */
export type WriteResult = "written" | "kept" | "busy";

/** The newest manifest of a server. */
export function readManifest(system: System, socket: string): ManifestRead {
  return readManifestFile(system, statePaths(system).server(socket).manifest);
}

/** The newest manifest that can be read: manifest.json, else the newest readable snapshot. */
export function newestManifest(system: System, socket: string): Manifest | null {
  return orSnapshot(system, socket, readManifest(system, socket));
}

function orSnapshot(system: System, socket: string, read: ManifestRead): Manifest | null {
  return read.found ? read.manifest : newestSnapshot(system, socket);
}

/**
 * Makes this the newest manifest of its server, and a snapshot of it when it differs. Throws UserError when the state
 * folder cannot be written, or holds a manifest of a newer tmuxclaude.
 */
export async function writeManifest(system: System, manifest: Manifest): Promise<WriteResult> {
  const checked = toManifest(manifest);
  if ("reason" in checked) throw new TypeError(`Cannot write this manifest: ${checked.reason}`);
  const { socket } = manifest.server;
  const { lock } = prepareState(system, socket).server(socket);
  const options = { exclusive: true, waitMs: WAIT_MS };
  const done = await withLock(system, lock, options, () => write(system, checked.manifest));
  return done.held ? done.value : "busy";
}

function write(system: System, manifest: Manifest): WriteResult {
  const { socket } = manifest.server;
  const { folder, manifest: path } = statePaths(system).server(socket);
  const there = readManifest(system, socket);
  refuseNewer(there, path);
  const last = orSnapshot(system, socket, there);
  if (last && isWorthMore(system, last, manifest)) return "kept";
  sweepTemps(system, folder);
  // Snapshots first: killed in between, the history is complete and the next save brings the manifest up to date.
  if (last) keepLastOfLife(system, last, manifest);
  keepWhenDifferent(system, manifest);
  writeAtomic(system, path, `${JSON.stringify(manifest)}\n`);
  expireSnapshots(system, socket);
  return "written";
}

function refuseNewer(there: ManifestRead, path: string): void {
  if (there.found || !there.newer) return;
  throw new UserError(
    `Cannot replace "${path}"`,
    `${there.reason}`,
    "Install that version again",
    ExitCode.failed,
  );
}

function isWorthMore(system: System, last: Manifest, manifest: Manifest): boolean {
  const isAnotherLife = !sameLife(last.server, manifest.server);
  if (isAnotherLife && countBindings(manifest) === 0 && countBindings(last) > 0) return true;
  const isLaterLife = isAnotherLife && manifest.server.started > last.server.started;
  return !isLaterLife && Date.parse(manifest.at) < Date.parse(last.at) && isCredible(system, last);
}

/** A time in the future tells that the clock was wrong: it must not block the saves after it. */
function isCredible(system: System, last: Manifest): boolean {
  return Date.parse(last.at) <= system.now();
}

/** Before the first manifest of a new server life: the last one of the old, with what was live and active at its end. */
function keepLastOfLife(system: System, last: Manifest, manifest: Manifest): void {
  if (sameLife(last.server, manifest.server)) return;
  if (newestSnapshot(system, manifest.server.socket)?.at !== last.at) writeSnapshot(system, last);
}

function keepWhenDifferent(system: System, manifest: Manifest): void {
  const newest = newestSnapshot(system, manifest.server.socket);
  if (!newest || !isSameContent(newest, manifest)) writeSnapshot(system, manifest);
}

// What the silent hook could not do. Doctor reads it aloud.
import { parseRecord, toText } from "../from_disk.ts";
import { plan } from "../system/dry_run.ts";
import type { System } from "../system/system.ts";
import { openOwn, openToRead, ownFacts } from "./own_file.ts";
import { prepareState, statePaths } from "./paths.ts";
import { textLines } from "./raw_lines.ts";

export interface Failure {
  /** ISO time. */
  at: string;
  where: string;
  reason: string;
}

/** A file of this size (bytes) becomes the old generation: about 200 lines in both together. */
const ROTATE_AT = 24 * 1024;
const REASON_LENGTH = 300;
const READ_AT_MOST = 200;

const encoder = new TextEncoder();
const oldGeneration = (path: string) => `${path}.old`;

/** Notes a failure. Bounded, and never throws: it is the last resort. */
export function recordFailure(system: System, failure: { where: string; reason: string }): void {
  try {
    if (system.dryRun) return plan(system, `note a failure of ${failure.where}: ${failure.reason}`);
    const { failures } = prepareState(system);
    rotate(system, failures);
    using file = openOwn(system, failures, { append: true });
    file.write(encoder.encode(`${formatFailure(system, failure)}\n`));
  } catch {
    // Nowhere left to say it.
  }
}

function formatFailure(system: System, { where, reason }: { where: string; reason: string }): string {
  const at = new Date(system.now()).toISOString();
  return JSON.stringify({ schema: 1, at, where, reason: reason.slice(0, REASON_LENGTH) });
}

/** Renaming loses nothing: whoever holds the file open writes on into the old generation. */
function rotate(system: System, path: string): void {
  if ((ownFacts(system, path)?.size ?? 0) > ROTATE_AT) system.files.rename(path, oldGeneration(path));
}

/** The newest failures (at most 200), oldest first. What cannot be read is left out. */
export function readFailures(system: System): Failure[] {
  const { failures } = statePaths(system);
  return [oldGeneration(failures), failures].flatMap((path) => readOne(system, path)).slice(-READ_AT_MOST);
}

function readOne(system: System, path: string): Failure[] {
  using file = openToRead(system, path);
  return file ? [...textLines(file)].flatMap((text) => toFailure(text) ?? []) : [];
}

function toFailure(text: string | null): Failure | null {
  const found = parseRecord(text);
  const at = toText(found?.at);
  const where = toText(found?.where);
  const reason = toText(found?.reason);
  return at === null || where === null || reason === null ? null : { at, where, reason };
}

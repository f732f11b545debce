// The kernel's advisory lock on a file that is never renamed or removed: a killed holder lets go at once.
import type { OpenFile, System } from "../system/system.ts";
import { openOwn } from "./own_file.ts";

export interface LockOptions {
  exclusive: boolean;
  /** Milliseconds to wait for the lock; 0 tries once. */
  waitMs: number;
}

export type Locked<T> = { held: true; value: T } | { held: false };

const TRY_EVERY_MS = 10;

/** Runs the action while the lock is held, or says that it could not be had in time. */
export async function withLock<T>(
  system: System,
  path: string,
  options: LockOptions,
  action: () => T | Promise<T>,
): Promise<Locked<T>> {
  if (system.dryRun) return { held: true, value: await action() };
  using file = openOwn(system, path, { read: true, write: true });
  if (!await acquire(system, file, options)) return { held: false };
  return { held: true, value: await action() };
}

/** Counts tries as well as time, so that a clock that jumps back cannot make it wait longer. */
async function acquire(system: System, file: OpenFile, { exclusive, waitMs }: LockOptions): Promise<boolean> {
  if (file.tryLock(exclusive)) return true;
  const begin = system.now();
  for (let waited = 0; waited < waitMs && system.now() - begin < waitMs; waited += TRY_EVERY_MS) {
    await system.sleep(TRY_EVERY_MS);
    if (file.tryLock(exclusive)) return true;
  }
  return false;
}

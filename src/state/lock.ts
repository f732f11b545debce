// The kernel's advisory lock on a file that is never renamed or removed: a killed holder lets go at once.
import type { System } from "../system/system.ts";
import { naming, openOwn } from "./own_file.ts";

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
  const attempt = () => naming(path, () => file.tryLock(options.exclusive));
  if (!await acquire(system, attempt, options.waitMs)) return { held: false };
  try {
    return { held: true, value: await action() };
  } finally {
    // Closing alone is not enough: a child that is just being started has the open file too, until its own program runs.
    file.unlock();
  }
}

/** Tries for so long. Counts tries as well as time, so that a clock that jumps back cannot make it wait longer. */
export async function acquire(system: System, attempt: () => boolean, waitMs: number): Promise<boolean> {
  if (attempt()) return true;
  const begin = system.now();
  for (let waited = 0; waited < waitMs && system.now() - begin < waitMs; waited += TRY_EVERY_MS) {
    await system.sleep(TRY_EVERY_MS);
    if (attempt()) return true;
  }
  return false;
}

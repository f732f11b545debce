// Whoever types into the panes of a server waits for its turn: two at once would type into each other.
import { reasonOf } from "../errors.ts";
import type { OpenFile, System } from "../system/system.ts";
import { recordFailure } from "./failures.ts";
import { acquire, type Locked } from "./lock.ts";
import { openOwn } from "./own_file.ts";
import { prepareState } from "./paths.ts";

/** Long enough for a slow shell and a line that is read back, in milliseconds. */
const WAIT_MS = 20_000;

/**
 * Runs the action while nobody else types at this server, and tells it whether it had to wait: what was seen before is
 * old then. Not held: somebody else takes too long.
 */
export async function inTurn<T>(
  system: System,
  socket: string,
  action: (waited: boolean) => Promise<T>,
): Promise<Locked<T>> {
  const turn = openTurn(system, socket);
  if (!turn) return { held: true, value: await action(false) };
  using file = turn.file;
  if (!turn.free && !await acquire(system, () => orGoOn(() => file.tryLock(true)), WAIT_MS)) {
    return { held: false };
  }
  try {
    return { held: true, value: await action(!turn.free) };
  } finally {
    orGoOn(() => file.unlock());
  }
}

/** Null when the state folder cannot be used or has no locks: that costs the turns, not the conversation. */
function openTurn(system: System, socket: string): { file: OpenFile; free: boolean } | null {
  try {
    const file = openOwn(system, prepareState(system, socket).server(socket).turn, {
      read: true,
      write: true,
    });
    return { file, free: orGoOn(() => file.tryLock(true)) };
  } catch (error) {
    recordFailure(system, { where: "revive", reason: reasonOf(error) });
    return null;
  }
}

/** True also when the disk fails. */
function orGoOn(attempt: () => boolean | void): boolean {
  try {
    return attempt() ?? true;
  } catch {
    return true;
  }
}

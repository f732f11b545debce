// Whether a pane can be one that a restore made: panes made later have no claim to an old address.
import { sameAddress } from "../binding.ts";
import type { System } from "../system/system.ts";
import type { Pane, Server } from "../tmux/panes.ts";
import { firstSave } from "./save.ts";
import type { Survey } from "./survey.ts";

type Claim = (pane: Pick<Pane, "pid" | "pane_id" | "addresses">) => boolean;

/**
 * Tells of each pane whether it can be one that a restore made. After our own restore: when its process is older. When
 * none was done, tmux-resurrect may have restored without our hook, and its first save of this life holds what it made.
 */
export function claims(system: System, seen: Pick<Survey, "server" | "processes">): Claim {
  const { restored } = seen.server;
  return restored === null ? savedInThisLife(system, seen.server) : (pane) => {
    const process = seen.processes.find(({ pid }) => pid === pane.pid);
    const started = process ? system.processes.startedAt(process) : null;
    return started !== null && started <= restored + CLOCK_GRAIN_MS;
  };
}

/** Start times are known to a second at best. */
const CLOCK_GRAIN_MS = 1_000;

/** A pane that was opened, or moved, after that save has not the id which the save has at its place. */
function savedInThisLife(system: System, server: Server): Claim {
  const saved = firstSave(system, server);
  if (saved === null) return () => true;
  return ({ pane_id, addresses }) =>
    saved.some((row) =>
      (row.pane_id === null || row.pane_id === pane_id) && addresses.some((at) => sameAddress(at, row))
    );
}

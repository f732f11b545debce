// Whether a pane can be one that a restore made: panes made later have no claim to an old address.
import type { System } from "../system/system.ts";
import type { Survey } from "./survey.ts";

/** True when the pane's process is older than this server's restore, or when there was no restore. */
export function isOld(
  system: System,
  seen: Pick<Survey, "server" | "processes">,
  pane: { pid: number },
): boolean {
  if (seen.server.restored === null) return true;
  const process = seen.processes.find((one) => one.pid === pane.pid);
  const started = process ? system.processes.startedAt(process) : null;
  return started !== null && started <= seen.server.restored + CLOCK_GRAIN_MS;
}

/** Start times are known to a second at best. */
const CLOCK_GRAIN_MS = 1_000;

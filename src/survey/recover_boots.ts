// When the machine was up: systemd's journal where there is one, else only the boot that runs now.
import { type Boot, parseBoots, withCurrent } from "../recover/boots.ts";
import type { System } from "../system/system.ts";

/** Listing boots can take long on a machine with a large journal; it is a help, not a need. Milliseconds. */
const LIMIT_MS = 1_000;

/** The boots that are known, oldest first. Never fails. */
export async function readBoots(system: System): Promise<Boot[]> {
  return withCurrent(parseBoots(await listBoots(system)), bootedAt(system), system.now());
}

async function listBoots(system: System): Promise<string> {
  try {
    const args = ["--list-boots", "--utc", "--no-pager", "--quiet"];
    const env = { ...system.environment(), LC_ALL: "C" };
    return (await system.run("journalctl", args, { limitMs: LIMIT_MS, env })).stdout;
  } catch {
    return "";
  }
}

/** The first process of the machine, or of the container, began with it. */
export function bootedAt(system: System): number | null {
  const first = system.processes.read(1);
  return first && system.processes.startedAt(first);
}

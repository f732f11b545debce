// Which record of the past a restore or a revive goes by.
import { sameLife } from "../binding.ts";
import { agreeingSessions } from "../policy/belongs.ts";
import { countBindings, type Manifest, readManifest } from "../state/manifest.ts";
import { listSnapshots, readSnapshot } from "../state/snapshots.ts";
import type { System } from "../system/system.ts";
import type { Server } from "../tmux/panes.ts";
import { saveOf } from "./save.ts";

export interface ChosenSnapshot {
  manifest: Manifest;
  /** tmux sessions whose layout is known to be the snapshot's; null when there is no save to compare with. */
  sessions: Set<string> | null;
  /** Why this one, for people. */
  why: string;
}

/**
 * The record of an earlier life of this server: the one that belongs to the save behind `last` (people re-point it),
 * else the newest with conversations. With `before` (milliseconds), the newest with conversations taken before it.
 * Null when there is none.
 */
export function chooseSnapshot(system: System, server: Server, before?: number): ChosenSnapshot | null {
  const { ref, saved } = saveOf(system, server);
  const since = before ?? Infinity;
  let newest: Manifest | null = null;
  for (const manifest of earlierManifests(system, server, since)) {
    if (countBindings(manifest) === 0) continue;
    if (before === undefined && ref.save !== null && manifest.resurrect.save === ref.save) {
      return { manifest, sessions: null, why: `belongs to the tmux save ${ref.save}` };
    }
    newest ??= manifest;
    if (ref.save === null || before !== undefined) break;
  }
  if (!newest) return null;
  const sessions = saved.length > 0 ? agreeingSessions(newest.panes, saved) : null;
  return { manifest: newest, sessions, why: whyNewest(before, ref.dangling, ref.save) };
}

function whyNewest(before: number | undefined, dangling: boolean, save: string | null): string {
  if (before !== undefined) return "is the last one before the given time";
  if (dangling) return "is the newest one (tmux-resurrect's `last` leads nowhere)";
  return save === null ? "is the newest one" : `is the newest one (none belongs to the tmux save ${save})`;
}

/** Manifests of other lives of this server, newest first, read one by one. */
function* earlierManifests(system: System, server: Server, before: number): Generator<Manifest> {
  const current = readManifest(system, server.socket);
  const seen = new Set<string>();
  const usable = (manifest: Manifest) =>
    !sameLife(manifest.server, server) && Date.parse(manifest.at) < before;
  if (current.found && usable(current.manifest)) {
    seen.add(current.manifest.at);
    yield current.manifest;
  }
  for (const ref of listSnapshots(system, server.socket)) {
    const read = readSnapshot(system, ref);
    if (read.found && usable(read.manifest) && !seen.has(read.manifest.at)) yield read.manifest;
  }
}

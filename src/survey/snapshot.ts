// Which record of the past a restore or a revive goes by.
import { sameLife } from "../binding.ts";
import { agreeingSessions } from "../policy/belongs.ts";
import { countBindings, type Manifest } from "../state/manifest.ts";
import { listHeads, readWhole, type SnapshotHead } from "../state/snapshot_heads.ts";
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
 * Null when there is none. Only the heads of a long history are read, and what is chosen.
 */
export function chooseSnapshot(system: System, server: Server, before?: number): ChosenSnapshot | null {
  const { ref, saved } = saveOf(system, server);
  const heads = listHeads(system, server.socket)
    .filter((head) => head.count > 0 && !sameLife(head.life, server) && head.time < (before ?? Infinity));
  const ofSave = before === undefined && ref.save !== null
    ? heads.filter((head) => head.save === ref.save)
    : [];
  const own = newestBound(system, ofSave);
  if (own) return { manifest: own, sessions: null, why: `belongs to the tmux save ${ref.save}` };
  const newest = newestBound(system, heads);
  if (!newest) return null;
  const sessions = saved.length > 0 ? agreeingSessions(newest.panes, saved) : null;
  return { manifest: newest, sessions, why: whyNewest(before, ref.dangling, ref.save) };
}

/** The first of them that can be read and holds a conversation. */
function newestBound(system: System, heads: SnapshotHead[]): Manifest | null {
  for (const head of heads) {
    const manifest = readWhole(system, head);
    if (manifest && countBindings(manifest) > 0) return manifest;
  }
  return null;
}

function whyNewest(before: number | undefined, dangling: boolean, save: string | null): string {
  if (before !== undefined) return "is the last one before the given time";
  if (dangling) return "is the newest one (tmux-resurrect's `last` leads nowhere)";
  return save === null ? "is the newest one" : `is the newest one (none belongs to the tmux save ${save})`;
}

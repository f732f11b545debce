// Which record a recovery goes by, told in words. Pure.
import type { PastRecord } from "./past.ts";
import { formatTime } from "./when.ts";
import { counted } from "../counted.ts";

/** What is known about the end of the record's life. */
export interface Ending {
  /** Last sign of the life, milliseconds. */
  last: number;
  /** When the machine went down, null when it did not, or nothing tells. */
  down: number | null;
  /** Boots of the machine since. */
  boots: number;
  /** Starts of the tmux server since. */
  starts: number;
}

/** Why the record before the first crash was chosen. */
export function whyCrash({ last, down, boots, starts }: Ending): string {
  const since = [
    boots > 0 ? counted(boots, "boot") : null,
    starts > 0 ? `${counted(starts, "start")} of tmux` : null,
  ].filter((part) => part !== null);
  const loop = boots > 1 || starts > 1 ? ": a crash loop" : "";
  const end = down === null
    ? `tmux was last seen at ${formatTime(last)}`
    : `the machine went down at ${formatTime(down)}`;
  return `is the last one before the first crash (${end}${
    since.length > 0 ? `; since then ${since.join(" and ")}${loop}` : ""
  })`;
}

const DAY = 24 * 3_600_000;

/** Our own record knows more than a tmux save, unless the hook that writes it has not run for a day. */
export function betterRecord(own: PastRecord | null, save: PastRecord | null): PastRecord | null {
  if (!own || !save) return own ?? save;
  return save.time - own.time > DAY ? save : own;
}

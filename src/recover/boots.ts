// When the machine was up, from `journalctl --list-boots`. Pure.

/** One boot, milliseconds since the epoch. */
export interface Boot {
  first: number;
  last: number;
}

const TIME = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/g;

/** The boots in what `journalctl --list-boots --utc` prints (all its shapes have two times a line), oldest first. */
export function parseBoots(text: string): Boot[] {
  const boots = text.split("\n").flatMap((line) => {
    const times = [...line.matchAll(TIME)].map(([, day, hour]) => Date.parse(`${day}T${hour}Z`));
    return times.length === 2 && times[0] <= times[1] ? [{ first: times[0], last: times[1] }] : [];
  });
  return boots.sort((a, b) => a.first - b.first);
}

/** The boots with the one that runs now at the end, where journalctl does not know of it. */
export function withCurrent(boots: Boot[], bootedAt: number | null, now: number): Boot[] {
  if (bootedAt === null || bootedAt > now) return boots;
  const known = boots.some(({ first, last }) => first <= bootedAt + SLACK_MS && last >= bootedAt - SLACK_MS);
  const before = boots.filter(({ last }) => last < bootedAt);
  return known ? boots : [...before, { first: bootedAt, last: now }];
}

/** Boot times are rounded, and the journal begins and ends a little later or earlier than the machine. */
const SLACK_MS = 2 * 60_000;

/** After a moment: when the machine went down (null when it did not, or nothing tells), and its boots since. */
export function machineAfter(boots: Boot[], time: number): { down: number | null; boots: number } {
  const index = boots.findLastIndex(({ first }) => first - SLACK_MS <= time);
  if (index < 0) return { down: null, boots: boots.length };
  const since = boots.length - 1 - index;
  return { down: since > 0 ? Math.max(time, boots[index].last) : null, boots: since };
}

// The lives of a tmux server, from the traces it left in our records. Pure. Clocks jump (a battery is empty, a machine
// boots before it knows the time): the journal's own order corrects what its times say.
import type { ServerLife } from "../binding.ts";
import type { JournalLine } from "../state/journal.ts";

export interface LifeSpan extends ServerLife {
  /** First and last sign of it, milliseconds since the epoch; 0 when no time of it can be believed. */
  first: number;
  last: number;
}

export interface Trace {
  life: ServerLife;
  /** Milliseconds since the epoch. */
  time: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Whether a time can be: not later than now, with an hour for daylight saving and clocks that differ. */
export function isCredible(time: number, now: number): boolean {
  return time <= now + HOUR;
}

/**
 * The times of the journal's lines as they must have been: a line with a time in the future, or more than a day before
 * the line above it, is taken to be as old as that one.
 */
export function correctedTimes(lines: readonly { at: string }[], now: number): number[] {
  let previous = 0;
  return lines.map(({ at }) => {
    const time = Date.parse(at);
    const believed = !Number.isNaN(time) && isCredible(time, now) && time >= previous - DAY;
    previous = believed ? Math.max(previous, time) : previous;
    return believed ? time : previous;
  });
}

/** All lives of the server on this socket, the one seen last first. */
export function serverLives(
  facts: { records: Trace[]; journal: JournalLine[]; socket: string; now: number },
): LifeSpan[] {
  const spans = new Map<string, LifeSpan>();
  const note = (life: ServerLife, time: number) => {
    const { socket, pid, started } = life;
    const key = `${pid}:${started}`;
    const span = spans.get(key) ?? { socket, pid, started, first: 0, last: 0 };
    spans.set(key, span);
    if (!isCredible(time, facts.now) || time <= 0) return;
    span.first = span.first === 0 ? time : Math.min(span.first, time);
    span.last = Math.max(span.last, time);
  };
  const times = correctedTimes(facts.journal, facts.now);
  facts.journal.forEach(({ tmux }, index) => tmux?.socket === facts.socket && note(tmux, times[index]));
  facts.records.forEach(({ life, time }) => note(life, time));
  return [...spans.values()].sort((a, b) => b.last - a.last || b.started - a.started);
}

/** How long it lived at least, in milliseconds. A start that no clock can have meant is not counted from. */
export function lived(span: LifeSpan): number {
  const started = span.started * 1_000;
  return span.last - (started <= span.last && started >= span.first - 30 * DAY ? started : span.first);
}

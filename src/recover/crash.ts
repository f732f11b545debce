// Which server life the person wants back: the one before the first crash. Pure.
// After a crash the machine often comes up several times, and tmux with it: with empty shells, or with a few panes that
// somebody brought back before the next crash. The last life is then the wrong one to go by.

const HOUR = 3_600_000;
/** A life shorter than this is one that a crash loop may have cut off. */
const SHORT_MS = HOUR;
/** Longest pause between two lives of one crash loop: over a weekend. */
const PAUSE_MS = 72 * HOUR;

export interface EndedLife {
  /** When it began and was last seen, and how long it lived, in milliseconds. */
  first: number;
  last: number;
  lived: number;
  /** Conversations that were held in it, by id: not those it only carried over from the life before. */
  conversations: string[];
  /** All that its record names, carried over or not. */
  known: string[];
}

export interface FirstCrash<L> {
  /** The life that the first crash ended. */
  life: L;
  /** The lives after it, newest first. More than none: a crash loop, or a server that was started and left. */
  loop: L[];
}

/**
 * Walks the ended lives, newest first, reading no more than needed. Those without a conversation of their own are
 * passed over; one that lived short and knows less than the one before it was part of the loop. Null when none has any.
 */
export function firstCrash<L extends EndedLife>(lives: Iterable<L>): FirstCrash<L> | null {
  let found: FirstCrash<L> | null = null;
  const passed: L[] = [];
  for (const life of lives) {
    if (life.conversations.length > 0) {
      if (found && !isLoop(found.life, life)) break;
      found = { life, loop: [...passed] };
    }
    passed.push(life);
  }
  return found;
}

function isLoop(later: EndedLife, earlier: EndedLife): boolean {
  const lost = earlier.conversations.some((id) => !later.known.includes(id));
  return later.lived < SHORT_MS && lost && later.first - earlier.last <= PAUSE_MS;
}

/** Without any conversation on record: the newest that holds at least half as many panes as the fullest one. */
export function newestFull<R extends { count: number }>(newestFirst: R[]): R | null {
  const most = newestFirst.reduce((most, { count }) => Math.max(most, count), 0);
  return newestFirst.find(({ count }) => count > 0 && count * 2 >= most) ?? null;
}

// Which record of the past to go by: the last one before the first crash, unless the person says otherwise.
import type { ServerLife } from "../binding.ts";
import { type Boot, machineAfter } from "../recover/boots.ts";
import { betterRecord, whyCrash } from "../recover/choice.ts";
import { firstCrash, newestFull } from "../recover/crash.ts";
import type { PastRecord } from "../recover/past.ts";
import { fromSave } from "../recover/past.ts";
import { readSave } from "../tmux/saves.ts";
import {
  type Archive,
  firstWithConversations,
  type RecordedLife,
  recordedLives,
  savedLives,
} from "./recover_records.ts";

export interface Past {
  record: PastRecord | null;
  /** Why this one, for people. */
  why: string;
  /** The last records of other lives, newest first. */
  others: OtherRecord[];
}

export interface OtherRecord {
  /** Milliseconds since the epoch. */
  time: number;
  panes: number;
  conversations: number;
}

export interface PastOptions {
  running: ServerLife | null;
  boots: Boot[];
  /** The last record at or before this time (milliseconds), null to find it. */
  at: number | null;
  /** How many other records to tell of. */
  others: number;
}

const WEEK = 7 * 24 * 3_600_000;

/** Chooses among all records there are. */
export function choosePast(archive: Archive, options: PastOptions): Past {
  const lives = remembered(recordedLives(archive, options.running));
  const found = options.at !== null
    ? atTime(archive, options.at, options.boots)
    : pointedSave(archive, options) ?? beforeCrash(archive, lives, options) ??
      newestOfThisLife(archive, lives);
  const { record, why } = found ?? { record: null, why: "" };
  return { record, why, others: othersThan(record, lives(), options.others) };
}

function othersThan(record: PastRecord | null, lives: Iterable<RecordedLife>, most: number): OtherRecord[] {
  const others: OtherRecord[] = [];
  if (most === 0) return others;
  for (const { record: other, known } of lives) {
    if (others.length >= most) break;
    if (!other || other.time === record?.time) continue;
    others.push({ time: other.time, panes: other.panes.length, conversations: known.length });
  }
  return others;
}

interface Found {
  record: PastRecord;
  why: string;
}

/** Runs through a generator more than once without reading anything twice. */
function remembered<T>(source: Generator<T>): () => Generator<T> {
  const known: T[] = [];
  return function* () {
    for (let at = 0;; at++) {
      if (at === known.length) {
        const next = source.next();
        if (next.done) return;
        known.push(next.value);
      }
      yield known[at];
    }
  };
}

function atTime(archive: Archive, at: number, boots: Boot[]): Found | null {
  const own = firstWithConversations(archive, archive.heads.filter(({ time }) => time <= at));
  const record = betterRecord(own, fromSaves(archive, { before: at, boots }));
  return record && { record, why: "is the last one before the given time" };
}

/** The save that `last` was pointed to by hand: otherwise it names the newest one. */
function pointedSave(archive: Archive, { running }: PastOptions): Found | null {
  const { pointed, saves, heads } = archive;
  const save = saves.find(({ name }) => name === pointed);
  if (!save || saves[0].name === pointed) return null;
  const own = firstWithConversations(
    archive,
    heads.filter((head) => head.save === pointed && !(running && head.life.pid === running.pid)),
  );
  const record = own ?? fromSave(save, readSave(archive.system, save.path));
  return record.panes.length === 0
    ? null
    : { record, why: "belongs to the tmux save that `last` was pointed to" };
}

function beforeCrash(
  archive: Archive,
  lives: () => Iterable<RecordedLife>,
  options: PastOptions,
): Found | null {
  const { running, boots } = options;
  const ended = function* () {
    for (const life of lives()) if (!life.isRunning) yield life;
  };
  const crash = firstCrash(ended());
  const own = crash?.life.record ?? fullest(archive, running);
  if (crash && isLongAgo(archive, crash.life, lives)) return null;
  const before = running === null ? null : running.started * 1_000;
  const record = betterRecord(own, fromSaves(archive, { before, boots }));
  if (!record) return null;
  const isOwn = record === crash?.life.record;
  const last = isOwn ? crash!.life.last : record.time;
  const starts = (isOwn ? crash!.loop.length : 0) + (running === null ? 0 : 1);
  return { record, why: whyCrash({ last, starts, ...machineAfter(boots, last) }) };
}

/** A life that ended more than a week ago, with a server that runs since and knows conversations of its own. */
function isLongAgo(archive: Archive, crashed: RecordedLife, lives: () => Iterable<RecordedLife>): boolean {
  const running = runningOf(lives());
  return (running?.conversations.length ?? 0) > 0 && archive.system.now() - crashed.last > WEEK;
}

function fullest(archive: Archive, running: ServerLife | null): PastRecord | null {
  const heads = archive.heads.filter(({ life }) =>
    !running || life.pid !== running.pid || life.started !== running.started
  );
  const head = newestFull(heads);
  return head && firstWithConversations(archive, [head]);
}

function fromSaves(archive: Archive, limits: { before: number | null; boots: Boot[] }): PastRecord | null {
  const lives = [...savedLives(archive, limits)];
  const crash = firstCrash(lives);
  if (crash) return crash.life.record;
  return newestFull(lives.map(({ record }) => ({ record, count: record.panes.length })))?.record ?? null;
}

/** No other life left anything: what this server saved last shows at least what was closed since. */
function newestOfThisLife(archive: Archive, lives: () => Iterable<RecordedLife>): Found | null {
  const own = runningOf(lives())?.record ?? null;
  const record = betterRecord(own, fromSaves(archive, { before: null, boots: [] }));
  return record && { record, why: "is the newest one; no crash before it left a record" };
}

function runningOf(lives: Iterable<RecordedLife>): RecordedLife | null {
  for (const life of lives) if (life.isRunning) return life;
  return null;
}

// The candidates of one pane, best first. Pure. They are guesses, also the best of them: the order says what is likely,
// the evidence says why, and only a person decides.
import { formatAddress, type SessionId } from "../binding.ts";
import type { Alive } from "../ladder/pick.ts";
import { type Hint, hintsOf, TIER, type Witnesses } from "./hints.ts";
import type { PastPane } from "./past.ts";
import type { TranscriptFacts } from "./transcripts.ts";

/** A conversation that a pane may have held. Printed as it is. */
export interface Candidate {
  session_id: SessionId;
  title: string | null;
  /** Why, in words, the strongest first. */
  evidence: string[];
  /** Since it was last active; null when nothing tells. */
  age_seconds: number | null;
}

/** A pane of the past as the question. */
export interface Question {
  pane: PastPane;
  /** The pane that stands at its address now, null when there is none. */
  here: { pane_id: string; bound: SessionId | null } | null;
}

export interface CandidateFacts extends Witnesses {
  /** Which pane of the past a strong hint gives each conversation to. */
  claimed: Map<SessionId, PastPane>;
  /** Who holds a conversation now: alive, or bound to a pane. */
  holders: Map<SessionId, Alive | { where: "bound"; pane_id: string; address: string }>;
  /** Whether an id can be resumed; asked for ids that have no transcript in the tables. */
  owns: (id: SessionId) => boolean;
  /** When the life after the crash began, milliseconds; null when there is none. */
  crash: number | null;
  now: number;
}

/** A transcript with a last message so long after the crash was in use since. */
const SINCE_MS = 60_000;
/** Enough for any pane; a folder may have hundreds. */
export const MOST = 10;

interface Ranked extends Candidate {
  rank: number[];
  active: number;
}

/** The candidates of a pane, at most `MOST`. */
export function candidates(question: Question, facts: CandidateFacts): Candidate[] {
  const hints = [...bound(question), ...hintsOf(question.pane, facts)];
  const ranked = [...Map.groupBy(hints, ({ id }) => id)]
    .flatMap(([id, hints]) => rank(id, hints, question, facts) ?? []);
  ranked.sort(compare);
  return ranked.slice(0, MOST).map(({ rank: _rank, active: _active, ...candidate }) => candidate);
}

function bound({ here }: Question): Hint[] {
  if (!here?.bound) return [];
  return [{ id: here.bound, tier: TIER.bound, why: "bound to this pane now", active: null, name: null }];
}

function rank(id: SessionId, all: Hint[], question: Question, facts: CandidateFacts): Ranked | null {
  const hints = all.toSorted((a, b) => a.tier - b.tier);
  const transcript = facts.transcripts.get(id);
  const owns = transcript !== null || facts.owns(id);
  const tier = hints[0].tier;
  // An id that only its folder speaks for is worth nothing without a transcript.
  if (!owns && tier >= TIER.named) return null;
  const doubts = doubtsOf(id, { tier, transcript, owns }, question, facts);
  // A name alone is worth nothing when the conversation has a place of its own.
  if (tier === TIER.title && doubts.length > 0) return null;
  const active = transcript?.active ?? Math.max(0, ...hints.map((hint) => hint.active ?? 0));
  return {
    session_id: id,
    title: transcript?.title ?? hints.find((hint) => hint.name !== null)?.name ?? null,
    evidence: [...new Set([...hints.map((hint) => hint.why), ...doubts.map(({ why }) => why)])],
    age_seconds: active === 0 ? null : Math.max(0, Math.floor((facts.now - active) / 1_000)),
    rank: [weightOf(doubts, 2), tier, weightOf(doubts, 1)],
    active,
  };
}

/** The heaviest doubt of at least that weight, else 0. */
function weightOf(doubts: Doubt[], least: number): number {
  return Math.max(0, ...doubts.map(({ weight }) => weight >= least ? weight : 0));
}

interface Doubt {
  /** From 2 on, the candidate comes after all without such a doubt; 1 counts among those of one tier. */
  weight: number;
  why: string;
}

interface Known {
  tier: number;
  transcript: TranscriptFacts | null;
  owns: boolean;
}

/** What speaks against it. */
function doubtsOf(id: SessionId, known: Known, question: Question, facts: CandidateFacts): Doubt[] {
  const doubts: (Doubt | null)[] = [
    known.owns ? null : { weight: 3, why: "no transcript: it cannot be resumed" },
    heldNow(facts.holders.get(id), question),
    known.tier > TIER.earlier ? claimedBy(facts.claimed.get(id), question.pane) : null,
    known.tier > TIER.earlier ? usedSince(known.transcript, facts.crash) : null,
  ];
  return doubts.filter((doubt) => doubt !== null);
}

function heldNow(holder: ReturnType<CandidateFacts["holders"]["get"]>, { here }: Question): Doubt | null {
  if (!holder) return null;
  if (holder.where === "background") return { weight: 2, why: "it runs in the background now" };
  if (holder.where === "process") return { weight: 2, why: `it is alive now (process ${holder.pid})` };
  if (holder.pane_id === here?.pane_id) {
    return holder.where === "pane" ? { weight: 0, why: "it is running in this pane now" } : null;
  }
  const word = holder.where === "pane" ? "alive in" : "bound to";
  return { weight: 2, why: `now ${word} pane ${holder.address} (${holder.pane_id})` };
}

function claimedBy(claimant: PastPane | undefined, pane: PastPane): Doubt | null {
  if (!claimant || claimant === pane) return null;
  return { weight: 1, why: `more likely it was in pane ${formatAddress(claimant)}` };
}

function usedSince(transcript: TranscriptFacts | null, crash: number | null): Doubt | null {
  if (!transcript || crash === null) return null;
  if (transcript.began !== null && transcript.began > crash) {
    return { weight: 1, why: "began after the crash" };
  }
  return transcript.active > crash + SINCE_MS ? { weight: 1, why: "used again since the crash" } : null;
}

/** Strong doubts, tier, weak doubts, then the one active last; the id makes the order the same every time. */
function compare(a: Ranked, b: Ranked): number {
  const differs = a.rank.map((value, index) => value - b.rank[index]).find((order) => order !== 0);
  return differs ?? (b.active - a.active || (a.session_id < b.session_id ? -1 : 1));
}

// What a hook event of the pane's own Claude does to the pane's binding. Pure: a table of cases in the tests.
import {
  type Binding,
  type ClaudeProcess,
  HISTORY,
  newBinding,
  sameProcess,
  type SessionId,
} from "../binding.ts";
import type { HookEvent } from "../claude/hook_event.ts";
import { renamed, renamedSince } from "./name_history.ts";

/** What is known when the event arrives. */
export interface EventFacts {
  event: HookEvent;
  /** The stamp that is on the pane. */
  stamp: Binding | null;
  claude: ClaudeProcess;
  configDir: string | null;
  arguments: string[];
  /** Path of the event's transcript when it was seen to exist, else null. */
  transcript: string | null;
  /** ISO time. */
  at: string;
  /** Whether an id owns a transcript that can be resumed. Asked only when ids differ. */
  owns: (id: SessionId) => boolean;
  /** The titles that were given to an id, oldest first, from its transcript. Asked only when it may have a new one. */
  titles: (id: SessionId) => string[];
}

/** The new binding with the journal's words for it, or the reason why nothing changes. */
export type Decision =
  | {
    act: "bind";
    binding: Binding;
    event: "start" | "rename" | "end";
    source: string | null;
    previous: SessionId | null;
    /** The conversation that the same process left for this one, as it was at its end. */
    left: Binding | null;
  }
  | { act: "ignore"; because: string };

/** Sources by which a running Claude itself moves on to a new id, before that id has a transcript. */
const ROTATING = ["clear", "fork"];

/** Decides what one event does. A SessionEnd never takes a binding away. */
export function decide(given: EventFacts): Decision {
  const facts = { ...given, stamp: grown(given) };
  return facts.event.name === "SessionEnd" ? decideEnd(facts) : decideStart(facts);
}

/** The stamp, or its candidate when that owns a transcript by now: no event tells of a first prompt. */
function grown({ event, stamp, owns }: EventFacts): Binding | null {
  const candidate = stamp?.candidate;
  return candidate && candidate.session_id !== event.sessionId && owns(candidate.session_id)
    ? candidate
    : stamp;
}

function decideStart(given: EventFacts): Decision {
  const facts = leaves(given) ? { ...given, stamp: titled(given.stamp!, given) } : given;
  const { event, stamp } = facts;
  const source = event.name === "UserPromptSubmit" ? "prompt" : event.source;
  const binding = boundAtStart(facts);
  const held = partOf(binding, event.sessionId).session_id;
  const previous = stamp && stamp.session_id !== held ? stamp.session_id : null;
  const known = source === "prompt" && stamp !== null && isKnown(stamp, binding);
  if (known && stamp.name === binding.name) return { act: "ignore", because: "a prompt, and nothing is new" };
  const left = stamp && stamp.session_id !== binding.session_id && leaves(facts)
    ? closed(stamp, source, facts.at)
    : null;
  return { act: "bind", binding, event: known ? "rename" : "start", source, previous, left };
}

/** The part of a binding that has this id: a candidate stands within the conversation it may replace. */
export function partOf(binding: Binding, id: SessionId): Binding {
  return binding.candidate?.session_id === id ? binding.candidate : binding;
}

/** Whether the pane's process goes on with another id: by /clear, or by the resume picker. */
function leaves({ event, stamp, claude }: EventFacts): boolean {
  return stamp !== null && stamp.session_id !== event.sessionId && sameProcess(stamp.claude, claude);
}

/** With the names that a /rename gave it since it was last seen. */
function titled(binding: Binding, { titles, at }: EventFacts): Binding {
  return renamedSince(binding, titles(binding.session_id), at);
}

function isKnown(stamp: Binding, binding: Binding): boolean {
  return stamp.session_id === binding.session_id && stamp.state === "running" && stamp.candidate === null &&
    sameProcess(stamp.claude, binding.claude);
}

function boundAtStart(facts: EventFacts): Binding {
  const { event, stamp } = facts;
  if (!stamp) return described(fresh(facts), facts);
  if (stamp.session_id === event.sessionId) return described({ ...stamp, candidate: null }, facts);
  if (goesOn(facts)) return described(stamp, facts);
  if (stamp.candidate?.session_id === event.sessionId && !displaces(facts)) {
    return { ...stamp, candidate: described(stamp.candidate, facts) };
  }
  if (displaces(facts)) return described(moved(facts, stamp), facts);
  return { ...stamp, candidate: described(fresh(facts), facts) };
}

/** Compaction goes on under the id the process had; the event may name a parent. */
function goesOn({ event, stamp, claude }: EventFacts): boolean {
  return event.source === "compact" && sameProcess(stamp?.claude, claude);
}

/** An id that owns a transcript gives way only to one that owns one too, or when its own process moved on. */
function displaces({ event, stamp, claude, owns }: EventFacts): boolean {
  if (event.name === "UserPromptSubmit") return true;
  if (sameProcess(stamp?.claude, claude) && ROTATING.includes(event.source ?? "")) return true;
  return owns(event.sessionId) || !ownsAny(stamp, owns);
}

function ownsAny(stamp: Binding | null, owns: (id: SessionId) => boolean): boolean {
  return stamp !== null && [stamp.session_id, ...stamp.chain].some(owns);
}

function fresh({ event, at }: EventFacts): Binding {
  return newBinding(event.sessionId, event.cwd, at);
}

/** The binding of the event's id. The chain goes on while one process moves, or when nothing before it counts. */
function moved(facts: EventFacts, stamp: Binding): Binding {
  const { event, claude } = facts;
  const lineage = sameProcess(stamp.claude, claude) || stamp.chain.includes(event.sessionId);
  const chain = lineage ? [stamp.session_id, ...stamp.chain].filter((id) => id !== event.sessionId) : [];
  return { ...fresh(facts), chain: chain.slice(0, HISTORY), names: lineage ? stamp.names : [] };
}

/** Adds what every start tells: who holds it, where, with which arguments. */
function described(binding: Binding, facts: EventFacts): Binding {
  const { event, claude, at } = facts;
  const own = binding.session_id === event.sessionId;
  return {
    ...(own ? retitled(binding, facts) : binding),
    cwd: event.cwd,
    config_dir: facts.configDir,
    transcript: own ? facts.transcript ?? binding.transcript : binding.transcript,
    arguments: facts.arguments,
    state: "running",
    reason: null,
    restored_from: null,
    claude,
    at,
  };
}

/** The event tells the latest title only. */
function retitled(binding: Binding, facts: EventFacts): Binding {
  const { sessionTitle } = facts.event;
  if (sessionTitle === null || sessionTitle === binding.name) return binding;
  return renamed(titled(binding, facts), sessionTitle, facts.at);
}

function decideEnd(facts: EventFacts): Decision {
  const { event, stamp, claude } = facts;
  const ignore = (because: string): Decision => ({ act: "ignore", because });
  if (!stamp) return ignore("no binding here");
  if (event.reason === "clear" || event.reason === "resume") return ignore("the process goes on");
  // A failed resume ends an id in a process that never held one.
  if (sameProcess(stamp.candidate?.claude, claude)) {
    return ended({ ...stamp, candidate: closed(stamp.candidate!, event.reason, facts.at) }, facts);
  }
  if (!sameProcess(stamp.claude, claude)) return ignore("not the process that holds the conversation");
  return endOfHolder(facts, stamp, ignore);
}

/** The end names another id than the stamp when an event of this process was missed: its transcript proves it. */
function endOfHolder(facts: EventFacts, stamp: Binding, ignore: (because: string) => Decision): Decision {
  const { event, owns } = facts;
  if (event.sessionId === stamp.session_id) {
    return ended(closed(titled(stamp, facts), event.reason, facts.at), facts);
  }
  if (!owns(event.sessionId)) return ignore("an id that never existed");
  return { ...ended(closed(moved(facts, stamp), event.reason, facts.at), facts), previous: stamp.session_id };
}

/** The binding after its Claude ended: by the user's own exit, or in any other way. */
export function closed(binding: Binding, reason: string | null, at: string): Binding {
  return { ...binding, state: reason === "prompt_input_exit" ? "exited" : "ended", reason, at };
}

function ended(binding: Binding, { event, transcript }: EventFacts): Decision & { act: "bind" } {
  const own = binding.session_id === event.sessionId;
  const seen = { ...binding, transcript: (own ? transcript : null) ?? binding.transcript };
  return { act: "bind", binding: seen, event: "end", source: event.reason, previous: null, left: null };
}

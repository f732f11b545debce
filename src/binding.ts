// What the whole program talks about: addresses, ids, bindings. Types and their validators only.
// Everything that is written to disk or printed as JSON has snake_case fields.

declare const uuid: unique symbol;
/** A Claude session id in its only accepted form (a UUID, lower case). Made by `sessionId` alone. */
export type SessionId = string & { readonly [uuid]: true };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id when the value has the form of a UUID, else null. Whatever comes from disk or stdin passes here. */
export function sessionId(value: unknown): SessionId | null {
  return typeof value === "string" && UUID.test(value) ? value.toLowerCase() as SessionId : null;
}

/** Where a pane is: three fields, because session names may hold ":" and "." from tmux 3.7 on. */
export interface PaneAddress {
  tmux_session: string;
  window_index: number;
  pane_index: number;
}

/** `work:1.0`, for people only. */
export function formatAddress(address: PaneAddress): string {
  return `${address.tmux_session}:${address.window_index}.${address.pane_index}`;
}

/** The address alone, of anything that has one. */
export function addressOf({ tmux_session, window_index, pane_index }: PaneAddress): PaneAddress {
  return { tmux_session, window_index, pane_index };
}

/** Whether two addresses are of one place. */
export function sameAddress(a: PaneAddress, b: PaneAddress): boolean {
  return a.tmux_session === b.tmux_session && a.window_index === b.window_index &&
    a.pane_index === b.pane_index;
}

/** One life of one tmux server. Pane ids mean something only within it. */
export interface ServerLife {
  socket: string;
  pid: number;
  /** Seconds since the epoch (#{start_time}). */
  started: number;
}

/** Whether two records are of one life of one server. */
export function sameLife(a: ServerLife, b: ServerLife): boolean {
  return a.socket === b.socket && a.pid === b.pid && a.started === b.started;
}

/** A label with the rule that gave it, e.g. `{id: "T1", source: "session"}`. */
export interface Label {
  id: string;
  source: string;
}

/** The process that holds a conversation, as it was when it was seen. */
export interface ClaudeProcess {
  pid: number;
  /** Start time in the kernel's unit: tells a reused pid. */
  started: string;
  version: string | null;
  /** Who it works for: only `interactive` is ever revived, restored or renamed. */
  kind: "interactive" | "teammate" | "headless" | "background";
  /** Program between the shell and Claude that did not exec, e.g. "nice", or null. */
  wrapper: string | null;
}

/** Whether two readings are of one process; never when one of them is missing. Its start time tells a reused pid. */
export function sameProcess(
  a: { pid: number; started: string } | null | undefined,
  b: { pid: number; started: string } | null | undefined,
): boolean {
  return a != null && b != null && a.pid === b.pid && a.started === b.started;
}

/**
 * `running`: a Claude held it when last seen. `exited`: the user ended it. `ended`: it ended in another way.
 * `restored`: stamped back after a restore and not revived yet.
 */
export type BindingState = "running" | "exited" | "ended" | "restored";

export interface NameAt {
  name: string;
  at: string;
}

/** The fact that a pane holds a conversation, with what is needed to bring it back. */
export interface Binding {
  session_id: SessionId;
  /** Earlier ids of this conversation in this pane (through /clear), newest first. */
  chain: SessionId[];
  /**
   * A conversation that started here later but owned no transcript then (the resume picker announces throw-away
   * ids). It takes this one's place as soon as it owns one. A candidate has none itself.
   */
  candidate: Binding | null;
  /** Folder Claude worked in. */
  cwd: string;
  /** CLAUDE_CONFIG_DIR when it was set, else null. */
  config_dir: string | null;
  /** Where its transcript was last seen; null when it was never seen, so nobody prompted it yet. */
  transcript: string | null;
  state: BindingState;
  /** Why it ended, in Claude's own word, else null. */
  reason: string | null;
  claude: ClaudeProcess | null;
  /** Launch arguments that still apply on a resume (an allow-list). */
  arguments: string[];
  name: string | null;
  /** Names it had, oldest first, the current one last. */
  names: NameAt[];
  team: Label;
  episode: Label | null;
  /** After a restore: what put the binding back; `journal` means it was recorded after the save. */
  restored_from: "manifest" | "journal" | null;
  /** ISO time of the last change. */
  at: string;
}

/** The team of a binding to which no rule gave one. */
export const UNASSIGNED: Label = { id: "unassigned", source: "none" };

/** Longest chain and name history that is kept. */
export const HISTORY = 20;

/** A binding with every field at its neutral value, to be spread over. */
export function newBinding(id: SessionId, cwd: string, at: string): Binding {
  return {
    session_id: id,
    chain: [],
    candidate: null,
    cwd,
    config_dir: null,
    transcript: null,
    state: "running",
    reason: null,
    claude: null,
    arguments: [],
    name: null,
    names: [],
    team: UNASSIGNED,
    episode: null,
    restored_from: null,
    at,
  };
}

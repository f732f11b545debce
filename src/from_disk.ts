// Bindings, addresses and server lives read from disk or from tmux options: whatever another program may have
// written is checked here before the rest of the program believes it.
import {
  type Binding,
  type ClaudeProcess,
  HISTORY,
  type Label,
  type NameAt,
  type PaneAddress,
} from "./binding.ts";
import { type ServerLife, sessionId, UNASSIGNED } from "./binding.ts";

/** The value when it is a string, else null. */
export const toText = (value: unknown): string | null => typeof value === "string" ? value : null;

/** The texts in a list; what is none is left out. */
export function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The value as an object with string keys, null for anything else (arrays too). */
export function toRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : null;
}

/** The object in a text of JSON, null for anything else. */
export function parseRecord(text: string | null): Record<string, unknown> | null {
  try {
    return text === null ? null : toRecord(JSON.parse(text));
  } catch {
    return null;
  }
}

function oneOf<T extends string | null>(value: unknown, allowed: readonly T[], otherwise: T): T {
  return allowed.includes(value as T) ? value as T : otherwise;
}

function toLabel(value: unknown): Label | null {
  const found = toRecord(value);
  const id = toText(found?.id);
  return id === null ? null : { id, source: toText(found?.source) ?? "unknown" };
}

function toClaude(value: unknown): ClaudeProcess | null {
  const found = toRecord(value);
  if (!found || !Number.isInteger(found.pid)) return null;
  return {
    pid: found.pid as number,
    started: toText(found.started) ?? "",
    version: toText(found.version),
    kind: oneOf(found.kind, ["interactive", "teammate", "headless", "background"], "interactive"),
    wrapper: toText(found.wrapper),
  };
}

function toNames(value: unknown): NameAt[] {
  const list = Array.isArray(value) ? value.map(toRecord) : [];
  return list.flatMap((item) => {
    const name = toText(item?.name);
    return name === null ? [] : [{ name, at: toText(item?.at) ?? "" }];
  }).slice(-HISTORY);
}

/** The binding in a value from disk or from a pane option, null without a valid id and folder. Unknown keys go. */
export function toBinding(value: unknown): Binding | null {
  const found = toRecord(value);
  const id = sessionId(found?.session_id);
  const cwd = toText(found?.cwd);
  if (!found || !id || cwd === null) return null;
  return {
    session_id: id,
    chain: toTexts(found.chain).map(sessionId).filter((item) => item !== null).slice(0, HISTORY),
    candidate: found.candidate ? withoutCandidate(toBinding(found.candidate)) : null,
    cwd,
    config_dir: toText(found.config_dir),
    transcript: toText(found.transcript),
    state: oneOf(found.state, ["running", "exited", "ended", "restored"], "running"),
    reason: toText(found.reason),
    claude: toClaude(found.claude),
    arguments: toTexts(found.arguments),
    name: toText(found.name),
    names: toNames(found.names),
    team: toLabel(found.team) ?? UNASSIGNED,
    episode: toLabel(found.episode),
    restored_from: oneOf(found.restored_from, ["manifest", "journal", null], null),
    at: toText(found.at) ?? "",
  };
}

function withoutCandidate(binding: Binding | null): Binding | null {
  return binding && { ...binding, candidate: null };
}

/** The address in a value from disk, null when a field is missing. */
export function toAddress(value: unknown): PaneAddress | null {
  const found = toRecord(value);
  const tmux_session = toText(found?.tmux_session);
  if (!found || tmux_session === null) return null;
  if (!Number.isInteger(found.window_index) || !Number.isInteger(found.pane_index)) return null;
  return {
    tmux_session,
    window_index: found.window_index as number,
    pane_index: found.pane_index as number,
  };
}

/** The server life in a value from disk, null when a field is missing. */
export function toServerLife(value: unknown): ServerLife | null {
  const found = toRecord(value);
  const socket = toText(found?.socket);
  if (!found || socket === null || !Number.isInteger(found.pid) || !Number.isInteger(found.started)) {
    return null;
  }
  return { socket, pid: found.pid as number, started: found.started as number };
}

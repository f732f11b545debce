// What Claude writes to a hook's stdin. Strict and small: this runs at every event. The prompt is never kept.
import { type SessionId, sessionId } from "../binding.ts";

export interface HookEvent {
  name: "SessionStart" | "UserPromptSubmit" | "SessionEnd";
  sessionId: SessionId;
  /** As Claude says; wrong at some resumes, so transcripts are looked up by id. */
  transcriptPath: string | null;
  cwd: string;
  /** SessionStart: startup, resume, clear, compact, fork, or one not known yet. */
  source: string | null;
  /** SessionEnd: prompt_input_exit, clear, resume, other, … */
  reason: string | null;
  /** The title the user or a hook gave. */
  sessionTitle: string | null;
  agentType: string | null;
}

export type HookEventRead = { event: HookEvent } | { reason: string };

/** Longest input that is looked at, in bytes. */
export const HOOK_LIMIT = 1024 * 1024;
/** Longest text that is taken over, in UTF-16 units: paths have 4,096 bytes, titles 200 characters. */
const TEXT_LIMIT = 4096;
const NAMES = ["SessionStart", "UserPromptSubmit", "SessionEnd"] as const;
// deno-lint-ignore no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** The event in a hook's input, or why it is none that we know. Never throws. */
export function parseHookEvent(bytes: Uint8Array): HookEventRead {
  if (bytes.length > HOOK_LIMIT) return { reason: `the event is longer than ${HOOK_LIMIT} bytes` };
  const value = parseObject(bytes);
  return typeof value === "string" ? { reason: value } : toEvent(value);
}

function parseObject(bytes: Uint8Array): Record<string, unknown> | string {
  if (bytes.length === 0) return "the event is empty";
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? value as Record<string, unknown> : "the event is no JSON object";
  } catch {
    return "the event is not JSON";
  }
}

function toEvent(value: Record<string, unknown>): HookEventRead {
  const own = (key: string) => Object.hasOwn(value, key) ? value[key] : undefined;
  const name = NAMES.find((known) => known === own("hook_event_name"));
  if (!name) return { reason: "the event's name is not one of ours" };
  const id = sessionId(own("session_id"));
  if (!id) return { reason: "the session id is no UUID" };
  const cwd = path(own("cwd"));
  if (cwd === null) return { reason: "the folder is no absolute path" };
  return {
    event: {
      name,
      sessionId: id,
      transcriptPath: path(own("transcript_path")),
      cwd,
      source: word(own("source")),
      reason: word(own("reason")),
      sessionTitle: title(own("session_title")),
      agentType: word(own("agent_type")),
    },
  };
}

/** An absolute path. It may hold a newline, as a folder's name may; never a NUL. */
function path(value: unknown): string | null {
  const text = limited(value);
  return text?.startsWith("/") && !text.includes("\0") ? text : null;
}

/** One of Claude's own words. */
function word(value: unknown): string | null {
  const text = limited(value);
  return text === null || text === "" || text.length > 200 || CONTROL.test(text) ? null : text;
}

function title(value: unknown): string | null {
  return limited(value)?.trim() || null;
}

function limited(value: unknown): string | null {
  return typeof value === "string" && value.length <= TEXT_LIMIT && value.isWellFormed() ? value : null;
}

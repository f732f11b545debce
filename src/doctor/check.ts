// What a check of doctor is. The list is data: text, JSON and the report are drawn from the same findings.
import type { Facts } from "./facts.ts";

const GROUPS = [
  "program",
  "tmux",
  "claude",
  "hook",
  "saving",
  "keys",
  "state",
  "recent",
  "deep",
] as const;
export type Group = (typeof GROUPS)[number];

/** `skip`: could not be looked at, because of something else. */
export type Level = "ok" | "info" | "warn" | "fail" | "skip";

/** Repairs that are safe and can be taken back: what `--fix` may do. */
export type Repair = "install" | "permissions";

export interface Finding {
  level: Level;
  /** One line; what is private in it stands between the marks of `hidden`. */
  message: string;
  /** One line with the next step, null when nothing has to be done. */
  fix: string | null;
  repair: Repair | null;
  /** For --json. */
  data: Record<string, unknown> | null;
}

/** A check by its stable id (`group.name`). `run` may throw: then that is the finding. */
export interface Check {
  id: string;
  group: Group;
  run(facts: Facts): Finding | Promise<Finding>;
}

export interface Checked extends Finding {
  id: string;
  group: Group;
}

export interface Extra {
  fix?: string;
  repair?: Repair;
  data?: Record<string, unknown>;
}

/** For what a second install mends. */
export const INSTALL = { fix: "tmuxclaude install", repair: "install" } as const;

function finding(level: Level, message: string, { fix, repair, data }: Extra): Finding {
  return { level, message, fix: fix ?? null, repair: repair ?? null, data: data ?? null };
}

export const ok = (message: string, data?: Record<string, unknown>) => finding("ok", message, { data });
export const info = (message: string, extra: Extra = {}) => finding("info", message, extra);
export const warn = (message: string, extra: Extra & { fix: string }) => finding("warn", message, extra);
export const fail = (message: string, extra: Extra & { fix: string }) => finding("fail", message, extra);
export const skip = (message: string) => finding("skip", message, {});

// Private-use characters: no message holds them otherwise.
const [OPEN, CLOSE] = ["\ue000", "\ue001"];

/** Marks a name or a folder, which --report must not show. */
export function hidden(text: string): string {
  return `${OPEN}${text.replaceAll(/[\ue000\ue001]/g, "")}${CLOSE}`;
}

const MARKED = /\ue000([^\ue001]*)\ue001/g;

/** The message with every hidden part replaced. */
export function reveal(message: string, show: (part: string) => string): string {
  return message.replaceAll(MARKED, (_all, part: string) => show(part));
}

/** The hidden parts of a message, in their order. */
export function hiddenParts(message: string): string[] {
  return [...message.matchAll(MARKED)].map(([, part]) => part);
}

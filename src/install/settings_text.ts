// Reading Claude's settings.json: strict JSON, as Claude itself wants it. Pure.
import { reasonOf } from "../errors.ts";
import { toRecord, toText } from "../from_disk.ts";
import { HOOK_EVENTS, type HookEventName, isOurs } from "./hook_command.ts";

/** One handler of ours: the group it stands in, and its place there. */
export interface OurHandler {
  group: number;
  handler: number;
  command: string;
  timeout: unknown;
  /** The group reacts to every source of its event. */
  matchesAll: boolean;
}

export type SettingsRead = { settings: Record<string, unknown> } | { reason: string };

const BOM = "\uFEFF";

/** The text without a byte-order mark, and the mark. */
export function splitBom(text: string): { bom: string; body: string } {
  return text.startsWith(BOM) ? { bom: BOM, body: text.slice(1) } : { bom: "", body: text };
}

/** The settings in a text without a byte-order mark (blank counts as empty), or why they cannot be edited. */
export function readSettings(body: string): SettingsRead {
  const parsed = parse(body.trim() === "" ? "{}" : body);
  if ("reason" in parsed) return parsed;
  const settings = toRecord(parsed.value);
  if (!settings) return { reason: "it holds no JSON object" };
  if (settings.hooks === undefined) return { settings };
  const hooks = toRecord(settings.hooks);
  if (!hooks) return { reason: `"hooks" in it is no object` };
  const odd = HOOK_EVENTS.find((event) => hooks[event] !== undefined && !Array.isArray(hooks[event]));
  return odd ? { reason: `"hooks.${odd}" in it is no list` } : { settings };
}

function parse(body: string): { value: unknown } | { reason: string } {
  try {
    return { value: JSON.parse(body) };
  } catch (error) {
    return { reason: `it is not valid JSON: ${reasonOf(error)}. Claude ignores such a file as a whole` };
  }
}

/** The groups registered for an event, [] when there are none. */
export function groupsOf(settings: Record<string, unknown>, event: HookEventName): unknown[] {
  const groups = toRecord(settings.hooks)?.[event];
  return Array.isArray(groups) ? groups : [];
}

function handlersOf(group: unknown): unknown[] {
  const handlers = toRecord(group)?.hooks;
  return Array.isArray(handlers) ? handlers : [];
}

/** Our handlers of an event, in their order. */
export function ourHandlers(settings: Record<string, unknown>, event: HookEventName): OurHandler[] {
  return groupsOf(settings, event).flatMap((group, groupIndex) =>
    handlersOf(group).flatMap((value, index) => {
      const found = toRecord(value);
      if (!found || !isOurs(found.command)) return [];
      const command = toText(found.command)!;
      const matchesAll = [undefined, "", "*"].includes(toRecord(group)?.matcher as string | undefined);
      return [{ group: groupIndex, handler: index, command, timeout: found.timeout, matchesAll }];
    })
  );
}

/** The commands of other tools for an event. */
export function foreignCommands(settings: Record<string, unknown>, event: HookEventName): string[] {
  return groupsOf(settings, event).flatMap(handlersOf)
    .map((handler) => toText(toRecord(handler)?.command))
    .filter((command) => command !== null && !isOurs(command)) as string[];
}

/** Whether any handler of ours is registered. */
export function hasOurs(settings: Record<string, unknown>): boolean {
  return HOOK_EVENTS.some((event) => ourHandlers(settings, event).length > 0);
}

/**
 * The settings as text, without our handlers and without what is empty once they are gone. Two texts that agree in
 * this differ in nothing that is not ours.
 */
export function withoutOurs(settings: Record<string, unknown>): string {
  const entries = Object.entries(settings).flatMap(([key, value]) => {
    if (key !== "hooks") return [[key, value]];
    const hooks = Object.entries(toRecord(value) ?? {}).flatMap(eventWithoutOurs);
    return hooks.length > 0 ? [[key, hooks]] : [];
  });
  return JSON.stringify(entries);
}

function eventWithoutOurs([event, groups]: [string, unknown]): [string, unknown][] {
  if (!HOOK_EVENTS.includes(event as HookEventName)) return [[event, groups]];
  const rest = (groups as unknown[]).flatMap(groupWithoutOurs);
  return rest.length > 0 ? [[event, rest]] : [];
}

function groupWithoutOurs(group: unknown): unknown[] {
  const handlers = handlersOf(group);
  const rest = handlers.filter((handler) => !isOurs(toRecord(handler)?.command));
  if (rest.length === handlers.length) return [group];
  return rest.length === 0 ? [] : [{ ...toRecord(group), hooks: rest }];
}

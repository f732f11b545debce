// Putting our hooks into the text of settings.json and taking them out again: a text goes in, a text or a refusal
// comes out, nothing else happens. What is not ours keeps its bytes; the result is checked before it is given back.
import { reasonOf } from "../errors.ts";
import type { Edit, Made } from "./edit.ts";
import { HOOK_EVENTS, HOOK_TIMEOUT, hookCommand, type HookEventName } from "./hook_command.ts";
import { JsonText } from "./json_text.ts";
import {
  groupsOf,
  hasOurs,
  type OurHandler,
  ourHandlers,
  readSettings,
  splitBom,
  withoutOurs,
} from "./settings_text.ts";
import { undo } from "./steps.ts";

/** Every event has exactly one current entry afterwards. Entries of others are never touched. */
export function addHooks(text: string, program: string): Promise<Edit> {
  return edit(text, (json, settings) => {
    const made: string[] = [];
    for (const event of HOOK_EVENTS) bringUpToDate(json, settings, event, program, made);
    return made;
  });
}

/**
 * Takes our entries out: the way install wrote them in if that can be found, else by structure (then blanks may
 * differ from before). Containers go only if install made them, or if nobody knows and they are empty now.
 */
export async function removeHooks(text: string, made: Made | null): Promise<Edit> {
  const { bom, body } = splitBom(text);
  const read = readSettings(body);
  if ("reason" in read) return { kind: "refused", reason: read.reason };
  if (!hasOurs(read.settings)) return { kind: "unchanged" };
  const back = made && undo(body, made.steps);
  if (back !== null && isSound(body, back) && !holdsOurs(back)) {
    return { kind: "changed", text: bom + back, steps: [], made: [] };
  }
  return await edit(text, (json, settings) => {
    for (const event of HOOK_EVENTS) takeOut(json, settings, event, made?.made ?? null);
    if (isEmptied(json, made, "hooks")) json.remove(["hooks"]);
    return [];
  });
}

/** An entry of ours that was there before install (written by hand) goes too. */
function holdsOurs(body: string): boolean {
  const read = readSettings(body);
  return "settings" in read && hasOurs(read.settings);
}

type Change = (json: JsonText, settings: Record<string, unknown>) => string[];

async function edit(text: string, change: Change): Promise<Edit> {
  const { bom, body } = splitBom(text);
  const read = readSettings(body);
  if ("reason" in read) return { kind: "refused", reason: read.reason };
  try {
    const json = await JsonText.parse(body);
    const twice = json.duplicateKey([[], ["hooks"]]);
    if (twice !== null) return { kind: "refused", reason: `the key "${twice}" is in it twice` };
    const made = change(json, read.settings);
    return finish(bom, body, json, made);
  } catch (error) {
    return { kind: "refused", reason: `it cannot be edited safely (${reasonOf(error)})` };
  }
}

function finish(bom: string, body: string, json: JsonText, made: string[]): Edit {
  if (json.steps.length === 0) return { kind: "unchanged" };
  if (!isSound(body, json.text) || undo(json.text, json.steps) !== body) {
    return { kind: "refused", reason: "an edit of it would change more than our own entries" };
  }
  return { kind: "changed", text: bom + json.text, steps: json.steps, made };
}

/** The new text is JSON (or blank, as before) and differs from the old one in nothing but our entries. */
function isSound(old: string, text: string): boolean {
  const [before, after] = [readSettings(old), readSettings(text)];
  return "settings" in before && "settings" in after &&
    withoutOurs(before.settings) === withoutOurs(after.settings);
}

function bringUpToDate(
  json: JsonText,
  settings: Record<string, unknown>,
  event: HookEventName,
  program: string,
  made: string[],
): void {
  const command = hookCommand(event, program);
  const found = ourHandlers(settings, event);
  const kept = found.find((item) => item.command === command && item.matchesAll) ??
    found.find((item) => item.matchesAll);
  if (kept) update(json, event, kept, command);
  else append(json, event, command, made);
  for (const item of found.toReversed()) if (item !== kept) removeHandler(json, settings, event, item);
}

function update(json: JsonText, event: HookEventName, item: OurHandler, command: string): void {
  const path = ["hooks", event, item.group, "hooks", item.handler];
  if (item.command !== command) json.set([...path, "command"], command);
  if (!isSensible(item.timeout)) json.set([...path, "timeout"], HOOK_TIMEOUT);
}

/** Seconds a person may well have chosen: neither missing, nor meant as milliseconds, nor too short for a busy start. */
export function isSensible(timeout: unknown): boolean {
  return typeof timeout === "number" && timeout >= 5 && timeout <= 60;
}

function append(json: JsonText, event: HookEventName, command: string, made: string[]): void {
  for (const container of [["hooks"], ["hooks", event]]) {
    if (!json.has(container)) made.push(container.join("."));
  }
  json.append(["hooks", event], { hooks: [{ type: "command", command, timeout: HOOK_TIMEOUT }] });
}

/** Only ours: the group goes when nothing else stands in it. */
function removeHandler(
  json: JsonText,
  settings: Record<string, unknown>,
  event: HookEventName,
  item: OurHandler,
): void {
  const group = ["hooks", event, item.group];
  const handlers = (groupsOf(settings, event)[item.group] as { hooks: unknown[] }).hooks;
  const left = ourHandlers(settings, event).filter((other) => other.group === item.group);
  // The handlers of a group are removed from the last to the first: the first one takes the group with it.
  const takesGroup = left.length === handlers.length && left[0].handler === item.handler;
  json.remove(takesGroup ? group : [...group, "hooks", item.handler]);
}

function takeOut(
  json: JsonText,
  settings: Record<string, unknown>,
  event: HookEventName,
  made: string[] | null,
): void {
  const found = ourHandlers(settings, event);
  for (const item of found.toReversed()) removeHandler(json, settings, event, item);
  const ours = made === null || made.includes(`hooks.${event}`);
  if (found.length > 0 && ours && json.isEmpty(["hooks", event])) json.remove(["hooks", event]);
}

function isEmptied(json: JsonText, made: Made | null, container: string): boolean {
  return (made === null || made.made.includes(container)) && json.isEmpty([container]);
}

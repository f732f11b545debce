// Which key revives: r, unless that would take something of the user's away. Pure.
import type { KeyBinding } from "../tmux/key_bindings.ts";
import { isReload } from "../tmux/key_bindings.ts";
import type { KeyReceipt } from "./receipt.ts";

export interface KeyPlan extends KeyReceipt {
  /** What the user should know about it, one line each. */
  notes: string[];
}

export interface KeyFacts {
  /** The prefix table as it is now. */
  bindings: KeyBinding[];
  /** --key, or null. */
  wanted: string | null;
  /** What an earlier install decided, or null. */
  known: KeyReceipt | null;
}

const USUAL = "r";
/** tmux's own binding of r: redraws, which nobody misses. */
const DEFAULT_OF_R = "refresh-client";
/** Keys that neither tmux nor the plugins around it use, in the order in which they are offered. */
const OTHERS = ["R", "g", "v", "u", "e", "b", "a", "k", "y", "G", "V", "E", "B", "A"];

/** Whether a binding is one that install made. */
export function isOurBinding(command: string): boolean {
  return /tmuxclaude'? revive --pane /.test(command);
}

/** Whether a job (a binding, a hook, one of resurrect's options) calls our program. */
export function isOurJob(job: string): boolean {
  return /tmuxclaude'+ (?:revive|manifest|restore|name)\b/.test(job);
}

/** The program that a job of ours calls; null when it is not ours, or its path has characters that tmux escapes. */
export function programOfJob(job: string): string | null {
  const word = /'([^'\\"$]*tmuxclaude)' (?:revive|manifest|restore|name)\b/.exec(job)?.[1];
  return word?.replaceAll("##", "#") ?? null;
}

/** Decides for the revive key, the key of the candidates' menu, and where a reload binding goes. */
export function planKeys(facts: KeyFacts): KeyPlan {
  const { known, wanted } = facts;
  if (known && (wanted === null || wanted === known.key)) return { ...known, notes: describe(known) };
  const chosen = wanted === null ? chooseKey(facts) : { ...take(facts, wanted), why: null };
  const keys = { ...chosen, menu_key: menuKey(facts, chosen.key) };
  const { why, ...plan } = keys;
  return { ...plan, notes: [...(why ? [why] : []), ...describe(plan)] };
}

type Choice = Omit<KeyReceipt, "menu_key"> & { why: string | null };

function chooseKey(facts: KeyFacts): Choice {
  const usual = commandOf(facts, USUAL);
  if (usual === null || usual === DEFAULT_OF_R || mayMove(facts, USUAL)) {
    return { ...take(facts, USUAL), why: null };
  }
  const other = OTHERS.find((key) => commandOf(facts, key) === null);
  const why = `prefix + ${USUAL} is yours (${shorten(usual)}) and stays so`;
  if (other === undefined) return { ...take(facts, USUAL), why: `${why} not: no other key is free` };
  return { ...take(facts, other), why: `${why}; another key can be had with --key KEY` };
}

/** What a key does now, null for nothing and for what an earlier install bound. */
function commandOf({ bindings }: KeyFacts, key: string): string | null {
  const command = bindings.find((binding) => binding.key === key)?.command ?? null;
  return command !== null && isOurBinding(command) ? null : command;
}

/** A reload binding may move to the capital letter, if that is free or does the same already. */
function mayMove(facts: KeyFacts, key: string): boolean {
  const command = commandOf(facts, key);
  const capital = key.toUpperCase();
  if (command === null || !isReload(command) || capital === key || key.length !== 1) return false;
  const there = commandOf(facts, capital);
  return there === null || there === command;
}

function take(facts: KeyFacts, key: string): Omit<KeyReceipt, "menu_key"> {
  const command = commandOf(facts, key);
  const repeat = command !== null && facts.bindings.some((binding) => binding.key === key && binding.repeat);
  if (mayMove(facts, key)) return { key, moved_to: key.toUpperCase(), moved: command, before: null, repeat };
  const reload = lostMove(facts, key);
  return { key, moved_to: reload && key.toUpperCase(), moved: reload, before: command, repeat };
}

/** Our binding is there but nothing was written down: a reload on the capital letter is the one we had moved. */
function lostMove({ bindings }: KeyFacts, key: string): string | null {
  const ours = bindings.some((binding) => binding.key === key && isOurBinding(binding.command));
  const capital = bindings.find((binding) => binding.key === key.toUpperCase() && key !== binding.key);
  return ours && capital && isReload(capital.command) ? capital.command : null;
}

function menuKey(facts: KeyFacts, key: string): string | null {
  const menu = `M-${key}`;
  return key.length === 1 && commandOf(facts, menu) === null ? menu : null;
}

function describe(keys: KeyReceipt): string[] {
  const menu = keys.menu_key ? `, prefix + ${keys.menu_key} shows the candidates` : "";
  const lines = [`prefix + ${keys.key} brings a pane's conversation back${menu}`];
  if (keys.moved_to) {
    lines.push(`reloading your configuration moved from prefix + ${keys.key} to prefix + ${keys.moved_to}`);
  }
  if (keys.before !== null && keys.before !== DEFAULT_OF_R) {
    lines.push(`prefix + ${keys.key} was: ${shorten(keys.before)}`);
  }
  return lines;
}

function shorten(command: string): string {
  const line = command.replaceAll(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

// Typing `/rename <name>` into an input box that is provably empty, and seeing whether it took effect.
import { boxText } from "../claude/input_box.ts";
import { knowsSessionTitle } from "../claude/versions.ts";
import { decideOutcome, type PushOutcome } from "../names/decide.ts";
import type { Titles } from "../names/title.ts";
import type { Tmux } from "../tmux/client.ts";
import { type BoxScreen, enterAt, pasteAt, readBoxScreen, readTitle } from "../tmux/titles.ts";
import { boxOn, type Target, titlesOf } from "./target.ts";

/** `sent`: an old version has it queued and cannot confirm it now. `busy`: the box was not empty any more. */
export type TypedOutcome =
  | Exclude<PushOutcome, { outcome: "waiting" }>
  | { outcome: "sent" | "swallowed" | "busy" | "stray" };

/** Claude takes an Enter within about 100 ms of a paste for a part of it. */
const BEFORE_ENTER_MS = 150;
const PASTE_LIMIT_MS = 2_000;
/** Titles were seen to change within 0.2 s; the rest is for machines with something else to do. */
const VERIFY_LIMIT_MS = 3_000;
const POLL_MS = 75;

/** Types the name and verifies it, once more when it was swallowed. Throws TmuxError. */
export async function typeName(tmux: Tmux, target: Target, name: string): Promise<TypedOutcome> {
  const first = await typeOnce(tmux, target, name);
  if (first.outcome !== "swallowed") return first;
  const screen = await readBoxScreen(tmux, target.pane_id);
  const stands = screen !== null && holds(target, screen, name);
  const second = await (stands ? enter(tmux, target, name, screen) : typeOnce(tmux, target, name));
  return second.outcome === "swallowed" && stands ? await whatIsLeft(tmux, target, name) : second;
}

async function typeOnce(tmux: Tmux, target: Target, name: string): Promise<TypedOutcome> {
  const screen = await readBoxScreen(tmux, target.pane_id);
  if (!screen || boxOn(tmux, target, screen) !== "empty") return { outcome: "busy" };
  await pasteAt(tmux, target.pane_id, `/rename ${name}`, screen);
  const typed = await whenItStands(tmux, target, name);
  return typed ? await enter(tmux, target, name, typed) : await whatIsLeft(tmux, target, name);
}

async function enter(tmux: Tmux, target: Target, name: string, screen: BoxScreen): Promise<TypedOutcome> {
  const before = titlesOf(tmux, target, screen.title);
  await enterAt(tmux, target.pane_id, screen);
  return await verify(tmux, target, name, before);
}

/** Waits until the box holds exactly our line, and has held it for a moment. */
async function whenItStands(tmux: Tmux, target: Target, name: string): Promise<BoxScreen | null> {
  const end = tmux.system.now() + PASTE_LIMIT_MS;
  while (tmux.system.now() < end) {
    await tmux.system.sleep(BEFORE_ENTER_MS);
    const screen = await readBoxScreen(tmux, target.pane_id);
    if (screen && holds(target, screen, name)) return screen;
  }
  return null;
}

/** Waits until our line is out of the box: Claude writes a title down before it draws what it has done. */
export async function untilTaken(tmux: Tmux, target: Target, name: string): Promise<void> {
  const end = tmux.system.now() + VERIFY_LIMIT_MS;
  while (tmux.system.now() < end) {
    const screen = await readBoxScreen(tmux, target.pane_id);
    if (!screen || !holds(target, screen, name)) return;
    await tmux.system.sleep(POLL_MS);
  }
}

function holds({ version }: Target, { rows, cursorY }: BoxScreen, name: string): boolean {
  return boxText({ rows, cursorY, version }) === `/rename${name}`;
}

/** Our line next to something the user typed at the same moment stays there, unsent: it is the user's line now. */
async function whatIsLeft(tmux: Tmux, target: Target, name: string): Promise<TypedOutcome> {
  const screen = await readBoxScreen(tmux, target.pane_id);
  const text = screen && boxText({ ...screen, version: target.version });
  return { outcome: text?.includes(`/rename${name}`) ? "stray" : "swallowed" };
}

async function verify(tmux: Tmux, target: Target, name: string, before: Titles): Promise<TypedOutcome> {
  const end = tmux.system.now() + VERIFY_LIMIT_MS;
  for (;;) {
    const final = tmux.system.now() >= end;
    const after = titlesOf(tmux, target, await readTitle(tmux, target.pane_id) ?? "");
    const result = decideOutcome(name, { before, after }, { final });
    if (result.outcome !== "waiting") return result;
    if (final) return { outcome: knowsSessionTitle(target.version) ? "swallowed" : "sent" };
    await tmux.system.sleep(POLL_MS);
  }
}

// Titles that the hook's answer carries: names that wait, and windows that were named before Claude was launched.
// On the hook's path: nothing is read unless there is a title to give.
import type { Binding } from "../binding.ts";
import { configDir } from "../claude/config.ts";
import type { HookEvent } from "../claude/hook_event.ts";
import { heldNames, projectNames } from "../claude/known_titles.ts";
import { hookTakesTitle } from "../claude/versions.ts";
import { renamed } from "../identity/name_history.ts";
import { freeName } from "../names/free.ts";
import { titleAtStart } from "../names/start.ts";
import { takenNames } from "../names/taken.ts";
import { pendingTitle, putPending } from "../state/pending.ts";
import type { System } from "../system/system.ts";
import type { Command } from "../tmux/client.ts";
import type { OwnPane } from "../tmux/own_pane.ts";
import { renameCommands } from "../tmux/rename.ts";
import { journalLines, ownLives, runningNames } from "./recorded.ts";

/** A title to answer with, the binding that knows it, and what gives the window the same name. */
export interface TitleAnswer {
  title: string;
  binding: Binding;
  commands: Command[];
}

/** Conversations of the project that are asked for their titles while Claude waits. */
const RECENT = 50;

/**
 * The answer to an event of the pane's own interactive Claude, or null to stay silent. `binding` is the one that is
 * about to be stamped. Costs one stat for a prompt when no name waits, and nothing more in a window without a name.
 */
export function titleAnswer(
  system: System,
  event: HookEvent,
  pane: OwnPane,
  binding: Binding,
): TitleAnswer | null {
  if (event.name === "SessionEnd" || !hookTakesTitle((name) => system.env(name))) return null;
  const held = binding.candidate ?? binding;
  const waiting = pendingTitle(system, {
    session_id: event.sessionId,
    session_title: event.sessionTitle,
  }, held);
  const title = waiting !== null
    ? freeName(waiting, heldBy(system, held))
    : (event.name === "SessionStart" ? startTitle(system, event, pane, held) : null);
  if (title === null) return null;
  const at = new Date(system.now()).toISOString();
  return { title, binding: withName(binding, title, at), commands: windowCommands(pane, title) };
}

function startTitle(system: System, event: HookEvent, pane: OwnPane, held: Binding): string | null {
  const speaksForWindow = held.claude?.kind === "interactive" && !pane.behind_another;
  const wanted = titleAtStart({
    source: event.source ?? "startup",
    takesTitleFromHook: true,
    speaksForWindow,
    window: { name: pane.window_name, deliberate: pane.named_on_purpose },
    sessionTitle: event.sessionTitle,
    names: held.names,
  });
  if (wanted !== null) return freeName(wanted, takenAtStart(system, event, pane, held));
  if (speaksForWindow && pane.named_on_purpose) keepWhatIsHeld(system, event, pane, held);
  return null;
}

/**
 * 2.1.332 adds two words to a resumed title that another running Claude holds, after it has heard us (also when the
 * holder is this conversation's own last process, still dying after a crash). The next prompt puts it right.
 */
function keepWhatIsHeld(system: System, event: HookEvent, pane: OwnPane, held: Binding): void {
  const name = event.sessionTitle;
  if (event.source !== "resume" || name === null || name !== pane.window_name) return;
  if (!heldBy(system, held).includes(name)) return;
  const at = new Date(system.now()).toISOString();
  putPending(system, { session_id: event.sessionId, name, window_id: pane.window_id, title: name, at });
}

function heldBy(system: System, held: Binding): string[] {
  return held.claude ? heldNames(system, configDirOf(system, held), held.claude.pid) : [];
}

/** Windows are not asked: that would cost a third call to tmux, and a window with a Claude shows in its title. */
function takenAtStart(system: System, event: HookEvent, pane: OwnPane, held: Binding): string[] {
  const place = { pane_id: pane.pane_id, server: pane.server, addresses: [pane], cwd: event.cwd };
  const lines = journalLines(system);
  const { stored, live } = projectNames(system, configDirOf(system, held), event.cwd, RECENT);
  return takenNames({
    stored,
    live: runningNames(system, lines, event.cwd, live),
    windows: [],
    own: ownLives(lines, { id: event.sessionId, binding: held }, place),
  });
}

function configDirOf(system: System, { config_dir }: Binding): string {
  return configDir(config_dir, system.env("HOME") ?? "");
}

/** The candidate's name is its own: it is the conversation that was answered. */
function withName(binding: Binding, title: string, at: string): Binding {
  if (binding.candidate === null) return renamed(binding, title, at);
  return { ...binding, candidate: renamed(binding.candidate, title, at) };
}

function windowCommands(pane: OwnPane, title: string): Command[] {
  return !pane.named_on_purpose || pane.window_name === title ? [] : renameCommands(pane.window_id, title);
}

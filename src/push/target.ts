// Everything that is known about the conversation in a window before its name is pushed.
import type { SessionId } from "../binding.ts";
import { configDir } from "../claude/config.ts";
import { type BoxState, inputBox } from "../claude/input_box.ts";
import {
  projectNames,
  registryName,
  type Running,
  storedTitle,
  titlesAreOff,
} from "../claude/known_titles.ts";
import { readRegistry } from "../claude/registry.ts";
import { knowsSessionTitle } from "../claude/versions.ts";
import type { PushTarget } from "../names/decide.ts";
import { takenNames, windowNamesIn } from "../names/taken.ts";
import { cleanTitle, currentTitles, type Titles } from "../names/title.ts";
import { homeOf, type Survey, type SurveyedPane } from "../survey/survey.ts";
import type { Tmux } from "../tmux/client.ts";
import { type BoxScreen, readBoxScreen } from "../tmux/titles.ts";
import { windowRoots } from "../tmux/window_names.ts";
import { journalLines, ownLives, runningNames } from "./recorded.ts";

/** The conversation that a window's name goes to. */
export interface Target extends Running {
  pane_id: string;
  version: string | null;
  titlesOff: boolean;
  foreground: boolean;
  /** The name in our own record, null when there is none. */
  known: string | null;
}

/** The window's lowest-index pane with a live Claude of the user's own: never a teammate's, never `claude -p`. */
export function targetPane(survey: Survey, windowId: string): SurveyedPane | null {
  const members = survey.panes.filter(({ pane }) => pane.window_id === windowId);
  members.sort((a, b) => a.pane.pane_index - b.pane.pane_index);
  return members.find(({ live }) => live?.kind === "interactive") ?? null;
}

/** The conversation in a pane that has a live Claude. */
export function targetOf(tmux: Tmux, { pane, live, registry, binding }: SurveyedPane): Target {
  const { process, version } = live!;
  const known = binding?.claude?.pid === process.pid && binding.claude.started === process.started;
  const id: SessionId | null = registry?.sessionId ??
    (known ? (binding.candidate ?? binding).session_id : null);
  const variable = tmux.system.processes.variable(process.pid, "CLAUDE_CONFIG_DIR");
  return {
    pane_id: pane.pane_id,
    configDir: configDir(variable, homeOf(tmux.system), pane.cwd),
    pid: process.pid,
    id,
    version: registry?.version ?? version ?? binding?.claude?.version ?? null,
    titlesOff: titlesAreOff(tmux.system, process.pid),
    known: (binding?.candidate ?? binding)?.name ?? null,
    foreground: process.state !== "T" && process.group === process.foreground,
  };
}

/** Its input box on a screen that was just read. */
export function boxOn(tmux: Tmux, target: Target, screen: BoxScreen): BoxState {
  const entry = readRegistry(tmux.system, target.configDir, target.pid);
  return inputBox({
    rows: screen.rows,
    cursorX: screen.cursorX,
    cursorY: screen.cursorY,
    inMode: screen.inMode,
    paneDead: screen.dead,
    inputOff: screen.inputOff,
    foreground: target.foreground,
    registryStatus: entry?.status ?? null,
    version: target.version,
  });
}

/** What pane, registry and transcript say it is called. */
export function titlesOf(tmux: Tmux, target: Target, paneTitle: string): Titles {
  const shown = target.titlesOff ? "" : cleanTitle(paneTitle);
  return {
    shown: shown === "" ? null : shown,
    registry: registryName(tmux.system, target),
    stored: storedTitle(tmux.system, target)?.title ?? null,
  };
}

/** The target as `decidePush` wants it. Null when the pane went away. */
export async function describeTarget(tmux: Tmux, target: Target): Promise<PushTarget | null> {
  const screen = await readBoxScreen(tmux, target.pane_id);
  return screen && {
    takesTitleFromHook: knowsSessionTitle(target.version),
    conversationKnown: target.id !== null,
    titles: currentTitles(titlesOf(tmux, target, screen.title), target.known),
    box: boxOn(tmux, target, screen),
  };
}

/** Names that the conversation may not take in its project. */
export function takenFor(tmux: Tmux, survey: Survey, found: SurveyedPane, target: Target): string[] {
  const { pane, binding, registry } = found;
  const folder = registry?.cwd ?? binding?.cwd ?? pane.cwd;
  const place = { pane_id: pane.pane_id, server: survey.server, addresses: pane.addresses, cwd: folder };
  const lines = journalLines(tmux.system);
  const { stored, live } = projectNames(tmux.system, target.configDir, folder);
  return takenNames({
    stored,
    live: runningNames(tmux.system, lines, folder, live),
    windows: windowNamesIn(folder, pane.window_id, windowRoots(survey.panes.map((one) => one.pane))),
    own: ownLives(lines, { id: target.id, binding }, place),
  });
}

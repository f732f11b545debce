// A person says which conversation a pane holds: from then on it is as certain as if it had been recorded there.
import { type Binding, formatAddress, newBinding, type SessionId, sessionId } from "../binding.ts";
import { configDir } from "../claude/config.ts";
import { readEnds } from "../claude/transcript_ends.ts";
import { findTranscript } from "../claude/transcripts.ts";
import { ExitCode, UserError } from "../errors.ts";
import { bindingOf } from "../policy/later.ts";
import type { JournalLine } from "../state/journal.ts";
import type { Manifest } from "../state/manifest.ts";
import type { System } from "../system/system.ts";
import { runTmux, type Tmux } from "../tmux/client.ts";
import { stampCommands } from "../tmux/options.ts";
import { readOwnPane } from "../tmux/own_pane.ts";
import { labelled } from "./labelled.ts";
import { note } from "./noted.ts";
import { homeOf, placeOf, type Survey, type SurveyedPane } from "./survey.ts";

export interface BindRequest {
  paneId: string;
  id: SessionId;
}

export interface Bound {
  one: SurveyedPane;
  binding: Binding;
  /** What the pane was bound to before, null when that is the same or nothing. */
  previous: SessionId | null;
}

/** What is known of conversations before the bind. */
export interface Known {
  /** Oldest first. */
  journal: JournalLine[];
  manifest: Manifest | null;
  configDirs: string[];
}

/** `%5=UUID` as a request. Throws UserError with code 2 for anything else. */
export function parseBind(text: string): BindRequest {
  const [paneId, value] = [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)];
  const id = sessionId(value.trim());
  if (/^%\d+$/.test(paneId) && id) return { paneId, id };
  const why = id
    ? "a pane is named by its id, such as %5"
    : "a conversation is named by its whole id, a UUID";
  const next = "Give it like --bind %5=0a1b2c3d-0000-4000-8000-000000000000 (tmuxclaude recover lists both)";
  throw new UserError(`Cannot read --bind "${text}"`, why, next, ExitCode.usage);
}

/** The binding to write, or a UserError that says why it may not be. Nothing is changed yet. */
export function planBind(
  system: System,
  seen: Survey,
  request: BindRequest,
  known: Known,
  options: { force: boolean },
): Bound {
  const one = seen.panes.find(({ pane }) => pane.pane_id === request.paneId);
  if (!one) {
    throw refuse(request, "there is no such pane", "See them with: tmux list-panes -a", ExitCode.nothing);
  }
  if (one.live) throw refuse(request, "a Claude is running in it", `End it there first, then run this again`);
  const found = whereIs(system, request.id, known);
  if (!options.force) objectTo(seen, one, request, found !== null);
  const { stamp } = one.pane;
  const previous = stamp && stamp.session_id !== request.id ? stamp.session_id : null;
  return { one, binding: toBinding(system, one, request.id, known, found), previous };
}

function refuse(
  request: BindRequest,
  why: string,
  next: string,
  code: ExitCode = ExitCode.failed,
): UserError {
  return new UserError(`Cannot bind ${request.paneId} to ${request.id}`, why, next, code);
}

function objectTo(seen: Survey, one: SurveyedPane, request: BindRequest, isThere: boolean): void {
  const alive = seen.alive.get(request.id);
  const anyway = "Add --force to bind it all the same";
  if (alive && !(alive.where === "pane" && alive.pane_id === one.pane.pane_id)) {
    const where = alive.where === "pane"
      ? `pane ${alive.address} (${alive.pane_id})`
      : `process ${alive.pid}`;
    throw refuse(request, `this conversation is alive in ${where}`, anyway);
  }
  if (!isThere) {
    throw refuse(request, "there is no transcript of this conversation", anyway, ExitCode.nothing);
  }
}

interface Place {
  path: string;
  configDir: string;
}

function whereIs(system: System, id: SessionId, { configDirs }: Known): Place | null {
  for (const folder of configDirs) {
    const { state, path } = findTranscript(system, folder, id);
    if (state === "present" && path !== null) return { path, configDir: folder };
  }
  return null;
}

function toBinding(
  system: System,
  { pane }: SurveyedPane,
  id: SessionId,
  known: Known,
  found: Place | null,
): Binding {
  const at = new Date(system.now()).toISOString();
  const before = recorded(known, id);
  const ends = found && endsOf(system, found.path);
  const folder = before?.cwd ?? ends?.cwd ?? (pane.cwd || homeOf(system));
  const isDefault = found?.configDir === configDir(null, homeOf(system));
  return {
    ...(before ?? { ...newBinding(id, folder, at), name: ends?.title ?? null }),
    candidate: null,
    config_dir: found ? (isDefault ? null : found.configDir) : before?.config_dir ?? null,
    transcript: found?.path ?? before?.transcript ?? null,
    state: "restored",
    reason: null,
    claude: null,
    restored_from: null,
    at,
  };
}

/** What was recorded of the conversation last. */
function recorded({ journal, manifest }: Known, id: SessionId): Binding | null {
  const line = journal.findLast((one) => one.session_id === id);
  return line
    ? bindingOf(line)
    : manifest?.panes.find(({ binding }) => binding?.session_id === id)?.binding ?? null;
}

/** Older versions resume only from the folder whose project holds the transcript: the one it began in. */
function endsOf(system: System, path: string): { cwd: string | null; title: string | null } | null {
  try {
    const { first, last, title } = readEnds(system, path, system.files.stat(path)?.size ?? 0);
    return { cwd: first.cwd ?? last.cwd, title };
  } catch {
    return null;
  }
}

/** Writes it down and onto the pane. Throws TmuxError. */
export async function bindPane(tmux: Tmux, seen: Survey, { one, binding, previous }: Bound): Promise<void> {
  const own = await readOwnPane(tmux, one.pane.pane_id);
  const named = own ? labelled(tmux.system, binding, own) : binding;
  const place = placeOf(seen.server, one.pane);
  await note(tmux.system, [{
    ...named,
    event: "bind",
    source: "person",
    previous_id: previous,
    tmux: place,
  }]);
  await runTmux(tmux, stampCommands(one.pane.pane_id, named));
}

/** One line that says what was done and what comes next. */
export function boundText({ one, binding }: Bound): string {
  const name = binding.name ?? binding.session_id.slice(0, 8);
  return `pane ${formatAddress(one.pane)} (${one.pane.pane_id}) is bound to "${name}": ` +
    `tmuxclaude revive --pane ${one.pane.pane_id}, or the key, brings it back`;
}

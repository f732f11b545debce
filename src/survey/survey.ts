// One look at everything: which panes there are, who lives in them, which conversation each holds and why.
import type { Binding, ClaudeProcess, SessionId } from "../binding.ts";
import { addressOf, formatAddress, sameProcess } from "../binding.ts";
import { configDir } from "../claude/config.ts";
import { launchArguments } from "../claude/launch.ts";
import { type ClaudeFound, liveClaude } from "../claude/process.ts";
import {
  givenName,
  listRegistry,
  lookUp,
  type RegistryEntry,
  type RegistryReads,
} from "../claude/registry.ts";
import { transcriptFinder } from "../claude/finder.ts";
import type { Transcript } from "../claude/transcripts.ts";
import { choose, type RegistryWitness } from "../identity/choose.ts";
import { partOf } from "../identity/decide.ts";
import type { Alive } from "../ladder/pick.ts";
import type { JournalPane } from "../state/journal.ts";
import type { Process, System } from "../system/system.ts";
import type { Tmux } from "../tmux/client.ts";
import { listPanes, type Pane, type Server } from "../tmux/panes.ts";

export interface SurveyedPane {
  pane: Pane;
  live: ClaudeFound | null;
  registry: RegistryEntry | null;
  binding: Binding | null;
  /** Why this binding, in words. */
  evidence: string[];
}

export interface Survey {
  server: Server;
  panes: SurveyedPane[];
  processes: Process[];
  /** Looks a transcript up in its binding's config dir; each id once. */
  transcript: (id: SessionId, binding: Binding | null) => Transcript;
  /** Where conversations live now. */
  alive: Map<SessionId, Alive>;
}

/** One tmux call, one look at the processes, and a few small files of Claude's. Throws TmuxError. */
export async function survey(tmux: Tmux): Promise<Survey> {
  // The processes are read while tmux answers.
  const listed = listPanes(tmux);
  const [processes, { server, panes }] = await Promise.all([readProcesses(tmux.system), listed]);
  const transcript = transcripts(tmux.system);
  const registry: RegistryReads = new Map();
  const surveyed = panes.map((pane) => look(tmux.system, pane, { processes, transcript, registry }));
  return { server, panes: surveyed, processes, transcript, alive: aliveIn(tmux.system, surveyed, registry) };
}

/** How long panes may take to be in their folders, in milliseconds, and how often they are looked at. */
const FOLDER_PATIENCE_MS = 2_000;
const FOLDER_POLL_MS = 50;

/** The same once every pane is in its folder: a pane that was just made has none for a moment. */
export async function settledSurvey(tmux: Tmux): Promise<Survey> {
  const end = tmux.system.now() + FOLDER_PATIENCE_MS;
  for (;;) {
    const seen = await survey(tmux);
    const isComing = seen.panes.some(({ pane }) => pane.cwd === "" && !pane.dead);
    if (!isComing || tmux.system.now() > end) return seen;
    await tmux.system.sleep(FOLDER_POLL_MS);
  }
}

// deno-lint-ignore require-await -- what it throws has to come after the answer of tmux is awaited
async function readProcesses(system: System): Promise<Process[]> {
  return system.processes.all();
}

/** What one look at all panes reads once. */
interface Reads extends Pick<Survey, "processes" | "transcript"> {
  registry: RegistryReads;
}

function look(system: System, pane: Pane, reads: Reads): SurveyedPane {
  const { processes, transcript } = reads;
  const known = [pane.stamp?.claude, pane.stamp?.candidate?.claude].filter((one) => one != null);
  const live = pane.dead ? null : liveClaude(system, processes, pane, known);
  if (!live && !pane.stamp) return { pane, live, registry: null, binding: null, evidence: [] };
  const given = configGiven(system, live, pane);
  const { entry: registry, reason } = live
    ? lookUp(system, configDir(given, homeOf(system)), live.process.pid, reads.registry)
    : NO_ENTRY;
  const choice = choose({
    stamp: pane.stamp,
    live: live && claudeProcess(live, registry),
    registry: registry && witness(registry),
    configDir: given,
    arguments: live ? launchArguments(live.argv) : [],
    at: new Date(system.now()).toISOString(),
    owns: (id) => transcript(id, pane.stamp && partOf(pane.stamp, id)).state === "present",
  });
  const held = choice.binding;
  const doubts = [reason, held && unreadable(transcript(held.session_id, held))].filter((one) =>
    one !== null
  );
  return { pane, live, registry, binding: held, evidence: [...choice.evidence, ...doubts] };
}

/**
 * The config dir that the live Claude was told, a relative one counted from its folder; else the one that was written
 * down; null for Claude's own.
 */
function configGiven(system: System, live: ClaudeFound | null, { stamp, cwd }: Pane): string | null {
  if (!live) return stamp?.config_dir ?? null;
  const variable = system.processes.variable(live.process.pid, "CLAUDE_CONFIG_DIR")?.trim() || null;
  return variable && configDir(variable, homeOf(system), cwd);
}

const NO_ENTRY = { entry: null, reason: null };

function unreadable({ state, path, reason }: Transcript): string | null {
  return state === "unknown" ? `the transcript ${path} cannot be used: ${reason}` : null;
}

function claudeProcess(live: ClaudeFound, registry: RegistryEntry | null): ClaudeProcess {
  const { pid, started } = live.process;
  return {
    pid,
    started,
    version: live.version ?? registry?.version ?? null,
    kind: live.kind,
    wrapper: live.wrapper,
  };
}

function witness(entry: RegistryEntry): RegistryWitness {
  const { sessionId, cwd, updatedAt } = entry;
  return { session_id: sessionId, cwd, name: givenName(entry), updated: updatedAt };
}

/** Where a pane is, as the journal writes it. */
export function placeOf(server: Server, pane: Pane): JournalPane {
  const { socket, pid, started } = server;
  return { socket, pid, started, ...addressOf(pane), pane_id: pane.pane_id };
}

/** HOME, "" when it is not set. */
export function homeOf(system: System): string {
  return system.env("HOME") ?? "";
}

function transcripts(system: System): Survey["transcript"] {
  const find = transcriptFinder(system);
  const seen = new Map<string, Transcript>();
  return (id, binding) => {
    const folder = configDir(binding?.config_dir, homeOf(system));
    const key = `${folder}\0${id}`;
    const found = seen.get(key) ?? find(folder, id, binding);
    seen.set(key, found);
    return found;
  };
}

function aliveIn(
  system: System,
  panes: SurveyedPane[],
  registry: RegistryReads,
): Map<SessionId, Alive> {
  const alive = new Map<SessionId, Alive>();
  for (const folder of configDirs(system, panes)) {
    for (const entry of listRegistry(system, folder, registry)) {
      alive.set(entry.sessionId, aliveAt(entry));
    }
  }
  for (const { pane, live, binding } of panes) {
    const place: Alive = { where: "pane", pane_id: pane.pane_id, address: formatAddress(pane) };
    for (const one of live ? heldAlive(system, binding) : []) alive.set(one.session_id, place);
  }
  return alive;
}

function aliveAt({ kind, pid, jobId, sessionId }: RegistryEntry): Alive {
  if (kind !== "bg" && kind !== "background") return { where: "process", pid };
  return { where: "background", pid, job: jobId ?? sessionId.slice(0, 8) };
}

/** The newest conversation of a pane with a live Claude, and an earlier one whose own process lives too (C-z). */
function heldAlive(system: System, binding: Binding | null): Binding[] {
  if (!binding?.candidate) return binding ? [binding] : [];
  const { claude } = binding;
  const lives = claude !== null && sameProcess(system.processes.read(claude.pid), claude);
  return lives ? [binding, binding.candidate] : [binding.candidate];
}

function configDirs(system: System, panes: SurveyedPane[]): Set<string> {
  const used = panes.flatMap(({ binding }) => binding ? [binding.config_dir] : []);
  return new Set(
    [system.env("CLAUDE_CONFIG_DIR"), null, ...used].map((value) => configDir(value, homeOf(system))),
  );
}

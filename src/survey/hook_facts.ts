// The facts a hook event is judged by, read from the kernel and from Claude's files.
import { type Binding, type ClaudeProcess, sameProcess, type SessionId } from "../binding.ts";
import { configDir } from "../claude/config.ts";
import type { HookEvent } from "../claude/hook_event.ts";
import { launchArguments } from "../claude/launch.ts";
import { chainAbove } from "../claude/process.ts";
import { readRegistry } from "../claude/registry.ts";
import { givenTitles } from "../claude/titles.ts";
import { findTranscript } from "../claude/transcripts.ts";
import type { EventFacts } from "../identity/decide.ts";
import { type ChainLink, ownerOf } from "../identity/owner.ts";
import type { System } from "../system/system.ts";

/** The Claude above the hook that owns the pane. */
export interface OwnClaude {
  process: ClaudeProcess;
  argv: string[];
}

/** The processes above the hook. Read while tmux is still being asked; a few /proc files, nothing is started. */
export function chainOf(system: System): ChainLink[] {
  return chainAbove(system.processes, system.pid);
}

/** The pane's own Claude when the event is its, else null. */
export function claudeOf(
  system: System,
  event: HookEvent,
  chain: ChainLink[],
  panePid: number,
): OwnClaude | null {
  const owner = ownerOf({
    chain,
    panePid,
    entrypoint: system.env("CLAUDE_CODE_ENTRYPOINT") ?? null,
    claudePid: Number(system.env("CLAUDE_PID")) || null,
    agentType: event.agentType,
    attended: system.env("CLAUDE_CODE_SESSION_ATTENDED") ?? null,
  });
  if (!owner.own) return null;
  const { pid, started } = owner.claude;
  const process = { pid, started, version: versionOf(system, event, pid), kind: owner.kind, wrapper: null };
  return { process, argv: system.processes.argv(pid) };
}

/** By its registry entry, which is there from the start until just before the end (not in 2.0.76). */
function versionOf(system: System, event: HookEvent, pid: number): string | null {
  const folder = configDir(system.env("CLAUDE_CONFIG_DIR"), system.env("HOME") ?? "", event.cwd);
  return readRegistry(system, folder, pid)?.version ?? null;
}

/**
 * Whether an end without a pane is the end of that process: it is above the hook, or it is gone already and nobody has
 * written down its end (Claude does not wait long for its last hooks).
 */
export function isItsEnd(system: System, claude: ClaudeProcess, state: Binding["state"]): boolean {
  if (chainOf(system).some((link) => sameProcess(link, claude))) return true;
  return state === "running" && !sameProcess(system.processes.read(claude.pid), claude);
}

/** Everything `decide` wants to know. Transcripts are looked for only when it asks. */
export function eventFacts(
  system: System,
  event: HookEvent,
  stamp: Binding | null,
  claude: OwnClaude,
): EventFacts {
  const variable = system.env("CLAUDE_CONFIG_DIR")?.trim() || null;
  const folder = configDir(variable, system.env("HOME") ?? "", event.cwd);
  const seen = event.transcriptPath !== null && system.files.stat(event.transcriptPath)?.kind === "file";
  return {
    event,
    stamp,
    claude: claude.process,
    configDir: variable === null ? null : folder,
    arguments: launchArguments(claude.argv),
    transcript: seen ? event.transcriptPath : null,
    at: new Date(system.now()).toISOString(),
    owns: (id) =>
      folders(system, folder, stamp).some((one) => findTranscript(system, one, id).state === "present"),
    titles: (id) => titlesOf(system, event, id, stamp),
  };
}

/** The titles that were given to a conversation, oldest first. */
export function titlesOf(
  system: System,
  event: HookEvent,
  id: SessionId,
  binding: Binding | null,
): string[] {
  const own = configDir(system.env("CLAUDE_CONFIG_DIR"), system.env("HOME") ?? "", event.cwd);
  return folders(system, own, binding).flatMap((one) =>
    givenTitles(system, findTranscript(system, one, id).path)
  );
}

/** The event's config dir and the stamp's: a pane may see two accounts. */
function folders(system: System, own: string, stamp: Binding | null): string[] {
  const before = stamp ? configDir(stamp.config_dir, system.env("HOME") ?? "") : own;
  return [...new Set([own, before])];
}

// Under which titles a running conversation is known to Claude itself, and which its project has.
import type { SessionId } from "../binding.ts";
import type { LiveName, StoredTitle } from "../names/taken.ts";
import type { System } from "../system/system.ts";
import { givenName, listRegistry, readRegistry } from "./registry.ts";
import { listTranscripts, transcriptTitle } from "./titles.ts";
import { findTranscript } from "./transcripts.ts";
import { deduplicatesNames } from "./versions.ts";

/** A running conversation: where its files are, its process, its id when that is known. */
export interface Running {
  configDir: string;
  pid: number;
  id: SessionId | null;
}

/** How many conversations of a project are asked for their titles, the newest first, unless told otherwise. */
const RECENT = 200;

/** The name that a person, a hook or Claude's own de-duplication gave it, null when there is none or it is derived. */
export function registryName(system: System, { configDir, pid }: Running): string | null {
  const entry = readRegistry(system, configDir, pid);
  return entry && givenName(entry);
}

/** The title in its transcript, with whether it was given on purpose. Null without one. */
export function storedTitle(system: System, { configDir, id }: Running) {
  const path = id && findTranscript(system, configDir, id).path;
  return path ? transcriptTitle(system, path) : null;
}

/** True when its terminal title is switched off: what the pane shows is then somebody else's. */
export function titlesAreOff(system: System, pid: number): boolean {
  const value = system.processes.variable(pid, "CLAUDE_CODE_DISABLE_TERMINAL_TITLE")?.toLowerCase() ?? "";
  return ["1", "true", "yes", "on"].includes(value);
}

/** What the project of a folder has: titles in transcripts, and names of the Claudes that run there now. */
export function projectNames(
  system: System,
  configDir: string,
  folder: string,
  limit = RECENT,
): { stored: StoredTitle[]; live: LiveName[] } {
  const stored = listTranscripts(system, configDir, { cwd: folder, limit }).flatMap(({ id, title }) =>
    title ? [{ session_id: id, title: title.title }] : []
  );
  const live = listRegistry(system, configDir).filter((entry) => entry.cwd === folder).flatMap((entry) =>
    entry.name === null ? [] : [{ session_id: entry.sessionId, name: entry.name, source: entry.nameSource }]
  );
  return { stored, live };
}

/**
 * Names that this process cannot have, because another running Claude of the machine has them: it would get two words
 * added. None for versions that do not care.
 */
export function heldNames(system: System, configDir: string, pid: number): string[] {
  if (!deduplicatesNames(readRegistry(system, configDir, pid)?.version ?? null)) return [];
  return listRegistry(system, configDir)
    .filter((entry) => entry.pid !== pid && entry.nameSource !== "derived")
    .flatMap((entry) => entry.name ?? []);
}

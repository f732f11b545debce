// All conversations on disk at once, for the time when nothing else is left. Bounded: the newest are looked at, of each
// only its two ends, and one after the other, so that thousands of transcripts of any size fit into little memory.
import type { SessionId } from "../binding.ts";
import { namesIn } from "../system/lenient.ts";
import type { System } from "../system/system.ts";
import { mayBeProject, projectName } from "./project_name.ts";
import { readEnds } from "./transcript_ends.ts";
import { type TranscriptFile, transcriptFiles } from "./transcripts.ts";

type FilesOnly = Pick<System, "files">;

/** A conversation that can be resumed. */
export interface IndexedTranscript {
  id: SessionId;
  path: string;
  /** The config dir it is in. */
  config_dir: string;
  title: string | null;
  /** Folders its lines name, the one it began in first; never guessed from the name of its own folder. */
  folders: string[];
  /** First and last message as their lines say, milliseconds since the epoch, null where no line does. */
  began: number | null;
  active: number | null;
  /** The file's own time. */
  modified: number;
}

export interface TranscriptIndex {
  transcripts: IndexedTranscript[];
  /** Files there are, and files that were looked into: fewer when there were more than `limit`. */
  total: number;
  read: number;
}

interface Found extends TranscriptFile {
  config_dir: string;
}

/** Everything in the config dirs, the newest `limit` files by their own time. What cannot be read is left out. */
export function indexTranscripts(
  system: FilesOnly,
  configDirs: string[],
  options: { limit: number },
): TranscriptIndex {
  const all = findAll(system, configDirs);
  return toIndex(system, all, all.slice(0, options.limit));
}

/**
 * For a key press: only projects whose name can be one of these folders', or a worktree's of them, so that the cost
 * does not grow with the other projects. Which folder it was is read from the lines, here too. A conversation that
 * began in another folder is not found.
 */
export function indexNearby(
  system: FilesOnly,
  configDirs: string[],
  options: { folders: string[]; limit: number },
): TranscriptIndex {
  const isNear = (project: string) =>
    options.folders.some((folder) =>
      mayBeProject(project, folder) || project.startsWith(`${projectName(folder)}--claude-worktrees-`)
    );
  const all = findAll(system, configDirs, isNear);
  return toIndex(system, all, all.slice(0, options.limit));
}

function toIndex(system: FilesOnly, all: Found[], looked: Found[]): TranscriptIndex {
  const transcripts = looked.flatMap((file) => orNull(() => readOne(system, file)) ?? []);
  return { transcripts: newestOfEach(transcripts), total: all.length, read: looked.length };
}

/** The newest first. */
function findAll(
  system: FilesOnly,
  configDirs: string[],
  isWanted: (project: string) => boolean = () => true,
): Found[] {
  const all = configDirs.flatMap((configDir) =>
    namesIn(system, `${configDir}/projects`).filter(isWanted)
      .flatMap((project) => findIn(system, configDir, project))
  );
  return all.sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1));
}

function findIn(system: FilesOnly, configDir: string, project: string): Found[] {
  return transcriptFiles(system, `${configDir}/projects/${project}`).filter(({ size }) => size > 0)
    .map((file) => ({ ...file, config_dir: configDir }));
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Null for one without messages, and for one that nobody sat at (`claude -p`, an agent). */
function readOne(system: FilesOnly, file: Found): IndexedTranscript | null {
  const { first, last, title, hasMessages } = readEnds(system, file.path, file.size);
  if (!hasMessages || (isHeadless(first.entrypoint) && isHeadless(last.entrypoint ?? first.entrypoint))) {
    return null;
  }
  const { id, path, config_dir, modified } = file;
  const folders = [...new Set([first.cwd, last.cwd].filter((cwd) => cwd !== null))];
  return { id, path, config_dir, title, folders, began: first.time, active: last.time, modified };
}

function isHeadless(entrypoint: string | null): boolean {
  return entrypoint !== null && entrypoint.startsWith("sdk");
}

/** The same conversation may stand in two folders or config dirs: the one that went on counts. */
function newestOfEach(all: IndexedTranscript[]): IndexedTranscript[] {
  const byId = new Map<SessionId, IndexedTranscript>();
  for (const one of all) {
    const known = byId.get(one.id);
    if (!known || (one.active ?? one.modified) > (known.active ?? known.modified)) byId.set(one.id, one);
  }
  return [...byId.values()];
}

// Titles of conversations, from the ends of their transcripts: a transcript may have 500 MB.
import { parseRecord, toText } from "../from_disk.ts";
import { namesIn, realPathOf } from "../system/lenient.ts";
import type { System } from "../system/system.ts";
import { readPiece } from "./pieces.ts";
import { mayBeProject } from "./project_name.ts";
import { type TranscriptFile, transcriptFiles } from "./transcripts.ts";

type FilesOnly = Pick<System, "files">;

export interface Title {
  title: string;
  /** `custom`: given by the user, a hook or `-n`. The other two were made up by Claude. */
  source: "custom" | "ai" | "summary";
}

/** A conversation of a project, as the end of its file tells. */
export interface Conversation extends TranscriptFile {
  title: Title | null;
  /** The folder it was started in, null when its first lines do not say. */
  cwd: string | null;
}

/** Claude writes the title again with every turn, so it mostly stands in the last piece. */
const NEAR = 16 * 1024;
const FAR = 256 * 1024;
/** Snapshots and a long first prompt may come before the first folder. */
const HEAD = 64 * 1024;
const KINDS = { "custom-title": "custom", "ai-title": "ai", "summary": "summary" } as const;
const FIELDS = { "custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary" } as const;
type Kind = keyof typeof KINDS;

/** The title of a transcript: the last custom one, else the last made by Claude. Null: none, or not readable. */
export function transcriptTitle(system: FilesOnly, path: string): Title | null {
  try {
    const facts = system.files.stat(path);
    if (facts?.kind !== "file") return null;
    const near = titleIn(tail(system, path, facts.size, NEAR));
    if (near?.source === "custom" || facts.size <= NEAR) return near;
    return titleIn(tail(system, path, facts.size, FAR));
  } catch {
    return null;
  }
}

/**
 * The titles that were given to a conversation, oldest first, as far as the end of its transcript tells: Claude
 * writes the current one again and again, so repeats in a row are one. None when there is no transcript.
 */
export function givenTitles(system: FilesOnly, path: string | null): string[] {
  try {
    const facts = path === null ? null : system.files.stat(path);
    if (facts?.kind !== "file") return [];
    return givenIn(tail(system, path!, facts.size, FAR));
  } catch {
    return [];
  }
}

function givenIn(piece: string): string[] {
  const titles = piece.split("\n").flatMap((line) => {
    const title = lineTitle(line);
    return title?.kind === "custom-title" ? [title.text] : [];
  });
  return titles.filter((title, index) => title !== titles[index - 1]);
}

function tail(system: FilesOnly, path: string, size: number, length: number): string {
  return readPiece(system, path, Math.max(0, size - length), Math.min(size, length));
}

/** The title in a piece of a transcript, cut lines ignored. Pure. */
export function titleIn(piece: string): Title | null {
  const found: Partial<Record<Kind, string>> = {};
  for (const line of piece.split("\n")) {
    const title = lineTitle(line);
    if (title) found[title.kind] = title.text;
  }
  const kind = (["custom-title", "ai-title", "summary"] as const).find((one) => found[one] !== undefined);
  return kind ? { title: found[kind]!, source: KINDS[kind] } : null;
}

function lineTitle(line: string): { kind: Kind; text: string } | null {
  if (!/"(custom-title|ai-title|summary)"/.test(line)) return null;
  const value = parseRecord(line);
  const kind = Object.keys(KINDS).find((one) => one === value?.type) as Kind | undefined;
  const text = kind && toText(value?.[FIELDS[kind]])?.trim();
  return kind && text ? { kind, text } : null;
}

/**
 * Conversations, newest first, at most `limit` of them read (their ends only). With `cwd`: those of that folder's
 * project. Without: of all projects, which costs one stat for each conversation there is.
 */
export function listTranscripts(
  system: FilesOnly,
  configDir: string,
  options: { cwd?: string; limit: number },
): Conversation[] {
  const root = `${configDir}/projects`;
  const folders = options.cwd === undefined ? namesIn(system, root) : projectsOf(system, root, options.cwd);
  const files = folders.flatMap((folder) => transcriptFiles(system, `${root}/${folder}`));
  files.sort((a, b) => b.modified - a.modified || a.path.localeCompare(b.path));
  const read = files.slice(0, options.limit).map((file) => ({
    ...file,
    title: transcriptTitle(system, file.path),
    cwd: firstFolder(system, file.path),
  }));
  return read.filter((file) => options.cwd === undefined || belongs(system, file.cwd, options.cwd));
}

/** Project folders that may be the folder's. The name is lossy: `belongs` decides. */
function projectsOf(system: FilesOnly, root: string, cwd: string): string[] {
  const folders = spellings(system, cwd);
  return namesIn(system, root).filter((name) => folders.some((folder) => mayBeProject(name, folder)));
}

function spellings(system: FilesOnly, cwd: string): string[] {
  return [...new Set([cwd, realPathOf(system, cwd)])];
}

function belongs(system: FilesOnly, started: string | null, cwd: string): boolean {
  return started === null || spellings(system, cwd).includes(started);
}

/** The first `cwd` in a transcript. */
function firstFolder(system: FilesOnly, path: string): string | null {
  try {
    const quoted = /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(readPiece(system, path, 0, HEAD))?.[1];
    return quoted === undefined ? null : toText(JSON.parse(quoted));
  } catch {
    return null;
  }
}

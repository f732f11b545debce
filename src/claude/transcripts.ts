// Conversations on disk: `<config>/projects/<folder>/<id>.jsonl`. Read only, in bounded pieces, never waiting.
// Folders are never computed from a path (the encoding is lossy): a conversation is found by its id.
import { type SessionId, sessionId } from "../binding.ts";
import { reasonOf } from "../errors.ts";
import { namesIn } from "../system/lenient.ts";
import type { FileFacts, System } from "../system/system.ts";
import { hasMessage } from "./messages.ts";
import { readPiece } from "./pieces.ts";

export interface Transcript {
  /** `empty`: no messages, so there is nothing to resume. `unknown`: something is there that could not be read. */
  state: "present" | "empty" | "missing" | "unknown";
  /** Where it is or would be read, null when it is nowhere. */
  path: string | null;
  /** Why the state is unknown, else null. */
  reason: string | null;
}

type FilesOnly = Pick<System, "files">;

/** How much of a large transcript is looked at for a message, in bytes: from its start, from its end. */
const HEAD = 256 * 1024;
/** A message mostly begins within this. */
const START = 16 * 1024;
const TAIL = 64 * 1024;

/** The transcript of a conversation: one stat for each project folder, whatever the number of conversations. */
export function findTranscript(system: FilesOnly, configDir: string, id: SessionId): Transcript {
  try {
    return findIn(system, projectFolders(system, configDir), id);
  } catch (error) {
    return { state: "unknown", path: null, reason: reasonOf(error) };
  }
}

/** The folders of conversations in a config dir. Throws what listing throws. */
export function projectFolders(system: FilesOnly, configDir: string): string[] {
  return system.files.list(`${configDir}/projects`).map((project) => `${configDir}/projects/${project}`);
}

/** A file that is named as a transcript, unread. `modified` in milliseconds since the epoch, `size` in bytes. */
export interface TranscriptFile {
  id: SessionId;
  path: string;
  modified: number;
  size: number;
}

/** The transcripts in a folder of conversations; what cannot be looked at is left out. */
export function transcriptFiles(system: FilesOnly, folder: string): TranscriptFile[] {
  return namesIn(system, folder).flatMap((name) => {
    const id = name.endsWith(".jsonl") ? sessionId(name.slice(0, -6)) : null;
    const path = `${folder}/${name}`;
    const facts = id && factsOf(system, path);
    return id && facts?.kind === "file" ? [{ id, path, modified: facts.modified, size: facts.size }] : [];
  });
}

function factsOf(system: FilesOnly, path: string): FileFacts | null {
  try {
    return system.files.stat(path);
  } catch {
    return null;
  }
}

/** The transcript of a conversation in some of the folders. */
export function findIn(system: FilesOnly, folders: string[], id: SessionId): Transcript {
  return best(
    folders.map((folder) => look(system, `${folder}/${id}.jsonl`)).filter((found) => found !== null),
  );
}

/** The same id may stand in two folders: a worktree's, or a copied one. */
function best(found: Transcript[]): Transcript {
  const order = ["present", "unknown", "empty"];
  found.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  return found[0] ?? { state: "missing", path: null, reason: null };
}

function look(system: FilesOnly, path: string): Transcript | null {
  try {
    const facts = system.files.stat(path);
    return facts && judge(system, path, facts);
  } catch (error) {
    return { state: "unknown", path, reason: reasonOf(error) };
  }
}

function judge(system: FilesOnly, path: string, facts: FileFacts): Transcript {
  // Opening a FIFO would wait for its other end.
  if (facts.kind !== "file") return { state: "unknown", path, reason: `it is a ${kindName(facts.kind)}` };
  if (facts.size === 0) return { state: "empty", path, reason: null };
  return { state: hasMessages(system, path, facts.size) ? "present" : "empty", path, reason: null };
}

function kindName(kind: FileFacts["kind"]): string {
  return kind === "other" ? "device or pipe" : kind;
}

/** A conversation may begin with links, titles or summaries, and its first message may be long. */
function hasMessages(system: FilesOnly, path: string, size: number): boolean {
  if (hasMessage(readPiece(system, path, 0, START))) return true;
  if (size > START && hasMessage(readPiece(system, path, 0, HEAD))) return true;
  if (size <= HEAD) return false;
  return size > HEAD + TAIL || hasMessage(readPiece(system, path, size - TAIL, TAIL));
}

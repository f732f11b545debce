// Finds the transcripts of many conversations in one look. The answers are those of `findTranscript`; only the way
// to them is shorter, so that many panes and many projects do not multiply.
import type { SessionId } from "../binding.ts";
import { reasonOf } from "../errors.ts";
import type { System } from "../system/system.ts";
import { projectName } from "./project_name.ts";
import { findIn, projectFolders, type Transcript } from "./transcripts.ts";

/** Where a conversation probably is. */
export interface Whereabouts {
  transcript: string | null;
  cwd: string;
}

export type TranscriptFinder = (configDir: string, id: SessionId, near: Whereabouts | null) => Transcript;

type FilesOnly = Pick<System, "files">;

/** What is known of one config dir. */
interface Projects {
  folders: string[];
  /** Conversations that were looked for in every folder. */
  searched: number;
  /** By file name; made once several had to be looked for. */
  index: Map<string, string[]> | null;
  /** Folders whose names cannot be listed. */
  unlisted: string[];
}

/** So many are looked for by one stat in each folder; from then on listing all names once is cheaper. */
const SEARCHES = 3;

/** A finder that remembers the folders it has listed: for one look, not for a program that stays. */
export function transcriptFinder(system: FilesOnly): TranscriptFinder {
  const known = new Map<string, Projects>();
  return (configDir, id, near) => {
    const there = near && findIn(system, probableFolders(configDir, near), id);
    if (there?.state === "present") return there;
    try {
      const projects = known.get(configDir) ?? projectsOf(system, configDir);
      known.set(configDir, projects);
      return findIn(system, foldersWith(system, projects, id), id);
    } catch (error) {
      return { state: "unknown", path: null, reason: reasonOf(error) };
    }
  };
}

/** The folder of the transcript that was seen last, and the one Claude makes for the working folder. */
function probableFolders(configDir: string, { transcript, cwd }: Whereabouts): string[] {
  const seen = transcript?.slice(0, transcript.lastIndexOf("/")) ?? "";
  const projects = `${configDir}/projects/`;
  const isProject = seen.startsWith(projects) && !seen.slice(projects.length).includes("/");
  const named = projects + projectName(cwd);
  return isProject && seen !== named ? [seen, named] : [named];
}

function projectsOf(system: FilesOnly, configDir: string): Projects {
  return { folders: projectFolders(system, configDir), searched: 0, index: null, unlisted: [] };
}

/** The folders that may hold the conversation. */
function foldersWith(system: FilesOnly, projects: Projects, id: SessionId): string[] {
  if (projects.searched++ < SEARCHES) return projects.folders;
  projects.index ??= indexOf(system, projects);
  return [...projects.index.get(`${id}.jsonl`) ?? [], ...projects.unlisted];
}

/** Which folders have a file of that name. A folder that cannot be listed may still hold one. */
function indexOf(system: FilesOnly, projects: Projects): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const folder of projects.folders) {
    try {
      for (const name of system.files.list(folder)) index.set(name, [...index.get(name) ?? [], folder]);
    } catch {
      projects.unlisted.push(folder);
    }
  }
  return index;
}

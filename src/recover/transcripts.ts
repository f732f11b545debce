// Transcripts as witnesses: by folder, by repository, by title. Pure.
import type { SessionId } from "../binding.ts";
import { repositoryOf } from "../ladder/folder.ts";
import { nameKey } from "./named.ts";

/** One conversation on disk that can be resumed. */
export interface TranscriptFacts {
  id: SessionId;
  title: string | null;
  /** Keys of the folders it names, the one it began in first. */
  folders: string[];
  /** First and last message, milliseconds since the epoch; the first is null when unknown. */
  began: number | null;
  active: number;
}

export interface TranscriptTable {
  get(id: SessionId): TranscriptFacts | null;
  in(folder: string): TranscriptFacts[];
  /** Those of the folder's worktrees, and of the repository it is a worktree of. */
  related(folder: string, repository: string | null): TranscriptFacts[];
  titled(name: string): TranscriptFacts[];
}

/** The tables over all transcripts, made once. */
export function transcriptTable(all: TranscriptFacts[]): TranscriptTable {
  const byId = new Map(all.map((one) => [one.id, one]));
  const byFolder = grouped(all, ({ folders }) => folders);
  const byRepository = grouped(all, ({ folders }) => folders.flatMap((folder) => repositoryOf(folder) ?? []));
  const byTitle = grouped(all, ({ title }) => title === null ? [] : [nameKey(title)]);
  const of = (map: Map<string, TranscriptFacts[]>, key: string | null) => key ? map.get(key) ?? [] : [];
  return {
    get: (id) => byId.get(id) ?? null,
    in: (folder) => of(byFolder, folder),
    related: (folder, repository) =>
      [...of(byRepository, repository ?? folder), ...of(byFolder, repository)]
        .filter(({ folders }) => !folders.includes(folder)),
    titled: (name) => of(byTitle, nameKey(name)),
  };
}

function grouped(
  all: TranscriptFacts[],
  keys: (one: TranscriptFacts) => string[],
): Map<string, TranscriptFacts[]> {
  const map = new Map<string, TranscriptFacts[]>();
  for (const one of all) {
    for (const key of new Set(keys(one))) {
      const list = map.get(key);
      if (list) list.push(one);
      else map.set(key, [one]);
    }
  }
  return map;
}

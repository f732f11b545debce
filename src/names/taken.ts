// Which names a conversation may not take. Pure.
import type { NameAt } from "../binding.ts";
import { sameName } from "./free.ts";

/** A title that some conversation of the project has in its transcript. */
export interface StoredTitle {
  session_id: string;
  title: string;
}

/** A name that a running Claude of the project holds now. */
export interface LiveName {
  session_id: string;
  name: string;
  /** `derived` names are Claude's own (folder and two digits), nobody chose them. */
  source: string | null;
}

export interface TakenFacts {
  stored: readonly StoredTitle[];
  live: readonly LiveName[];
  /** Names of the other windows that are rooted in the same folder. */
  windows: readonly string[];
  own: OwnLives;
}

/** The conversation that wants a name, and what came before it in the same place. */
export interface OwnLives {
  session_id: string | null;
  /** Ids before it: through /clear, and the conversations that lived in this pane earlier. */
  earlier: readonly string[];
  /** Names it had, in any order. */
  names: readonly NameAt[];
}

/**
 * Names that are taken for this conversation. What lived in its own place, and the names it had itself, are never in
 * its way, so that no number of crashes or fresh starts turns `foo` into `foo-2`; a name that is alive in another
 * conversation or window always is.
 */
export function takenNames({ stored, live, windows, own }: TakenFacts): string[] {
  const lineage = new Set([own.session_id, ...own.earlier]);
  const titles = stored
    .filter((item) => !lineage.has(item.session_id))
    .map((item) => item.title)
    .filter((title) => !own.names.some((had) => sameName(had.name, title)));
  const names = live
    .filter((item) => item.source !== "derived" && item.session_id !== own.session_id)
    .map((item) => item.name);
  return [...titles, ...names, ...windows];
}

/** A window as far as uniqueness needs it. */
export interface WindowRoot {
  window_id: string;
  name: string;
  automatic: boolean;
  /** Folders it is rooted in: its active pane's, and those of the conversations bound in it. */
  folders: readonly string[];
}

/** Names of the deliberately named windows other than `windowId` that are rooted in `folder`. */
export function windowNamesIn(folder: string, windowId: string, windows: readonly WindowRoot[]): string[] {
  return windows
    .filter((window) => window.window_id !== windowId && !window.automatic && window.name !== "")
    .filter((window) => window.folders.includes(folder))
    .map((window) => window.name);
}

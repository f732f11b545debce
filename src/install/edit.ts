// The words in which edits of foreign files are planned and reported.
import type { Step } from "./steps.ts";

/** What an edit of a text comes to. `made` names containers that were not there before. */
export type Edit =
  | { kind: "changed"; text: string; steps: Step[]; made: string[] }
  /** The file goes: install had made it, and nothing else is in it. */
  | { kind: "removed" }
  | { kind: "unchanged" }
  | { kind: "refused"; reason: string };

/** From the text of a file (null when there is none) to its edit. */
export type PlanEdit = (text: string | null) => Edit | Promise<Edit>;

/** How an earlier edit can be taken back, and which containers it made. */
export interface Made {
  steps: Step[];
  made: string[];
}

/** What became of a foreign file. `path` is as it was asked for, `target` where its links lead. */
export type Outcome =
  | { outcome: "changed"; path: string; target: string; change: Change; backup: string | null }
  | { outcome: "unchanged"; path: string; target: string }
  | { outcome: "by_hand"; path: string; target: string | null; reason: string };

/** The change itself: texts are null where there is no file. */
export interface Change extends Made {
  before: string | null;
  after: string | null;
  /** Its folder was made for it. */
  madeFolder: boolean;
}

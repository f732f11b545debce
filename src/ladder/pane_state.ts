// What became of the conversation of a pane, in one word. Pure.
import type { Binding } from "../binding.ts";

/**
 * `running`: a Claude is there, also a suspended one. `exited`: the user ended it. `restored`: stamped back after a
 * restore and not revived yet. `lost`: it ended in any other way (kill -9, a crash, the tmux server went away).
 */
export type PaneState = "running" | "exited" | "restored" | "lost";

/** All of them. */
export const PANE_STATES = ["running", "exited", "lost", "restored"] as const;

/** The state of a pane with a Claude or a binding. */
export function paneState(pane: { live: boolean; binding: Binding | null }): PaneState {
  if (pane.live) return "running";
  const state = pane.binding?.state;
  return state === "exited" || state === "restored" ? state : "lost";
}

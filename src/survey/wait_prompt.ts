// The prompt of a shell that was just started: its start files may take a while, and run programs of their own.
import type { System } from "../system/system.ts";
import type { Pane } from "../tmux/panes.ts";
import { type PromptState, promptState } from "../tmux/prompt.ts";

const POLL_MS = 100;

/** Times in milliseconds. */
export interface Patience {
  /** For a shell that is still starting. */
  starting: number;
  /** For another program in front, which may be one of a start file. */
  program: number;
}

/** Waits until the pane is at its prompt; gives the last refusal when the patience ends. */
export async function waitForPrompt(system: System, pane: Pane, patience: Patience): Promise<PromptState> {
  const started = system.now();
  for (;;) {
    const state = await promptState(system, pane, system.processes.all());
    if (state.ready || system.now() - started >= patienceFor(state.because, patience)) return state;
    await system.sleep(POLL_MS);
  }
}

/** No shell gets over these by itself. */
const FOR_GOOD = ["dead", "claude", "input-off", "other-user"];

function patienceFor(because: string, { starting, program }: Patience): number {
  if (FOR_GOOD.includes(because)) return 0;
  // Also before tmux has started it, and between two programs.
  return because === "starting" ? starting : program;
}

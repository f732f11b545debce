// The prompt of a shell that was just started: its start files may take a while, and run programs of their own.
import type { Tmux } from "../tmux/client.ts";
import { listPanes, type Pane } from "../tmux/panes.ts";
import { type PromptState, promptState } from "../tmux/prompt.ts";
import type { Refusal } from "../tmux/refusal.ts";

const POLL_MS = 100;

/** A pane as it was when its prompt was looked at. */
export interface Looked {
  pane: Pane;
  prompt: PromptState;
}

/**
 * Waits so long (milliseconds) for the pane to be at its prompt, as long as what keeps it from that `passes`; gives the
 * last look, null when the pane is gone. Throws TmuxError.
 */
export async function waitForPrompt(
  tmux: Tmux,
  paneId: string,
  limitMs: number,
  passes: (refused: Refusal, pane: Pane) => boolean,
): Promise<Looked | null> {
  const { system } = tmux;
  const started = system.now();
  for (;;) {
    const pane = (await listPanes(tmux)).panes.find(({ pane_id }) => pane_id === paneId);
    if (!pane) return null;
    const prompt = await promptState(system, pane, system.processes.all());
    if (prompt.ready || !passes(prompt, pane) || system.now() - started >= limitMs) return { pane, prompt };
    await system.sleep(POLL_MS);
  }
}

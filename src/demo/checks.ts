// What the demo waits for and insists on. A story that only looked right would prove nothing.
import type { System } from "../system/system.ts";
import { paneText, type PrivateTmux } from "../tmux/private_server.ts";

/** A step that did not come out as it should; the message completes "it failed: ". */
export class DemoFailure extends Error {
  override name = "DemoFailure";
}

/** Longest wait for one thing to happen, in milliseconds: far beyond what a slow machine needs. */
const PATIENCE_MS = 15_000;
const POLL_MS = 25;

/** Ends the story unless the condition holds. */
export function insist(condition: boolean, failure: string): asserts condition {
  if (!condition) throw new DemoFailure(failure);
}

/** Looks again until there is something; ends the story when nothing comes. */
export async function waitFor<T>(
  system: System,
  what: string,
  look: () => T | null | Promise<T | null>,
): Promise<T> {
  const end = system.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (seen !== null) return seen;
    insist(system.now() < end, `waited ${PATIENCE_MS / 1_000} s for ${what}`);
    await system.sleep(POLL_MS);
  }
}

/** Waits until the pane shows the text; the failure shows what it shows instead. */
export async function waitForText(tmux: PrivateTmux, paneId: string, text: string | RegExp): Promise<string> {
  let shown = "";
  const look = async () => {
    shown = await paneText(tmux, paneId);
    return (typeof text === "string" ? shown.includes(text) : text.test(shown)) ? shown : null;
  };
  try {
    return await waitFor(tmux.system, `"${text}" in pane ${paneId}`, look);
  } catch (error) {
    if (!(error instanceof DemoFailure)) throw error;
    throw new DemoFailure(`${error.message}. The pane shows:\n${shown.trim()}`);
  }
}

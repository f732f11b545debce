// The round trip of `--deep`: start, save, crash, restore, revive on a private tmux server, each step verified. It is
// the demo's story without its words; nothing of the user's is touched.
import { cleanUp } from "../demo/crash.ts";
import { play } from "../demo/story.ts";
import { makeWorld } from "../demo/world.ts";
import { reasonOf } from "../errors.ts";
import { type Check, fail, type Finding, ok } from "./check.ts";
import type { Facts } from "./facts.ts";

export const deepChecks: Check[] = [{ id: "deep.round_trip", group: "deep", run: roundTrip }];

async function roundTrip({ system }: Facts): Promise<Finding> {
  const begin = system.now();
  const world = await makeWorld(system);
  try {
    await play(world, { step: () => {}, line: () => {} });
    const ms = system.now() - begin;
    return ok(`a crash on a private server was survived by every conversation (${ms} ms)`, {
      milliseconds: ms,
    });
  } catch (error) {
    return fail(`a crash on a private server was not survived: ${reasonOf(error)}`, {
      fix: "See the step that failed in full: tmuxclaude demo",
    });
  } finally {
    await cleanUp(system, world, { keep: false });
  }
}

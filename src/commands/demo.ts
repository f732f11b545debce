// The whole story on a private tmux server, with a stand-in for Claude: nothing of the user's is read or changed.
import { ROLES } from "../demo/cast.ts";
import { DemoFailure } from "../demo/checks.ts";
import { cleanUp } from "../demo/crash.ts";
import { type Narrator, play } from "../demo/story.ts";
import { makeWorld, type World } from "../demo/world.ts";
import { ExitCode, UserError } from "../errors.ts";
import type { System } from "../system/system.ts";
import { explain, TmuxError } from "../tmux/client.ts";
import { attach } from "../tmux/private_server.ts";

export interface DemoFlags {
  keep?: boolean;
}

/** Ctrl-C: what was begun is cleaned up, nothing more is begun. */
class Interrupted extends Error {}

/** Plays the story; 0 only when every step was verified. Cleans up in any case. */
export async function run(system: System, flags: DemoFlags): Promise<number> {
  const stop = { wanted: false };
  using _listening = system.onInterrupt(() => stop.wanted = true);
  const keep = flags.keep ?? false;
  const world = await makeWorld(stoppable(system, stop));
  try {
    return await show(system, world);
  } catch (error) {
    if (stop.wanted) return interrupted(system);
    throw explained(error);
  } finally {
    await cleanUp(system, world, { keep });
    if (keep) system.stdout(`\nKept: ${world.root}\n`);
  }
}

async function show(system: System, world: World): Promise<number> {
  const begin = system.now();
  system.stdout(INTRO);
  await play(world, narrator(system));
  const seconds = ((system.now() - begin) / 1_000).toFixed(1);
  system.stdout(`\nEvery pane has its own conversation again. ${seconds} s, each step was checked.\n`);
  if (wantsToLook(system)) await attach(world.tmux, ROLES[0].tmux_session);
  return ExitCode.done;
}

const INTRO =
  `tmuxclaude demo: a tmux server of its own, a scratch folder as HOME, and a stand-in for Claude that
only echoes. Nothing of yours is touched.
`;

function narrator(system: System): Narrator {
  let number = 0;
  return {
    step: (text) => system.stdout(`\n${++number}. ${text}\n`),
    line: (text) => system.stdout(`     ${text}\n`),
  };
}

function wantsToLook(system: System): boolean {
  if (!system.isTerminal("stdin") || !system.isTerminal("stdout")) return false;
  return /^y/i.test(system.ask("\nLook around in it? F12 leaves again. [y/N]") ?? "");
}

/** The same System, except that it begins nothing more once a stop is wanted. */
function stoppable(system: System, stop: { wanted: boolean }): System {
  const check = () => {
    if (stop.wanted) throw new Interrupted("interrupted");
  };
  return {
    ...system,
    run: async (...given) => {
      check();
      return await system.run(...given);
    },
    sleep: async (ms) => {
      check();
      await system.sleep(ms);
    },
  };
}

function interrupted(system: System): number {
  system.stderr("\ntmuxclaude: interrupted, and cleaned up\n");
  return ExitCode.interrupted;
}

function explained(error: unknown): unknown {
  if (error instanceof TmuxError) return explain(error, "Cannot run the demo");
  if (!(error instanceof DemoFailure)) return error;
  const next = "Look into its folder with: tmuxclaude demo --keep, and report it";
  return new UserError("The demo failed", error.message, next);
}

// Ending what the demo started, and nothing else: by process id, waited for.
import { descendants } from "../claude/process.ts";
import type { System } from "../system/system.ts";
import { serverPid, stopServer } from "../tmux/private_server.ts";
import { DemoFailure, waitFor } from "./checks.ts";
import type { World } from "./world.ts";

/** The processes of the private server, the server first. */
export async function processesOf(world: World): Promise<number[]> {
  const pid = await serverPid(world.tmux);
  return [pid, ...descendants(world.tmux.system.processes.all(), pid).map((process) => process.pid)];
}

/** kill -9 of the server, as a crash; resolves when it and all that ran in its panes are gone. */
export async function crash(world: World): Promise<number> {
  const pids = await processesOf(world);
  world.tmux.system.kill(pids[0], "SIGKILL");
  await ended(world.tmux.system, pids);
  return pids[0];
}

/** Ends the server in peace, whatever state it is in, and removes the scratch folder unless it is to be kept. */
export async function cleanUp(system: System, world: World, options: { keep: boolean }): Promise<void> {
  const tmux = { ...world.tmux, system: { ...world.tmux.system, run: system.run, sleep: system.sleep } };
  const pids = await processesOf({ ...world, tmux }).catch(() => []);
  await stopServer(tmux);
  await ended(system, pids).catch((error) => {
    if (!(error instanceof DemoFailure)) throw error;
  });
  if (!options.keep) await remove(system, world.root);
}

async function ended(system: System, pids: number[]): Promise<void> {
  await waitFor(
    system,
    "the end of the tmux server",
    () => pids.some((pid) => runs(system, pid)) ? null : true,
  );
}

/** One that nobody has collected (in a container without init) is as good as gone. */
function runs(system: System, pid: number): boolean {
  const process = system.processes.read(pid);
  return process !== null && process.state !== "Z" && process.state !== "X";
}

/** A process that is just ending may write one more file meanwhile, hence more than one try. */
async function remove(system: System, path: string): Promise<void> {
  for (let left = 20;; left--) {
    try {
      return system.files.remove(path, { recursive: true });
    } catch (error) {
      if (left === 0) throw error;
      await system.sleep(100);
    }
  }
}

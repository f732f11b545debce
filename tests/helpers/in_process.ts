// Commands run within the test, on a System whose parts the test may replace.
import { runSafely } from "../../src/cli/context.ts";
import { hook } from "../../src/commands/hook.ts";
import { realSystem } from "../../src/system/real.ts";
import type { Process, System } from "../../src/system/system.ts";

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** A command as one started with that environment, without a terminal. */
export async function runIn(
  env: Record<string, string>,
  changes: Partial<System>,
  command: (system: System) => Promise<number>,
): Promise<Ran> {
  const { system, said } = systemIn(env, changes);
  const code = await runSafely(system, () => command(system));
  return { code, ...said };
}

/** The hook as a process below that Claude gets it, with an event on its stdin. */
export async function runHook(
  env: Record<string, string>,
  claudePid: number,
  event: string | Uint8Array,
  changes: Partial<System> = {},
): Promise<Ran> {
  const bytes = typeof event === "string" ? new TextEncoder().encode(event) : event;
  const below = { ...belowClaude(claudePid), readStdin: () => Promise.resolve(bytes), ...changes };
  const { system, said } = systemIn(env, below);
  await hook(system);
  return { code: 0, ...said };
}

/** No process has this id. */
const HOOK_PID = 2_000_000_000;

function belowClaude(claudePid: number): Partial<System> {
  const { processes } = realSystem();
  const read = (pid: number): Process | null =>
    pid === HOOK_PID
      ? { ...processes.read(claudePid)!, pid: HOOK_PID, parent: claudePid }
      : processes.read(pid);
  return { pid: HOOK_PID, processes: { ...processes, read } };
}

function systemIn(env: Record<string, string>, changes: Partial<System>) {
  const said = { stdout: "", stderr: "" };
  const system: System = {
    ...realSystem(),
    env: (name) => env[name],
    environment: () => ({ ...env }),
    isTerminal: () => false,
    stdout: (text) => void (said.stdout += text),
    stderr: (text) => void (said.stderr += text),
    ...changes,
  };
  return { system, said };
}

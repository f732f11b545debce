// Child processes with a time limit: a hung tmux must never hang us (and through the hook, Claude).
import type { RunOptions, RunResult } from "./system.ts";

const decoder = new TextDecoder();

/** Runs a program to its end or its limit. Throws Deno.errors.NotFound when there is no such program. */
export async function run(program: string, args: string[], options: RunOptions): Promise<RunResult> {
  const child = new Deno.Command(program, {
    args,
    env: options.env,
    clearEnv: options.clearEnv,
    cwd: options.cwd,
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  using limit = limitOf(child, options.limitMs);
  if (options.stdin !== undefined) await Promise.race([feed(child, options.stdin), limit.reached]);
  const output = await Promise.race([child.output(), limit.reached]);
  if (output === null) return { code: KILLED, stdout: "", stderr: "", timedOut: true };
  return {
    code: output.code,
    stdout: decoder.decode(output.stdout),
    stderr: decoder.decode(output.stderr),
    timedOut: false,
  };
}

/** As shells number it: 128 and SIGKILL. */
const KILLED = 137;

/**
 * Kills the child when its time is over. SIGKILL: on SIGTERM a tmux client asks its server for leave, for ever when that
 * one hangs. What it has started may hold its output open, so that is not waited for.
 */
function limitOf(child: Deno.ChildProcess, limitMs: number): Disposable & { reached: Promise<null> } {
  // setTimeout would load more of Deno: about 3 ms of the hook's time.
  const signal = AbortSignal.timeout(limitMs);
  let end = () => {};
  const reached = new Promise<null>((resolve) => {
    end = () => {
      kill(child);
      resolve(null);
    };
  });
  signal.addEventListener("abort", end);
  // With a listener on it, it would keep this program from ending.
  return { reached, [Symbol.dispose]: () => signal.removeEventListener("abort", end) };
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It ended at this very moment.
  }
}

/** Starts a program that may outlive us; its result when it ended in time, else null. */
export async function start(program: string, args: string[], options: RunOptions): Promise<RunResult | null> {
  const { env, clearEnv, cwd, limitMs } = options;
  const child = new Deno.Command(program, {
    args,
    env,
    clearEnv,
    cwd,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  })
    .spawn();
  child.unref();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => timer = setTimeout(() => resolve(null), limitMs));
  const output = await Promise.race([child.output(), late]);
  clearTimeout(timer);
  return output && { code: output.code, stdout: "", stderr: decoder.decode(output.stderr), timedOut: false };
}

/** A child may end before it has read everything: that is its right, and no error of ours. */
async function feed(child: Deno.ChildProcess, text: string): Promise<void> {
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text)).catch(() => {});
  await writer.close().catch(() => {});
}

/** Runs a program on this terminal, with exactly this environment. */
export async function runInteractive(
  program: string,
  args: string[],
  env: Record<string, string>,
): Promise<number> {
  const child = new Deno.Command(program, {
    args,
    env,
    clearEnv: true,
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  });
  return (await child.spawn().status).code;
}

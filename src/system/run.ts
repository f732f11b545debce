// Child processes with a time limit: a hung tmux must never hang us (and through the hook, Claude).
import type { RunOptions, RunResult } from "./system.ts";

const decoder = new TextDecoder();

/** Runs a program to its end or its limit. Throws Deno.errors.NotFound when there is no such program. */
export async function run(program: string, args: string[], options: RunOptions): Promise<RunResult> {
  const limit = AbortSignal.timeout(options.limitMs);
  const child = new Deno.Command(program, {
    args,
    env: options.env,
    clearEnv: options.clearEnv,
    cwd: options.cwd,
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    signal: limit,
  }).spawn();
  if (options.stdin !== undefined) await feed(child, options.stdin);
  const output = await child.output();
  return {
    code: output.code,
    stdout: decoder.decode(output.stdout),
    stderr: decoder.decode(output.stderr),
    timedOut: limit.aborted,
  };
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

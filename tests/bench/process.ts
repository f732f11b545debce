// What one run of a program costs: wall time, CPU of it and of all it waited for (as the kernel counts it), memory.

export interface Command {
  program: string;
  args: string[];
  /** The whole environment. */
  env: Record<string, string>;
  stdin?: string;
}

export interface Sample {
  wallMs: number;
  cpuMs: number;
  code: number;
}

const libc = Deno.dlopen(Deno.build.os === "darwin" ? "libSystem.dylib" : "libc.so.6", {
  getrusage: { parameters: ["i32", "buffer"], result: "i32" },
});
/** All children that have ended, with theirs. */
const RUSAGE_CHILDREN = -1;
/** Two pairs of seconds and microseconds (user, system) begin the structure; it is 144 bytes long. */
const rusage = new BigInt64Array(18);

function childrenCpuMs(): number {
  if (libc.symbols.getrusage(RUSAGE_CHILDREN, rusage) !== 0) throw new Error("getrusage failed");
  const [userS, userUs, systemS, systemUs] = [...rusage.subarray(0, 4)];
  // On macOS the microseconds have 32 bits, what follows is padding.
  const us = Number(BigInt.asIntN(32, userUs) + BigInt.asIntN(32, systemUs));
  return Number(userS + systemS) * 1000 + us / 1000;
}

function start(command: Command): Deno.ChildProcess {
  return new Deno.Command(command.program, {
    args: command.args,
    env: command.env,
    clearEnv: true,
    stdin: command.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Runs a command once, alone. `doneAt`, asked when it has ended, may tell an earlier time that counts instead. */
export async function measure(command: Command, doneAt: () => number | null = () => null): Promise<Sample> {
  const cpu = childrenCpuMs();
  const begin = performance.now();
  const child = start(command);
  const [{ code }] = await Promise.all([child.output(), feed(child, command.stdin)]);
  const end = performance.now();
  return { wallMs: (doneAt() ?? end) - begin, cpuMs: childrenCpuMs() - cpu, code };
}

/** Most memory (MiB) a command held, of its own process; null where the kernel does not tell. */
export async function peakMemory(command: Command): Promise<number | null> {
  const child = start(command);
  let ended = false;
  const end = Promise.all([child.output(), feed(child, command.stdin)]).then(() => ended = true);
  let peak: number | null = null;
  while (!ended) {
    peak = highWater(child.pid) ?? peak;
    await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 1))]);
  }
  return peak;
}

/** The kernel keeps the highest value itself, so only what happens after the last look is missed. */
function highWater(pid: number): number | null {
  try {
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`));
    return found ? Number(found[1]) / 1024 : null;
  } catch {
    return null;
  }
}

/** A program may end before it has read its input. */
async function feed(child: Deno.ChildProcess, text: string | undefined): Promise<void> {
  if (text === undefined) return;
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text)).catch(() => {});
  await writer.close().catch(() => {});
}

// The real System. The only place that reads the environment and the clock.
import { after } from "./after.ts";
import { concatenated } from "./bytes.ts";
import { realFiles } from "./files.ts";
import { linuxMemory, linuxProcesses } from "./processes_linux.ts";
import { macosMemory, macosProcesses } from "./processes_macos.ts";
import { run, runInteractive, start } from "./run.ts";
import type { System } from "./system.ts";

const encoder = new TextEncoder();
const mac = Deno.build.os === "darwin";

function randomHex(bytes: number): string {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (value) => value.toString(16).padStart(2, "0")).join("");
}

function writeText(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  const bytes = encoder.encode(text);
  for (let done = 0; done < bytes.length;) done += stream.writeSync(bytes.subarray(done));
}

/** A reader that went away (`tmuxclaude list | head`) is no error. */
function print(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  try {
    writeText(stream, text);
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

async function readStdin(limit: number, busy: Promise<unknown>, graceMs: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let isRead = false;
  const all = readAll(parts, limit).then(() => isRead = true);
  const late = busy.catch(() => {}).then(() => isRead ? undefined : after(graceMs));
  await Promise.race([all, late]);
  return concatenated(parts).subarray(0, limit + 1);
}

async function readAll(parts: Uint8Array[], limit: number): Promise<void> {
  for (let size = 0; size <= limit;) {
    const chunk = new Uint8Array(65536);
    const count = await Deno.stdin.read(chunk);
    if (count === null) return;
    parts.push(chunk.subarray(0, count));
    size += count;
  }
}

function columns(): number {
  try {
    return Deno.consoleSize().columns || 80;
  } catch {
    return Number(Deno.env.get("COLUMNS")) || 80;
  }
}

function self(): string {
  return Deno.build.standalone ? Deno.execPath() : decodeURIComponent(new URL(Deno.mainModule).pathname);
}

function kill(pid: number, signal: "SIGKILL" | "SIGTERM"): void {
  try {
    Deno.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function onInterrupt(action: () => void): Disposable {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) Deno.addSignalListener(signal, action);
  return {
    [Symbol.dispose]: () => signals.forEach((signal) => Deno.removeSignalListener(signal, action)),
  };
}

/** The System of a real run. */
export function realSystem(): System {
  return {
    platform: Deno.build.os,
    pid: Deno.pid,
    uid: Deno.uid(),
    dryRun: false,
    env: (name) => Deno.env.get(name),
    environment: () => Deno.env.toObject(),
    hostname: () => Deno.hostname(),
    cwd: () => Deno.cwd(),
    now: () => Date.now(),
    sleep: after,
    randomHex,
    files: realFiles,
    processes: mac ? macosProcesses : linuxProcesses,
    availableMemory: () => mac ? macosMemory("available") : linuxMemory("MemAvailable"),
    totalMemory: () => mac ? macosMemory("total") : linuxMemory("MemTotal"),
    run,
    start,
    runInteractive,
    readStdin,
    stdout: (text) => print(Deno.stdout, text),
    stderr: (text) => print(Deno.stderr, text),
    isTerminal: (stream) => Deno[stream].isTerminal(),
    columns,
    ask: (question) => Deno.stdin.isTerminal() ? prompt(question) : null,
    self,
    runtime: () => Deno.build.standalone ? null : Deno.execPath(),
    kill,
    onInterrupt,
  };
}

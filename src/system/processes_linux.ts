// Processes read from /proc: no child process is started (needs Deno's --allow-all, measured in 2.9.6).
import type { Process, Processes } from "./system.ts";

/** Parses /proc/PID/stat. The name may hold spaces and parentheses, so fields count from the last ")". */
export function parseStat(text: string): Process | null {
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  if (open < 0 || close < open) return null;
  const rest = text.slice(close + 2).trim().split(" ");
  if (rest.length < 20) return null;
  const number = (index: number) => Number(rest[index]);
  return {
    pid: Number(text.slice(0, open).trim()),
    name: text.slice(open + 1, close),
    state: rest[0],
    parent: number(1),
    group: number(2),
    session: number(3),
    terminal: number(4),
    foreground: number(5),
    started: rest[19],
  };
}

function readOrNull(path: string): string | null {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return null;
  }
}

function splitNul(text: string | null): string[] {
  if (!text) return [];
  const parts = text.split("\0");
  if (parts.at(-1) === "") parts.pop();
  return parts;
}

function read(pid: number): Process | null {
  const text = readOrNull(`/proc/${pid}/stat`);
  return text === null ? null : parseStat(text);
}

function all(): Process[] {
  const found: Process[] = [];
  for (const entry of Deno.readDirSync("/proc")) {
    const first = entry.name.charCodeAt(0);
    if (first < 48 || first > 57) continue;
    const process = read(Number(entry.name));
    if (process) found.push(process);
  }
  return found;
}

function variable(pid: number, name: string): string | null {
  const entry = splitNul(readOrNull(`/proc/${pid}/environ`)).find((line) => line.startsWith(`${name}=`));
  return entry === undefined ? null : entry.slice(name.length + 1);
}

function executable(pid: number): string | null {
  try {
    return Deno.readLinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, "");
  } catch {
    return null;
  }
}

function owner(pid: number): number | null {
  try {
    return Deno.statSync(`/proc/${pid}`).uid;
  } catch {
    return null;
  }
}

/** Ticks count from boot; /proc/stat's btime is in seconds. USER_HZ is 100 on every Linux that runs Deno. */
function startedAt(process: Process): number | null {
  const boot = /^btime (\d+)$/m.exec(readOrNull("/proc/stat") ?? "");
  return boot ? Number(boot[1]) * 1000 + Number(process.started) * 10 : null;
}

export const linuxProcesses: Processes = {
  read,
  all,
  argv: (pid) => splitNul(readOrNull(`/proc/${pid}/cmdline`)),
  executable,
  variable,
  owner,
  startedAt,
  exists: (pid) => read(pid) !== null,
};

/** MemAvailable or MemTotal of /proc/meminfo in bytes. */
export function linuxMemory(field: "MemAvailable" | "MemTotal"): number | null {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(readOrNull("/proc/meminfo") ?? "");
  return line ? Number(line[1]) * 1024 : null;
}

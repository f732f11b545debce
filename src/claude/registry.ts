// Claude's own list of running sessions: `<config>/sessions/<pid>.json` (from 2.1; not in 2.0.76). Read only.
// An entry counts when its process lives and is the one that wrote it: files stay behind after kill -9.
import { type SessionId, sessionId } from "../binding.ts";
import { toRecord, toText } from "../from_disk.ts";
import { reasonOf } from "../errors.ts";
import { namesIn } from "../system/lenient.ts";
import type { Process, System } from "../system/system.ts";
import { readPiece } from "./pieces.ts";
import { isClaude } from "./program.ts";

export interface RegistryEntry {
  pid: number;
  sessionId: SessionId;
  /** Start time of the process, in the kernel's unit. */
  started: string;
  version: string | null;
  /** `interactive` or `bg`, in Claude's own words. */
  kind: string | null;
  /** What `claude attach` knows a background session by; its first id stays, its session id may not. */
  jobId: string | null;
  name: string | null;
  /** `user`, `hook`, `derived`, `auto`, `collision`; `derived` names mean nothing to anybody. */
  nameSource: string | null;
  /** `idle`, `busy`, `waiting`. */
  status: string | null;
  /** Milliseconds since the epoch. */
  updatedAt: number | null;
  cwd: string;
}

export interface RegistryRead {
  entry: RegistryEntry | null;
  /** Why a file that is there was not believed, null when there is none. */
  reason: string | null;
}

type Reads = Pick<System, "files" | "processes" | "platform">;

/** Real entries have under 1 KB. */
const LIMIT = 64 * 1024;
/** `<pid>.json`, and names of earlier versions that begin with the pid. */
const FILE = /^(\d{1,10})(?:[-_.][^/]*)?\.json$/;

/** The entry of a process, null when there is none that can be believed. */
export function readRegistry(system: Reads, configDir: string, pid: number): RegistryEntry | null {
  return lookUp(system, configDir, pid).entry;
}

/** The name that a person, a hook or Claude's own de-duplication gave, null when there is none or it is derived. */
export function givenName({ name, nameSource }: RegistryEntry): string | null {
  return nameSource === "derived" || nameSource === "auto" ? null : name;
}

/** What was read of each file, by path: so that one look reads none twice. */
export type RegistryReads = Map<string, RegistryRead>;

/** The entry of a process, or why it is not believed. Never throws, never waits. */
export function lookUp(
  system: Reads,
  configDir: string,
  pid: number,
  seen: RegistryReads = new Map(),
): RegistryRead {
  const path = `${configDir}/sessions/${pid}.json`;
  const read = seen.get(path) ?? readFile(system, path, pid);
  seen.set(path, read);
  return read;
}

/** All entries of live processes, each process once. */
export function listRegistry(
  system: Reads,
  configDir: string,
  seen: RegistryReads = new Map(),
): RegistryEntry[] {
  const found = new Map<number, RegistryEntry>();
  const files = entriesIn(system, `${configDir}/sessions`).sort((a, b) => a.name.length - b.name.length);
  for (const { name, pid } of files) {
    if (found.has(pid)) continue;
    const path = `${configDir}/sessions/${name}`;
    const known = seen.get(path);
    if (!known && !system.processes.exists(pid)) continue;
    const { entry } = known ?? readFile(system, path, pid);
    if (entry) found.set(pid, entry);
  }
  return [...found.values()];
}

function entriesIn(system: Reads, folder: string): { name: string; pid: number }[] {
  return namesIn(system, folder).flatMap((name) => {
    const pid = FILE.exec(name)?.[1];
    return pid ? [{ name, pid: Number(pid) }] : [];
  });
}

function readFile(system: Reads, path: string, pid: number): RegistryRead {
  const refuse = (reason: string | null): RegistryRead => ({ entry: null, reason });
  try {
    const facts = system.files.stat(path);
    if (!facts) return refuse(null);
    if (facts.kind !== "file") return refuse(`the registry entry of ${pid} is no file`);
    if (facts.size > LIMIT) return refuse(`the registry entry of ${pid} is larger than ${LIMIT} bytes`);
    return prove(system, toEntry(readPiece(system, path, 0, LIMIT)), pid);
  } catch (error) {
    return refuse(`the registry entry of ${pid} cannot be read: ${reasonOf(error)}`);
  }
}

/** An entry before its process was looked at. `started` is null in old shapes. */
type Claim = Omit<RegistryEntry, "started"> & { started: string | null };

function toEntry(text: string): Claim | null {
  const value = toRecord(JSON.parse(text));
  const field = (camel: string, snake: string) => value?.[camel] ?? value?.[snake];
  const id = sessionId(field("sessionId", "session_id"));
  const pid = Number(value?.pid);
  const cwd = toText(value?.cwd);
  if (!value || !id || !cwd?.startsWith("/") || !Number.isSafeInteger(pid) || pid <= 0) return null;
  const procStart = field("procStart", "proc_start");
  return {
    pid,
    sessionId: id,
    started: typeof procStart === "number" ? String(procStart) : toText(procStart),
    version: toText(value.version),
    kind: toText(value.kind),
    jobId: /^[\w-]{1,36}$/.exec(toText(field("jobId", "job_id")) ?? "")?.[0] ?? null,
    name: toText(value.name)?.trim() || null,
    nameSource: toText(field("nameSource", "name_source")),
    status: toText(value.status),
    updatedAt: milliseconds(field("updatedAt", "updated_at")),
    cwd,
  };
}

function milliseconds(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function prove(system: Reads, claim: Claim | null, pid: number): RegistryRead {
  if (!claim) return { entry: null, reason: `the registry entry of ${pid} has another shape` };
  const process = system.processes.read(pid);
  const reason = doubt(system, claim, pid, process);
  if (reason !== null || !process) return { entry: null, reason };
  return { entry: { ...claim, started: process.started }, reason: null };
}

/** Why the entry is not the process's own. The start time proves a Claude under any name. */
function doubt(system: Reads, claim: Claim, pid: number, process: Process | null): string | null {
  if (claim.pid !== pid) return `the registry entry of ${pid} names another process`;
  if (!process || process.state === "Z") return `the registry entry of ${pid} is stale: no such process`;
  if (claim.started !== null) {
    return sameStart(claim.started, process.started)
      ? null
      : `the registry entry of ${pid} is stale: pid reused`;
  }
  const argv = system.processes.argv(pid);
  // /proc answers for thread ids too; only a real process is listed.
  const real = isClaude(process, argv, system.processes.executable(pid)) &&
    system.processes.all().some((one) => one.pid === pid);
  return real ? null : `the registry entry of ${pid} is not of a Claude`;
}

/** Clock ticks on Linux. Elsewhere a date text, which two programs may write in two ways. */
function sameStart(claimed: string, started: string): boolean {
  if (claimed.trim() === started.trim()) return true;
  const times = [claimed, started].map((text) => /[a-z:]/i.test(text) ? Date.parse(text) : NaN);
  return Math.abs(times[0] - times[1]) < 1000;
}

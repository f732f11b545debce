// What --version prints: which build this is, its size, and how long it takes to start on this machine.
import { BUILD, type BuildInfo } from "../build_info.ts";
import type { System } from "../system/system.ts";

/** What is known about the running program. */
export interface VersionFacts extends BuildInfo {
  /** Absolute path of the program, or of the checkout's main.ts. */
  path: string;
  /** Bytes, null when running from source. */
  size: number | null;
  /** Milliseconds from its start to its end when it does nothing, the best of three; null when it failed. */
  startMs: number | null;
  deno: string;
}

const KIND = { "source": "from source", "one-file": "one-file build", "compiled": "compiled" };
const START_LIMIT_MS = 5000;

/** One line for people. */
function versionLine(facts: VersionFacts): string {
  const parts = [facts.commit, facts.target, KIND[facts.kind]];
  if (facts.size !== null) parts.push(formatSize(facts.size));
  if (facts.startMs !== null) parts.push(`start ${Math.round(facts.startMs)} ms`);
  return `tmuxclaude ${facts.version} (${parts.join(", ")})`;
}

/** One JSON object for scripts. */
function versionJson(facts: VersionFacts): string {
  const { version, commit, kind, target, path, size, startMs, deno } = facts;
  return JSON.stringify({ schema: 1, version, commit, kind, target, path, size, start_ms: startMs, deno });
}

function formatSize(bytes: number): string {
  return bytes < 10_000_000 ? `${Math.round(bytes / 1024)} KB` : `${Math.round(bytes / 1024 / 1024)} MB`;
}

/** Looks at the program's own file and starts it, doing nothing, to see how long that takes. */
async function collectVersion(system: System): Promise<VersionFacts> {
  const path = system.self();
  const built = BUILD.kind !== "source";
  return {
    ...BUILD,
    path,
    size: built ? system.files.stat(path)?.size ?? null : null,
    startMs: built ? await bestStart(system, path) : null,
    deno: Deno.version.deno,
  };
}

/** The best of three: the others measure what else the machine was doing. */
async function bestStart(system: System, path: string): Promise<number | null> {
  let best: number | null = null;
  for (let round = 0; round < 3; round++) {
    const took = await oneStart(system, path);
    if (took === null) return best;
    best = Math.min(best ?? took, took);
  }
  return best;
}

async function oneStart(system: System, path: string): Promise<number | null> {
  const begin = system.now();
  try {
    const ran = await system.run(path, ["--noop"], { limitMs: START_LIMIT_MS });
    return ran.code === 0 && !ran.timedOut ? system.now() - begin : null;
  } catch {
    return null;
  }
}

/** Prints the version, as one line or as JSON. */
export async function printVersion(system: System, options: { json: boolean }): Promise<void> {
  const facts = await collectVersion(system);
  system.stdout(`${options.json ? versionJson(facts) : versionLine(facts)}\n`);
}

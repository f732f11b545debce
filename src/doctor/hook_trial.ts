// The registered hook command, run once as Claude would run it: plain sh, the event on stdin, a poor PATH. Its state
// goes to a scratch folder, and the pane is none, so that nothing of the user's is touched.
import type { HookEventName } from "../install/hook_command.ts";
import { reasonOf } from "../errors.ts";
import { statePaths } from "../state/paths.ts";
import { readFailures } from "../state/failures.ts";
import type { System } from "../system/system.ts";

export interface Trial {
  event: HookEventName;
  /** What is wrong, as the rest of a sentence that begins with the hook; null when it works. */
  problem: string | null;
  ms: number;
}

/** Half of what Claude gives it: a machine that is busy just now is not broken. */
const LIMIT_MS = 5_000;

/** No pane is called so: the program says that in its list of failures, and that line is the proof that it ran. */
const NO_PANE = "doctor";

/** Runs the command registered for an event with a sample of it, and tells whether it did its work. Never throws. */
export async function tryHook(system: System, event: HookEventName, command: string): Promise<Trial> {
  const scratch = system.files.makeTempDir("tmuxclaude-doctor-");
  const begin = system.now();
  try {
    // A prompt starts the program only while a name waits.
    if (event === "UserPromptSubmit") system.files.makeDir(`${scratch}/pending`, 0o700);
    const problem = await runOnce(system, event, command, scratch);
    return { event, problem, ms: system.now() - begin };
  } catch (error) {
    return { event, problem: `could not be run: ${reasonOf(error)}`, ms: system.now() - begin };
  } finally {
    system.files.remove(scratch, { recursive: true });
  }
}

async function runOnce(
  system: System,
  event: HookEventName,
  command: string,
  scratch: string,
): Promise<string | null> {
  const ran = await system.run("sh", ["-c", command], {
    limitMs: LIMIT_MS,
    stdin: payload(event),
    env: environment(system, scratch),
    clearEnv: true,
    cwd: "/",
  });
  if (ran.timedOut) return `did not end within ${LIMIT_MS} ms`;
  if (ran.stdout !== "") return "prints something, which Claude would take as context";
  if (ran.code !== 0) return `ends with exit code ${ran.code}, which Claude shows as an error`;
  const inside = {
    ...system,
    env: (name: string) => name === "TMUXCLAUDE_STATE_DIR" ? scratch : system.env(name),
  };
  const proof = readFailures(inside).some((failure) => failure.reason.includes(`"${NO_PANE}"`));
  return proof ? null : `leaves no trace in ${statePaths(inside).root}: the program was not started`;
}

function environment(system: System, scratch: string): Record<string, string> {
  const kept = [
    "HOME",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
    "TMUXCLAUDE_DENO",
    "TMUXCLAUDE_CACHE_DIR",
    "DENO_DIR",
  ];
  const own = kept.flatMap((name) => system.env(name) === undefined ? [] : [[name, system.env(name)!]]);
  return {
    ...Object.fromEntries(own),
    PATH: "/usr/bin:/bin",
    TMUX: `${scratch}/no-server,1,0`,
    TMUX_PANE: NO_PANE,
    TMUXCLAUDE_STATE_DIR: scratch,
    CLAUDE_CODE_ENTRYPOINT: "cli",
  };
}

function payload(event: HookEventName): string {
  const session_id = "00000000-0000-4000-8000-000000000000";
  const common = {
    session_id,
    transcript_path: "/nonexistent/doctor.jsonl",
    cwd: "/",
    hook_event_name: event,
  };
  const own = {
    SessionStart: { source: "startup" },
    UserPromptSubmit: { prompt: "doctor", permission_mode: "default" },
    SessionEnd: { reason: "other" },
  }[event];
  return JSON.stringify({ ...common, ...own });
}

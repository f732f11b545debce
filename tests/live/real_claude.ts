// The real Claude Code in a private world: scratch HOME, private tmux server, a mock of its API. LIVE_CLAUDE names the
// program (tests/run.sh --live sets it); without it the tests are skipped.
import { makeScratch, type Scratch } from "../helpers/scratch.ts";
import { startServer, type TmuxServer } from "../helpers/tmux_server.ts";
import { type MockApi, startMockApi } from "./mock_api.ts";

/** The claude to test, "" when none was named. */
export const CLAUDE = Deno.env.get("LIVE_CLAUDE") ?? "";
/** The tests of tests/live run only when a claude was named. */
export const ignore = CLAUDE === "";

/** Anything: nobody checks it, the mock answers everybody. */
const KEY = "sk-not-a-key-0123456789abcdef0123456789";
export interface Live extends AsyncDisposable {
  server: TmuxServer;
  scratch: Scratch;
  api: MockApi;
}

export interface LiveOptions {
  /** Lines for tmux.conf; may name the scratch. */
  conf?: (scratch: Scratch) => string;
  /** More variables for everything that runs. */
  env?: Record<string, string>;
  /** What Claude keeps in its .claude.json beside the answers to its first questions. */
  preferences?: Record<string, unknown>;
}

/** Starts a world with the real claude first on PATH and our hook registered by hand. */
export async function startLive(options: LiveOptions = {}): Promise<Live> {
  const scratch = await makeScratch();
  const api = startMockApi();
  await Deno.remove(`${scratch.bin}/claude`);
  await Deno.symlink(CLAUDE, `${scratch.bin}/claude`);
  Object.assign(scratch.env, offline(api.url), options.env);
  await prepareConfig(scratch, scratch.config, `${scratch.home}/.claude.json`, options.preferences);
  const server = await startServer({ scratch, conf: options.conf?.(scratch) });
  return {
    server,
    scratch,
    api,
    async [Symbol.asyncDispose]() {
      await server.attempt("kill-server");
      processesOf(scratch).forEach(killQuietly);
      await server[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}

/** Nothing leaves the machine: the API is the mock, and every other host is behind a proxy that is not there. */
function offline(url: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
    HTTPS_PROXY: "http://127.0.0.1:9",
    NO_PROXY: "127.0.0.1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_BUG_COMMAND: "1",
    DISABLE_INSTALLATION_CHECKS: "1",
  };
}

/** A config dir of its own for CLAUDE_CONFIG_DIR, with our hook registered; gives its path. */
export async function makeConfigDir({ scratch }: Live, name: string): Promise<string> {
  const folder = await scratch.folder(name);
  await prepareConfig(scratch, folder, `${folder}/.claude.json`);
  return folder;
}

/** What a person has answered once: the theme, the key, and that the folders below HOME are trusted. */
async function prepareConfig(
  scratch: Scratch,
  folder: string,
  globalFile: string,
  preferences: Record<string, unknown> = {},
): Promise<void> {
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const answers = {
    ...preferences,
    hasCompletedOnboarding: true,
    lastOnboardingVersion: "99.0.0",
    theme: "dark",
    autoUpdates: false,
    hasSeenAutoDefaultNotice: true,
    hasSeenAutoDefaultNudge: true,
    hasSeenAutoModeEntryWarning: true,
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: { [scratch.home]: trusted, [`${scratch.home}/projects`]: trusted },
  };
  await Deno.writeTextFile(globalFile, JSON.stringify(answers));
  const commands = [`"${scratch.program}" hook`, `{ cat; echo; } >>'${eventLog(scratch)}'`];
  const entry = [{ hooks: commands.map((command) => ({ type: "command", command, timeout: 10 })) }];
  const hooks = { SessionStart: entry, UserPromptSubmit: entry, SessionEnd: entry };
  await Deno.writeTextFile(`${folder}/settings.json`, JSON.stringify({ hooks }));
}

function eventLog({ root }: Scratch): string {
  return `${root}/events.jsonl`;
}

/** An event as Claude gave it to the hooks, our own beside the one that writes it down. */
export interface HookEvent {
  hook_event_name: string;
  session_id: string;
  source?: string;
  reason?: string;
  cwd: string;
}

/** Every event so far, oldest first. */
export async function hookEvents({ scratch }: Live): Promise<HookEvent[]> {
  const text = await Deno.readTextFile(eventLog(scratch)).catch(() => "");
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Processes that were started in the scratch world: their environment names its HOME. Background agents stay. */
export function processesOf({ home }: Scratch): number[] {
  const mark = `\0HOME=${home}\0`;
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) => {
    try {
      return pid > 0 && `\0${Deno.readTextFileSync(`/proc/${pid}/environ`)}`.includes(mark);
    } catch {
      return false;
    }
  });
}

function killQuietly(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch { /* it ended by itself */ }
}

// A scratch world for one test: its own HOME, programs and environment. Nothing of the caller's tmux or Claude
// leaks in, and all of it is gone when the test ends.
import { programUnderTest } from "./run_bin.ts";

const STAND_IN = new URL("../../src/demo/claude.sh", import.meta.url);
const HOOK_EVENTS = ["SessionStart", "UserPromptSubmit", "SessionEnd"];

/** One start of the stand-in, as it logged it. */
export interface ClaudeStart {
  pid: number;
  argv: string[];
  cwd: string;
  config_dir: string | null;
  pane: string;
}

/** What the hooks of one event printed. */
export interface HookOutput {
  event: string;
  session_id: string;
  stdout: string;
  stderr: string;
}

export interface Scratch extends AsyncDisposable {
  root: string;
  /** Has a blank in its name on purpose. */
  home: string;
  /** First on PATH; holds `claude` (the stand-in) and `tmuxclaude`. */
  bin: string;
  /** Where tmuxclaude keeps its state in this HOME. */
  state: string;
  /** Claude's config dir in this HOME. */
  config: string;
  /** The program under test, as an executable path. */
  program: string;
  /** The whole environment for child processes; start them with `clearEnv: true`. */
  env: Record<string, string>;
  /** A new folder below HOME. */
  folder(name: string): Promise<string>;
  /** Registers `command` (default: the program's hook) for the three events in settings.json. */
  registerHooks(command?: string): Promise<void>;
  /** Every start of the stand-in, oldest first. */
  claudeStarts(): Promise<ClaudeStart[]>;
  /** What hooks printed to the stand-in: always empty for a well-behaved hook. */
  hookOutputs(): Promise<HookOutput[]>;
  /** What permission dialogs of the stand-in received, one line per answer. */
  dialogAnswers(): Promise<string[]>;
}

export async function makeScratch(): Promise<Scratch> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "tmuxclaude-" }));
  const home = `${root}/home of tests`;
  const bin = `${root}/bin`;
  const log = `${root}/claude.log`;
  await Deno.mkdir(`${home}/.claude`, { recursive: true });
  await Deno.mkdir(bin);
  await installStandIn(bin);
  const program = await installProgram(bin);
  const config = `${home}/.claude`;
  return {
    root,
    home,
    bin,
    state: `${home}/.local/state/tmuxclaude`,
    config,
    program,
    env: scratchEnvironment(root, home, bin, log),
    folder: (name) => makeFolder(`${home}/${name}`),
    registerHooks: (command) => writeSettings(config, command ?? `"${program}" hook`),
    claudeStarts: () => readLines(log),
    hookOutputs: () => readLines(`${log}.hooks`),
    dialogAnswers: async () => (await readText(`${log}.dialog`)).split("\n").filter((line) => line !== ""),
    [Symbol.asyncDispose]: () => removeQuietly(root),
  };
}

/** An allow-list: whatever else the caller has set does not reach the test. */
function scratchEnvironment(root: string, home: string, bin: string, log: string): Record<string, string> {
  return {
    HOME: home,
    PATH: `${bin}:${Deno.env.get("PATH") ?? "/usr/local/bin:/usr/bin:/bin"}`,
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    SHELL: "/bin/bash",
    USER: "tester",
    PS1: "$ ",
    TMUX_TMPDIR: root,
    STANDIN_LOG: log,
    TMUXCLAUDE_DENO: Deno.execPath(),
    ...compiledCode(),
  };
}

/** Tests may share Deno's cache of compiled code; without it every scratch HOME begins cold. */
function compiledCode(): Record<string, string> {
  const cache = Deno.env.get("TMUXCLAUDE_CACHE_DIR");
  return cache ? { TMUXCLAUDE_CACHE_DIR: cache } : {};
}

async function installStandIn(bin: string): Promise<void> {
  await Deno.copyFile(STAND_IN, `${bin}/claude`);
  await Deno.chmod(`${bin}/claude`, 0o755);
}

/** `tmuxclaude` on PATH: a link to the built file, or a script that runs the sources. */
async function installProgram(bin: string): Promise<string> {
  const path = `${bin}/tmuxclaude`;
  const command = programUnderTest();
  if (command.length === 1) {
    await Deno.symlink(command[0], path);
  } else {
    const words = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
    await Deno.writeTextFile(path, `#!/bin/sh\nexec env ${words} "$@"\n`, { mode: 0o755 });
  }
  return path;
}

async function writeSettings(config: string, command: string): Promise<void> {
  const entry = [{ hooks: [{ type: "command", command, timeout: 10 }] }];
  const hooks = Object.fromEntries(HOOK_EVENTS.map((event) => [event, entry]));
  await Deno.writeTextFile(`${config}/settings.json`, JSON.stringify({ hooks }, null, 2) + "\n");
}

async function makeFolder(path: string): Promise<string> {
  await Deno.mkdir(path, { recursive: true });
  return path;
}

async function readText(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

async function readLines<T>(path: string): Promise<T[]> {
  const lines = (await readText(path)).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line));
}

/** Processes that are just ending may still write into the folder, hence the second try; never raises. */
async function removeQuietly(path: string): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return await Deno.remove(path, { recursive: true });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

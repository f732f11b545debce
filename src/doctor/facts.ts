// What the checks look at, each collected once and only when a check asks. Every question to another program has a
// time limit.
import { configDir } from "../claude/config.ts";
import { dataFolder, homeFolder, readReceipt, type Receipt } from "../install/receipt.ts";
import { findConf, OLDEST_TMUX, ownConfPath, settingsPaths, usualServer } from "../install/request.ts";
import { findOnPath } from "../install/program.ts";
import { readSettings, type SettingsRead, splitBom } from "../install/settings_text.ts";
import { reasonOf, UserError } from "../errors.ts";
import { type Journal, readJournal } from "../state/journal.ts";
import { statePaths } from "../state/paths.ts";
import { type Survey, survey } from "../survey/survey.ts";
import { readPlainText } from "../system/plain_file.ts";
import type { System } from "../system/system.ts";
import { isAtLeast } from "../tmux/format.ts";
import { installedVersion, lookForServers, type RunningServer, type ServersFound } from "../tmux/servers.ts";
import { readServerState, type ServerState } from "./server_state.ts";

/** Milliseconds any question to another program may take. */
export const LIMIT_MS = 2_000;

/** One settings.json. */
export interface SettingsFile {
  path: string;
  exists: boolean;
  read: SettingsRead;
}

export interface Facts {
  system: System;
  /** Names the program as registered by install, else the one on PATH, else this one. */
  program(): string;
  receipt(): Receipt | null;
  settings(): SettingsFile[];
  conf(): Promise<{ path: string; text: string | null }>;
  servers(): Promise<ServersFound>;
  /** The server one is in, else the default one, else any; null without one. */
  server(): Promise<RunningServer | null>;
  /** Bindings, options and hooks of that server. Throws TmuxError. */
  serverState(): Promise<ServerState>;
  survey(): Promise<Survey>;
  journal(): Journal;
  /** `tmux -V`, null when tmux is not on PATH. */
  tmuxVersion(): Promise<string | null>;
}

/** Facts of this machine. Nothing is collected before it is asked for. */
export function collectFacts(system: System, folders?: readonly string[]): Facts {
  const once = memo();
  const facts: Facts = {
    system,
    program: () =>
      once("program", () => facts.receipt()?.program || findOnPath(system, "tmuxclaude") || system.self()),
    receipt: () => once("receipt", () => receiptOf(system)),
    settings: () => once("settings", () => allSettings(system, facts.receipt(), folders)),
    conf: () => once("conf", async () => readConf(system, facts.receipt(), await facts.servers())),
    servers: () => once("servers", () => lookForServers(system, LIMIT_MS)),
    server: () => once("server", async () => chooseServer(system, await facts.servers())),
    serverState: () =>
      once("state", async () => await readServerState((await facts.server())!.tmux, LIMIT_MS)),
    survey: () => once("survey", async () => await survey((await facts.server())!.tmux)),
    journal: () => once("journal", () => readJournal(system)),
    tmuxVersion: () => once("version", () => installedVersion(system, LIMIT_MS)),
  };
  return facts;
}

/** Also what cannot be read says something: whoever looks for what it would tell finds it missing. */
function receiptOf(system: System): Receipt | null {
  try {
    return readReceipt(system);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

function memo() {
  const known = new Map<string, unknown>();
  return <T>(name: string, collect: () => T): T => {
    if (!known.has(name)) known.set(name, collect());
    return known.get(name) as T;
  };
}

function allSettings(system: System, receipt: Receipt | null, folders?: readonly string[]): SettingsFile[] {
  const registered =
    receipt?.files.map((file) => file.path).filter((path) => path.endsWith("/settings.json")) ?? [];
  const paths = folders?.length
    ? settingsPaths(system, folders)
    : [...settingsPaths(system, []), ...registered];
  return [...new Set(paths)].map((path) => readOne(system, path));
}

function readOne(system: System, path: string): SettingsFile {
  try {
    if (!system.files.stat(path)) return { path, exists: false, read: { settings: {} } };
    return { path, exists: true, read: readSettings(splitBom(readPlainText(system, path)).body) };
  } catch (error) {
    return { path, exists: true, read: { reason: `it cannot be read: ${reasonOf(error)}` } };
  }
}

function readConf(system: System, receipt: Receipt | null, { running }: ServersFound) {
  const path = findConf(system, running, receipt);
  return { path, text: system.files.stat(path)?.kind === "file" ? readPlainText(system, path) : null };
}

function chooseServer(system: System, { running }: ServersFound): RunningServer | null {
  const usable = running.filter((server) => isAtLeast(server.version, OLDEST_TMUX));
  return usualServer(system, usable) ?? usable[0] ?? null;
}

/** The places that checks name. */
export function places(system: System) {
  const home = homeFolder(system);
  return {
    home,
    claude: configDir(system.env("CLAUDE_CONFIG_DIR"), home),
    data: dataFolder(system),
    ownConf: ownConfPath(system),
    state: statePaths(system).root,
  };
}

// What install is asked to do on this machine: which files, which keys, which servers. Reads only.
import { configDir } from "../claude/config.ts";
import { absolutePath } from "../path.ts";
import { readPlainText } from "../system/plain_file.ts";
import type { System } from "../system/system.ts";
import { isAtLeast } from "../tmux/format.ts";
import { chooseConf } from "../tmux/conf_file.ts";
import { bindingsInConf, type KeyBinding, readBindings } from "../tmux/key_bindings.ts";
import { findServers, type RunningServer } from "../tmux/servers.ts";
import { type KeyPlan, planKeys } from "./keys.ts";
import { programPath } from "./program.ts";
import { dataFolder, homeFolder, readReceipt, type Receipt, registeredConf } from "./receipt.ts";

export interface InstallFlags {
  dryRun?: boolean;
  /** Print snippets to paste, change nothing. */
  print?: boolean;
  yes?: boolean;
  noTmux?: boolean;
  /** Claude's config folders; default CLAUDE_CONFIG_DIR, else ~/.claude. */
  configDir?: readonly string[];
  tmuxConf?: string;
  key?: string;
  /** The path to register; default this program. */
  program?: string;
  json?: boolean;
}

export interface Request {
  program: string;
  /** Paths of settings.json files. */
  settings: string[];
  tmux: TmuxRequest | null;
}

export interface TmuxRequest {
  conf: string;
  /** Our own file, which the user's conf loads. */
  ownConf: string;
  keys: KeyPlan;
  /** Running servers that are new enough. */
  servers: RunningServer[];
  /** Running servers that are not. */
  tooOld: RunningServer[];
}

/** The oldest tmux whose formats and options we rely on. */
export const OLDEST_TMUX = "3.2";
/** Milliseconds one question to a server may take. */
export const ASK_MS = 2_000;

/** Collects everything. Throws UserError when there is no program to register or no home. */
export async function collectRequest(system: System, flags: InstallFlags): Promise<Request> {
  return {
    program: programPath(system, flags.program),
    settings: settingsPaths(system, flags.configDir),
    tmux: flags.noTmux ? null : await collectTmux(system, flags),
  };
}

/** The settings.json files to edit, each once. */
export function settingsPaths(system: System, given: readonly string[] | undefined): string[] {
  const home = homeFolder(system);
  const folders = given?.length
    ? given.map((folder) => configDir(folder, home, system.cwd()))
    : [configDir(system.env("CLAUDE_CONFIG_DIR"), home)];
  return [...new Set(folders.map((folder) => `${folder}/settings.json`))];
}

async function collectTmux(system: System, flags: InstallFlags): Promise<TmuxRequest> {
  const running = await findServers(system, ASK_MS);
  const isNew = (server: RunningServer) => isAtLeast(server.version, OLDEST_TMUX);
  const servers = running.filter(isNew);
  const receipt = readReceipt(system);
  const conf = flags.tmuxConf
    ? absolutePath(flags.tmuxConf, system.cwd())
    : findConf(system, servers, receipt);
  const bindings = await currentBindings(system, servers, conf);
  const known = receipt?.keys ?? null;
  return {
    conf,
    ownConf: ownConfPath(system),
    keys: planKeys({ bindings, wanted: flags.key ?? null, known }),
    servers,
    tooOld: running.filter((server) => !isNew(server)),
  };
}

/** Our own tmux.conf, which the user's loads. Throws UserError as dataFolder does. */
export function ownConfPath(system: System): string {
  return `${dataFolder(system)}/tmux.conf`;
}

/**
 * The user's tmux.conf: the one that was edited before, as long as it is there. Only the server one is in, or the
 * default one, tells what is usual here.
 */
export function findConf(system: System, servers: RunningServer[], receipt: Receipt | null): string {
  const registered = registeredConf(receipt);
  if (registered !== null && system.files.stat(registered)) return registered;
  return chooseConf(system, {
    home: homeFolder(system),
    configHome: system.env("XDG_CONFIG_HOME") ?? "",
    loaded: usualServer(system, servers)?.configFiles ?? [],
  });
}

/** The server one is in, else the default one, else null. */
export function usualServer(system: System, servers: RunningServer[]): RunningServer | null {
  const inside = system.env("TMUX")?.split(",")[0];
  return servers.find((server) => server.socket === inside) ??
    servers.find((server) => server.socket.endsWith("/default")) ?? null;
}

/** The prefix table of the running server, else what the configuration says. */
async function currentBindings(
  system: System,
  servers: RunningServer[],
  conf: string,
): Promise<KeyBinding[]> {
  const server = usualServer(system, servers) ?? servers[0];
  try {
    if (server) return await readBindings(server.tmux, ASK_MS);
  } catch {
    // A server that went away in between is as good as none.
  }
  return bindingsInConf(readConf(system, conf));
}

/** The configuration with the files it loads by name (one level). */
function readConf(system: System, path: string): string {
  const text = readOrEmpty(system, path);
  const home = homeFolder(system);
  return text.replaceAll(
    /^\s*source(?:-file)?\s+(?:-q\s+)?["']?([~$/][^\s"';]*)["']?\s*$/gm,
    (line, named: string) => {
      const found = named.replace(/^(~|\$HOME|\$\{HOME\})\//, `${home}/`);
      return found.startsWith("/") ? readOrEmpty(system, found) : line;
    },
  );
}

function readOrEmpty(system: System, path: string): string {
  try {
    return readPlainText(system, path);
  } catch {
    return "";
  }
}

// Taking everything back that install did, under the install lock.
import { reasonOf } from "../errors.ts";
import { absolutePath, folderOf } from "../path.ts";
import { removeQuietly } from "../state/atomic.ts";
import { statePaths } from "../state/paths.ts";
import type { System } from "../system/system.ts";
import { findServers, type RunningServer } from "../tmux/servers.ts";
import { alone, type ServerOutcome } from "./apply.ts";
import { cleanServer } from "./clean.ts";
import { removeBlock } from "./conf_edit.ts";
import type { Edit, Outcome } from "./edit.ts";
import { editForeign } from "./foreign_file.ts";
import { dataFolder, type FileReceipt, isExact, readReceipt, type Receipt, receiptPath } from "./receipt.ts";
import { ASK_MS, findConf, ownConfPath, settingsPaths } from "./request.ts";
import { removeHooks } from "./settings_edit.ts";
import { readSettings, splitBom } from "./settings_text.ts";

export interface UninstallFlags {
  dryRun?: boolean;
  yes?: boolean;
  /** Also the journal, the manifests and the stamps on panes. */
  purge?: boolean;
  /** Further config folders of Claude. */
  configDir?: readonly string[];
  tmuxConf?: string;
  json?: boolean;
}

export interface Removed {
  files: RemovedFile[];
  /** Files and folders of ours that are gone. */
  own: string[];
  servers: ServerOutcome[];
}

export type RemovedFile = Outcome & {
  /** Byte for byte as it was before install; false when nobody can tell or others changed it since. */
  exact: boolean;
};

/** Edits the files back, removes ours, cleans the running servers. */
export async function applyUninstall(system: System, flags: UninstallFlags): Promise<Removed> {
  const removed = await alone(system, async () => {
    const receipt = readReceipt(system);
    const running = await findServers(system, ASK_MS);
    const files: RemovedFile[] = [];
    for (const path of foreignPaths(system, flags, receipt, running)) {
      files.push(await takeBack(system, path, receipt?.files.find((file) => file.path === path)));
    }
    const servers = await Promise.all(
      running.map((server) => clean(system, server, receipt, flags.purge === true)),
    );
    return { files, servers, own: files.some((file) => file.outcome === "by_hand") ? [] : removeOwn(system) };
  });
  if (flags.purge) removed.own.push(...purge(system));
  return removed;
}

function foreignPaths(
  system: System,
  flags: UninstallFlags,
  receipt: Receipt | null,
  running: RunningServer[],
): string[] {
  const known = receipt?.files.map((file) => file.path) ?? [];
  const given = flags.tmuxConf && absolutePath(flags.tmuxConf, system.cwd());
  const conf = given ?? findConf(system, running, receipt);
  return [...new Set([...known, ...settingsPaths(system, flags.configDir), conf])];
}

async function takeBack(system: System, path: string, known: FileReceipt | undefined): Promise<RemovedFile> {
  const remove = path.endsWith("/settings.json") ? removeHooks : removeBlock;
  const outcome = await editForeign(system, path, async (text) => {
    if (text === null) return { kind: "unchanged" };
    return goesAltogether(await remove(text, known ?? null), known);
  });
  if (outcome.outcome !== "changed") return { ...outcome, exact: outcome.outcome === "unchanged" };
  const exact = await isExact(known, outcome.change);
  if (exact) forgetBackups(system, outcome, known!);
  return { ...outcome, exact };
}

/** A file that install made goes when nothing is left in it. */
function goesAltogether(edit: Edit, known: FileReceipt | undefined): Edit {
  if (edit.kind !== "changed" || !known?.created) return edit;
  const body = splitBom(edit.text).body;
  const read = readSettings(body);
  const isEmpty = body.trim() === "" || ("settings" in read && Object.keys(read.settings).length === 0);
  return isEmpty ? { kind: "removed" } : edit;
}

/** The file is what the copies hold, so they are of no more use. */
function forgetBackups(
  system: System,
  outcome: Extract<Outcome, { outcome: "changed" }>,
  known: FileReceipt,
): void {
  for (const backup of [...known.backups, ...(outcome.backup ? [outcome.backup] : [])]) {
    removeQuietly(system, backup);
  }
  if (outcome.change.after === null && known.made_folder) removeQuietly(system, folderOf(outcome.target));
}

async function clean(
  system: System,
  server: RunningServer,
  receipt: Receipt | null,
  purge: boolean,
): Promise<ServerOutcome> {
  const { socket, tmux } = server;
  try {
    const had = await cleanServer({ ...tmux, system }, receipt?.keys ?? null, purge);
    return { socket, outcome: had ? "applied" : "unchanged", reason: null };
  } catch (error) {
    return { socket, outcome: "failed", reason: reasonOf(error) };
  }
}

function removeOwn(system: System): string[] {
  const files = [ownConfPath(system), receiptPath(system)].filter((path) => system.files.lstat(path));
  for (const path of files) removeQuietly(system, path);
  // Stays while something else is in it: the Deno that install.sh may have fetched.
  if (system.files.stat(dataFolder(system))) removeQuietly(system, dataFolder(system));
  return files;
}

function purge(system: System): string[] {
  const { root } = statePaths(system);
  if (system.files.lstat(root)?.kind !== "directory") return [];
  system.files.remove(root, { recursive: true });
  return [root];
}

// Doing what install was asked for, under the install lock from the first read to the last write.
import { reasonOf, UserError } from "../errors.ts";
import { folderOf } from "../path.ts";
import { writeAtomic } from "../state/atomic.ts";
import { withLock } from "../state/lock.ts";
import { prepareState } from "../state/paths.ts";
import { readPlainText } from "../system/plain_file.ts";
import type { System } from "../system/system.ts";
import { runTmux } from "../tmux/client.ts";
import { nameConf } from "../tmux/name_conf.ts";
import { readBindings } from "../tmux/key_bindings.ts";
import type { RunningServer } from "../tmux/servers.ts";
import { keyCommands } from "./key_commands.ts";
import { addBlock } from "./conf_edit.ts";
import type { Outcome, PlanEdit } from "./edit.ts";
import { editForeign } from "./foreign_file.ts";
import { ownConf } from "./own_conf.ts";
import {
  homeFolder,
  type KeyReceipt,
  noteChange,
  prepareData,
  readReceipt,
  type Receipt,
  writeReceipt,
} from "./receipt.ts";
import { ASK_MS, ownConfPath, type Request, type TmuxRequest } from "./request.ts";
import { addHooks } from "./settings_edit.ts";
import { globWord, pathWord } from "./tmux_words.ts";

/** What became of a running server. */
export interface ServerOutcome {
  socket: string;
  outcome: "applied" | "unchanged" | "too_old" | "failed";
  reason: string | null;
}

export interface Applied {
  /** Foreign files, in the order in which they were edited. */
  files: Outcome[];
  /** Our own tmux.conf, null when tmux was left out. */
  ownConf: "written" | "unchanged" | null;
  servers: ServerOutcome[];
}

const LOCK_MS = 10_000;

/** Runs the action while no other install or uninstall of this user does anything. Throws UserError when one does. */
export async function alone<T>(system: System, action: () => Promise<T>): Promise<T> {
  const { installLock } = prepareState(system);
  const locked = await withLock(system, installLock, { exclusive: true, waitMs: LOCK_MS }, action);
  if (locked.held) return locked.value;
  const holder = lockHolder(system, installLock);
  const why = `another install or uninstall is at work${holder ? ` (process ${holder})` : ""}`;
  throw new UserError("Cannot change your configuration", why, "Try again when it is done");
}

/** Linux tells who holds a lock; null elsewhere. */
function lockHolder(system: System, path: string): string | null {
  try {
    const inode = system.files.stat(path)?.inode;
    const line = system.files.readText("/proc/locks").split("\n").find((text) => text.includes(`:${inode} `));
    return line?.trim().split(/\s+/)[4] ?? null;
  } catch {
    return null;
  }
}

/** Edits all files and tells the running servers. With the System of a dry run it tells what it would do. */
export function applyInstall(system: System, request: Request): Promise<Applied> {
  return alone(system, async () => {
    // Before any file of others: without a receipt nothing could be taken back exactly.
    prepareData(system);
    const receipt = readReceipt(system) ?? { schema: 1, program: request.program, files: [], keys: null };
    receipt.program = request.program;
    const files: Outcome[] = [];
    for (const path of request.settings) files.push(await register(system, path, request.program, receipt));
    const tmux = request.tmux && await applyTmux(system, request.program, request.tmux, { files, receipt });
    if (request.tmux) receipt.keys = withoutNotes(request.tmux);
    writeReceipt(system, receipt);
    return { files, ownConf: tmux?.ownConf ?? null, servers: tmux?.servers ?? [] };
  });
}

/** Claude and others write the file without any lock: they may put back what they had read before our write. */
const SETTLE_MS = 60;
const SETTLE_TRIES = 5;

/** Adds the hooks, and looks again a moment later whether they are still there. */
async function register(system: System, path: string, program: string, receipt: Receipt): Promise<Outcome> {
  let outcome: Outcome | null = null;
  for (let attempt = 0; attempt < SETTLE_TRIES; attempt++) {
    const now = await editNoted(system, path, receipt, (text) => addHooks(text ?? "", program));
    outcome = outcome && now.outcome === "unchanged" ? outcome : now;
    if (now.outcome !== "changed" || system.dryRun) break;
    await system.sleep(SETTLE_MS);
  }
  return outcome!;
}

/**
 * Edits a file that is not ours. What will be taken back is written down before it is done: killed in between, or on a
 * disk that has become full, the file can still be given back byte for byte.
 */
async function editNoted(system: System, path: string, receipt: Receipt, plan: PlanEdit): Promise<Outcome> {
  const known = receipt.files.find((file) => file.path === path);
  const others = receipt.files.filter((file) => file !== known);
  const outcome = await editForeign(system, path, async (text) => {
    const edit = await plan(text);
    if (edit.kind !== "changed" || system.dryRun) return edit;
    const madeFolder = !system.files.stat(folderOf(path));
    const change = { before: text, after: edit.text, steps: edit.steps, made: edit.made, madeFolder };
    receipt.files = [...others, await noteChange(known, { path, change, backup: null })];
    writeReceipt(system, receipt);
    return edit;
  });
  const noted = outcome.outcome === "changed" ? await noteChange(known, outcome) : known;
  receipt.files = noted ? [...others, noted] : others;
  return outcome;
}

async function applyTmux(
  system: System,
  program: string,
  tmux: TmuxRequest,
  { files, receipt }: { files: Outcome[]; receipt: Receipt },
) {
  const text = ownConf({ program, keys: tmux.keys, names: nameConf({ bin: program }) });
  const written = writeOwn(system, tmux.ownConf, text);
  const line = sourceLine(system);
  files.push(await editNoted(system, tmux.conf, receipt, (old) => addBlock(old ?? "", line)));
  return { ownConf: written, servers: await tellServers(system, tmux, receipt.keys) };
}

/** The line that loads our file. -q: a file that is missing is no error. */
export function sourceLine(system: System): string {
  return `source-file -q ${pathWord(ownConfPath(system), homeFolder(system))}`;
}

function writeOwn(system: System, path: string, text: string): "written" | "unchanged" {
  if (holds(system, path, text)) return "unchanged";
  writeAtomic(system, path, text);
  return "written";
}

function holds(system: System, path: string, text: string): boolean {
  try {
    return readPlainText(system, path) === text;
  } catch {
    return false;
  }
}

async function tellServers(
  system: System,
  tmux: TmuxRequest,
  before: KeyReceipt | null,
): Promise<ServerOutcome[]> {
  const given = before && before.key !== tmux.keys.key ? before : null;
  const told = await Promise.all(tmux.servers.map((server) => tell(system, server, tmux.ownConf, given)));
  const old = tmux.tooOld.map(({ socket, version }): ServerOutcome => {
    return { socket, outcome: "too_old", reason: `it runs tmux ${version}, too old` };
  });
  return [...told, ...old];
}

/** Loads our file; keys of an earlier install that are not ours any more are given back before that. */
async function tell(
  system: System,
  { socket, tmux }: RunningServer,
  ownConf: string,
  given: KeyReceipt | null,
): Promise<ServerOutcome> {
  if (system.dryRun) return { socket, outcome: "applied", reason: null };
  try {
    const back = given ? keyCommands(await readBindings(tmux, ASK_MS), given) : [];
    await runTmux(tmux, [...back, ["source-file", globWord(ownConf)]], ASK_MS);
    return { socket, outcome: "applied", reason: null };
  } catch (error) {
    return { socket, outcome: "failed", reason: reasonOf(error) };
  }
}

function withoutNotes({ keys: { notes: _notes, ...keys } }: TmuxRequest) {
  return keys;
}

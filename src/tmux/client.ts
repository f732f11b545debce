// The only place that runs tmux. Commands travel in batches, targets are ids, every call has a time limit.
import { ExitCode, UserError } from "../errors.ts";
import type { RunResult, System } from "../system/system.ts";
import { argument, confWord } from "./format.ts";

/** One tmux command as its words: `["set-option", "-p", "-t", "%1", …]`. */
export type Command = string[];

export interface Tmux {
  system: System;
  /** Path of the socket, or null for tmux's own default. */
  socket: string | null;
}

/** Why a call to tmux gave nothing: told apart because "no server" is not "failed". */
export class TmuxError extends Error {
  override name = "TmuxError";
  constructor(readonly command: string, readonly detail: string, readonly kind: TmuxErrorKind) {
    super(`${command}: ${detail}`);
  }
}

export type TmuxErrorKind = "no-server" | "no-tmux" | "timeout" | "failed";

/** Longest time one call may take, in milliseconds. */
export const LIMIT_MS = 5_000;

/** tmux refuses messages of about 16 KB ("command too long"); batches stay well below. */
const BATCH_BYTES = 12_000;

/** The socket in the TMUX variable (`path,pid,session`; the session is -1 in jobs without one), or null. */
export function socketOf(variable: string | undefined): string | null {
  const found = /^(.+),\d+,-?\d+$/s.exec(variable ?? "");
  return found ? found[1] : null;
}

/** The server to talk to: `--socket`, else the one in TMUX, else tmux's default. */
export function connect(system: System, socket?: string): Tmux {
  if (socket === undefined) return { system, socket: socketOf(system.env("TMUX")) };
  return { system, socket: socket.startsWith("/") ? socket : `${system.cwd()}/${socket}` };
}

/** Runs commands in as few calls as their size allows and returns what they printed. Throws TmuxError. */
export async function runTmux(tmux: Tmux, commands: Command[], limitMs = LIMIT_MS): Promise<string> {
  let printed = "";
  for (const batch of batches(commands)) printed += await call(tmux, batch, limitMs);
  return printed;
}

/** Groups commands so that each group stays below tmux's limit for one message. Pure. */
export function batches(commands: Command[], limit = BATCH_BYTES): Command[][] {
  const groups: Command[][] = [];
  let size = limit;
  for (const command of commands) {
    const bytes = command.reduce((sum, word) => sum + word.length * 3 + 1, 2);
    if (size + bytes > limit || groups.length === 0) {
      groups.push([]);
      size = 0;
    }
    groups[groups.length - 1].push(command);
    size += bytes;
  }
  return groups;
}

function words(batch: Command[]): string[] {
  return batch.flatMap((command, index) => [...(index ? [";"] : []), ...command.map(argument)]);
}

/** Commands of one file: tmux also prints them into one text, whose end it looks for again with each (seen on 3.7c). */
const FILE_COMMANDS = 400;

/**
 * Runs many commands that print nothing, as files on tmux's stdin. With a thousand panes a call costs tmux 10 ms
 * before it has done anything, and a call takes only a few stamps. A command that fails (its pane is gone) does not
 * keep the others from running; the first failure is thrown at the end, as a TmuxError.
 */
export async function runManyTmux(tmux: Tmux, commands: Command[], limitMs = LIMIT_MS): Promise<void> {
  if (batches(commands).length < 2) return void await runTmux(tmux, commands, limitMs);
  const failures: TmuxError[] = [];
  let running: Promise<unknown> = Promise.resolve();
  for (let from = 0; from < commands.length; from += FILE_COMMANDS) {
    // The next file is made while tmux reads the last one.
    const lines = commands.slice(from, from + FILE_COMMANDS).map((words) => words.map(confWord).join(" "));
    await running;
    running = call(tmux, [["source-file", "-"]], limitMs, `${lines.join("\n")}\n`).catch((error) => {
      if (!(error instanceof TmuxError) || error.kind !== "failed") throw error;
      failures.push(error);
    });
  }
  await running;
  if (failures.length > 0) throw failures[0];
}

async function call(tmux: Tmux, batch: Command[], limitMs: number, stdin?: string): Promise<string> {
  const result = await spawn(
    tmux,
    batch,
    (args, options) => tmux.system.run("tmux", args, { limitMs, stdin, ...options }),
  );
  const name = batch[0][0];
  if (result.timedOut) throw new TmuxError(name, `no answer within ${limitMs} ms`, "timeout");
  if (result.code !== 0) throw failed(name, result);
  return result.stdout;
}

/** How long a command that shows something may take to fail, in milliseconds. */
const SHOWN_MS = 200;

/** Runs a command whose client stays until a person is done with it (a menu). Throws TmuxError when it fails at once. */
export async function showTmux(tmux: Tmux, command: Command): Promise<void> {
  const limitMs = SHOWN_MS;
  const result = await spawn(
    tmux,
    [command],
    (args, options) => tmux.system.start("tmux", args, { limitMs, ...options }),
  );
  if (result !== null && result.code !== 0) throw failed(command[0], result);
}

function failed(name: string, { code, stderr }: RunResult): TmuxError {
  const detail = stderr.trim().split("\n")[0] || `exit code ${code}`;
  return new TmuxError(name, detail, noServer(detail) ? "no-server" : "failed");
}

interface SpawnOptions {
  env: Record<string, string>;
  clearEnv: true;
  cwd: string;
}

async function spawn<T>(
  tmux: Tmux,
  batch: Command[],
  start: (args: string[], options: SpawnOptions) => Promise<T>,
): Promise<T> {
  const socket = tmux.socket === null ? [] : ["-S", tmux.socket];
  const { LD_PRELOAD: _preload, LD_LIBRARY_PATH: _library, ...env } = tmux.system.environment();
  try {
    // -u: without it a client outside tmux in a C locale prints "_" for what is not ASCII (seen on 3.3a).
    // cwd: nothing can be started from a folder that is gone, and Claude removes a worktree before its last hook.
    return await start(["-u", ...socket, ...words(batch)], { env, clearEnv: true, cwd: "/" });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      throw new TmuxError(batch[0][0], "tmux is not on PATH", "no-tmux");
    }
    throw error;
  }
}

/** A socket that may not be used tells nothing about the server behind it. */
function noServer(detail: string): boolean {
  return !/\(Permission denied\)/.test(detail) &&
    /^(no server running|error connecting|lost server|server exited|no current client)/.test(detail);
}

/** A TmuxError as the error a person should read: exit code 4 when there is no server. */
export function explain(error: unknown, what: string): UserError {
  if (!(error instanceof TmuxError)) throw error;
  if (error.kind === "no-server") {
    const next = 'Start one with "tmux"; "tmuxclaude recover" lists what the last one held';
    return new UserError(what, "there is no tmux server here", next, ExitCode.noServer);
  }
  if (error.kind === "no-tmux") {
    return new UserError(
      what,
      "tmux is not on PATH",
      "Install tmux, or add its folder to PATH",
      ExitCode.noServer,
    );
  }
  const next = 'Run "tmuxclaude doctor" to see what is wrong';
  return new UserError(what, error.message, next, ExitCode.failed, { cause: error });
}

// The outside world as one value: environment, clock, processes, files, terminal. Everything that acts takes a
// System, so that a dry run and a failing disk are other Systems and not other code.

/** What a finished child process left. */
export interface RunResult {
  code: number;
  stdout: string;
  stderr: string;
  timedOut: boolean;
}

export interface RunOptions {
  /** Milliseconds after which the child is killed. */
  limitMs: number;
  stdin?: string;
  env?: Record<string, string>;
  /** Start with an empty environment plus `env`. */
  clearEnv?: boolean;
  cwd?: string;
}

/** One process as the kernel describes it. */
export interface Process {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Device number of the controlling terminal, 0 when there is none. */
  terminal: number;
  /** Foreground process group of that terminal, -1 when there is none. */
  foreground: number;
  /** R, S, T, Z …, as in /proc/PID/stat. */
  state: string;
  /** Start time in the kernel's own unit (clock ticks on Linux, a date text on macOS): for comparing only. */
  started: string;
  /** The kernel's name of the program (15 characters on Linux). */
  name: string;
}

export interface Processes {
  /** One process, or null when it is not there. Linux: no child process is started. */
  read(pid: number): Process | null;
  /** Every process that can be seen. */
  all(): Process[];
  /** Its argument list, empty when it cannot be read. */
  argv(pid: number): string[];
  /** The path of its executable, or null when it cannot be read. */
  executable(pid: number): string | null;
  /** One variable of its start environment, or null. */
  variable(pid: number, name: string): string | null;
  /** Numeric user id of its owner, or null. */
  owner(pid: number): number | null;
  /** When it started, in milliseconds since the epoch, or null. */
  startedAt(process: Process): number | null;
  exists(pid: number): boolean;
}

/** A file held open: the few operations the state rules need. */
export interface OpenFile extends Disposable {
  read(into: Uint8Array): number;
  write(bytes: Uint8Array): void;
  seek(offset: number): void;
  size(): number;
  sync(): void;
  /** Tries to take the kernel's advisory lock without waiting. */
  tryLock(exclusive: boolean): boolean;
  unlock(): void;
}

export interface OpenFlags {
  read?: boolean;
  write?: boolean;
  append?: boolean;
  create?: boolean;
  /** Fail when something is there already, also a link. */
  createNew?: boolean;
  /** Permission bits for a new file. */
  mode?: number;
}

export interface FileFacts {
  kind: "file" | "directory" | "link" | "other";
  size: number;
  /** Milliseconds since the epoch. */
  modified: number;
  mode: number;
  owner: number;
  inode: number;
}

export interface Files {
  /** Facts about what the path leads to, or null when there is nothing (also for a dangling link). */
  stat(path: string): FileFacts | null;
  /** Facts about the path itself, links not followed. */
  lstat(path: string): FileFacts | null;
  /** Names in a folder, [] when it is missing. */
  list(path: string): string[];
  /** Whole text. Throws Deno.errors.NotFound and friends. */
  readText(path: string): string;
  readLink(path: string): string;
  realPath(path: string): string;
  open(path: string, flags: OpenFlags): OpenFile;
  /** Makes a folder with its parents, new ones with `mode`. */
  makeDir(path: string, mode: number): void;
  rename(from: string, to: string): void;
  /** Removes a file, or a folder with all in it when `recursive`. Missing is fine. */
  remove(path: string, options?: { recursive?: boolean }): void;
  chmod(path: string, mode: number): void;
  symlink(target: string, path: string): void;
  /** A fresh folder in the system's place for temporary files. */
  makeTempDir(prefix: string): string;
}

export interface System {
  /** "linux" or "darwin" (others behave as linux). */
  platform: string;
  pid: number;
  /** Numeric user id, null where there is none. */
  uid: number | null;
  /** True in a dry run: files are only read, and `planned` tells what would have been written. */
  dryRun: boolean;
  env(name: string): string | undefined;
  environment(): Record<string, string>;
  hostname(): string;
  cwd(): string;
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Hexadecimal characters nobody can guess. */
  randomHex(bytes: number): string;
  files: Files;
  processes: Processes;
  /** Bytes of memory that programs can still take, null when unknown. */
  availableMemory(): number | null;
  totalMemory(): number | null;
  run(program: string, args: string[], options: RunOptions): Promise<RunResult>;
  /** Starts a program and leaves it running: its result when it ended within `limitMs`, null while it still runs. */
  start(program: string, args: string[], options: RunOptions): Promise<RunResult | null>;
  /** Runs an interactive program on this terminal with exactly this environment, returns its exit code. */
  runInteractive(program: string, args: string[], env: Record<string, string>): Promise<number>;
  /**
   * Reads stdin to its end, at most `limit` bytes (one more tells that it was longer). Once `busy` has settled it
   * waits at most `graceMs` more: no timer is made while the caller has other work (one costs 6 ms of start-up).
   */
  readStdin(limit: number, busy: Promise<unknown>, graceMs: number): Promise<Uint8Array>;
  stdout(text: string): void;
  stderr(text: string): void;
  isTerminal(stream: "stdin" | "stdout" | "stderr"): boolean;
  /** Columns of the terminal, 80 when there is none. */
  columns(): number;
  /** Asks a question on the terminal; null when there is none, or at the end of the input (Ctrl-D). */
  ask(question: string): string | null;
  /** The file this program is: what goes into other people's files as an absolute path. */
  self(): string;
  /** The Deno that runs this program, null when it is compiled and needs none. */
  runtime(): string | null;
  /** Sends a signal to one process; one that is gone is no error. */
  kill(pid: number, signal: "SIGKILL" | "SIGTERM"): void;
  /** Calls the action instead of ending when the user or the system wants an end (Ctrl-C, SIGTERM, SIGHUP). */
  onInterrupt(action: () => void): Disposable;
}

// A private tmux server for one test, on a random socket in a scratch folder. Disposing of it ends the server,
// its socket and the scratch, and never raises.
import { until } from "./poll.ts";
import { makeScratch, type Scratch } from "./scratch.ts";
import { isAlive } from "./processes.ts";
import { literal, type Pane, paneTable, trimLines } from "./tmux_text.ts";

export type { Pane } from "./tmux_text.ts";

/** How each shell is started without anybody's configuration. */
export const SHELLS = {
  bash: "bash --norc --noprofile",
  zsh: "zsh -f",
  fish: "fish --no-config",
  dash: "dash",
} as const;

export type Shell = keyof typeof SHELLS;

export interface PaneOptions {
  folder?: string;
  shell?: Shell;
  /** Run this instead of a shell, as the pane's own process. */
  command?: string;
  /** Window name; giving one turns automatic-rename off, as for a user. */
  name?: string;
}

export interface SessionOptions extends PaneOptions {
  session?: string;
}

export interface ServerOptions {
  /** Lines for tmux.conf, after the ones that keep the server alive. */
  conf?: string;
  scratch?: Scratch;
}

// exit-empty off: the server stays up between a restart and the first session.
const CONF = "set -s exit-empty off\nset -s escape-time 0\nset -g history-limit 5000\n";

export async function startServer(options: ServerOptions = {}): Promise<TmuxServer> {
  const scratch = options.scratch ?? await makeScratch();
  await Deno.writeTextFile(`${scratch.root}/tmux.conf`, CONF + (options.conf ?? ""));
  const server = new TmuxServer(scratch, `t${crypto.randomUUID().slice(0, 8)}`);
  await server.restart();
  return server;
}

export class TmuxServer implements AsyncDisposable {
  constructor(readonly scratch: Scratch, readonly socketName: string) {}

  get socketPath(): string {
    return `${this.scratch.root}/tmux-${Deno.uid()}/${this.socketName}`;
  }

  /** Starts the server, without sessions; after kill9 on the same socket. */
  async restart(): Promise<void> {
    await this.run("start-server");
  }

  /** One tmux command; its output without the last newline. A failure is an error with tmux's own words. */
  async run(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.attempt(...args);
    if (code !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr.trim()} (exit ${code})`);
    return stdout.replace(/\n$/, "");
  }

  /** The same, for commands that may fail. */
  async attempt(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const output = await new Deno.Command("tmux", {
      args: ["-u", "-L", this.socketName, "-f", `${this.scratch.root}/tmux.conf`, ...args],
      env: this.scratch.env,
      clearEnv: true,
      cwd: this.scratch.home,
      stdin: "null",
    }).output();
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code: output.code, stdout: decode(output.stdout), stderr: decode(output.stderr) };
  }

  async pid(): Promise<number> {
    return Number(await this.run("display-message", "-p", "#{pid}"));
  }

  /** Every pane of the server; none when it has no tmux session yet. */
  async panes(): Promise<Pane[]> {
    const { format, parse } = paneTable();
    const { code, stdout, stderr } = await this.attempt("list-panes", "-a", "-F", format);
    if (code !== 0 && !stderr.includes("no current target")) throw new Error(`tmux list-panes: ${stderr}`);
    return parse(stdout);
  }

  /** A new tmux session with one pane; gives the pane's id once its shell shows a prompt. */
  newSession(options: SessionOptions = {}): Promise<string> {
    const session = options.session === undefined ? [] : ["-s", options.session];
    return this.#open(["new-session", "-d", "-x", "200", "-y", "50", ...session], options);
  }

  /** A new window in the tmux session of `pane`. */
  async newWindow(pane: string, options: PaneOptions = {}): Promise<string> {
    const session = await this.paneFormat(pane, "#{session_id}");
    return this.#open(["new-window", "-d", "-a", "-t", `${session}:{end}`], options);
  }

  /** A new pane beside `pane`; the window is tiled afterwards so that there is room for more. */
  async split(pane: string, options: PaneOptions = {}): Promise<string> {
    const created = await this.#open(["split-window", "-d", "-t", pane], options);
    await this.run("select-layout", "-t", created, "tiled");
    return created;
  }

  /** Types a line at whatever runs in the pane, and Enter. */
  async sendLine(pane: string, text: string): Promise<void> {
    await this.type(pane, text);
    await this.run("send-keys", "-t", pane, "Enter");
  }

  /** Types text, no Enter. */
  async type(pane: string, text: string): Promise<void> {
    if (text !== "") await this.run("send-keys", "-t", pane, "-l", "--", literal(text));
  }

  /** Presses named keys, such as "C-c". */
  async press(pane: string, ...keys: string[]): Promise<void> {
    await this.run("send-keys", "-t", pane, ...keys);
  }

  /** What is on the pane's screen; wrapped lines are joined, blanks at the ends of lines are gone. */
  async capture(pane: string): Promise<string> {
    return trimLines(await this.run("capture-pane", "-p", "-J", "-t", pane));
  }

  /** Screen and scrollback. */
  async captureAll(pane: string): Promise<string> {
    return trimLines(await this.run("capture-pane", "-p", "-J", "-S", "-", "-t", pane));
  }

  async paneFormat(pane: string, format: string): Promise<string> {
    const mark = `<${crypto.randomUUID()}>`;
    const answer = await this.run("display-message", "-p", "-t", pane, `#{pane_id}${mark}${format}`);
    const [id, value] = answer.split(mark);
    if (id !== pane) throw new Error(`There is no pane ${pane}`);
    return value;
  }

  /** The environment a program started in that pane would have. */
  async paneEnv(pane: string): Promise<Record<string, string>> {
    const [session, pid] = (await this.paneFormat(pane, "#{session_id} #{pid}")).split(" ");
    return { ...this.scratch.env, TMUX: `${this.socketPath},${pid},${session.slice(1)}`, TMUX_PANE: pane };
  }

  /** Kills the server as a crash would, and waits until it and all that ran in its panes are gone. */
  async kill9(): Promise<void> {
    const pids = [
      await this.pid(),
      ...(await this.panes()).map((pane) => pane.pid),
      ...await this.#claudes(),
    ];
    Deno.kill(pids[0], "SIGKILL");
    await until(`the end of the tmux server and its panes`, () => !pids.some(isAlive), 60_000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      const pids = await this.#claudes();
      await this.attempt("kill-server");
      await until("the end of the stand-ins", () => !pids.some(isAlive), 10_000);
    } catch { /* the scratch goes all the same */ }
    await this.scratch[Symbol.asyncDispose]();
  }

  async #open(args: string[], options: PaneOptions): Promise<string> {
    const folder = literal((options.folder ?? this.scratch.home).replaceAll("#", "##"));
    const name = options.name === undefined || args[0] === "split-window"
      ? []
      : ["-n", literal(options.name)];
    const command = options.command ?? SHELLS[options.shell ?? "bash"];
    const pane = await this.run(...args, ...name, "-P", "-F", "#{pane_id}", "-c", folder, command);
    if (options.command === undefined) {
      await until(`a prompt in pane ${pane}`, async () => (await this.capture(pane)).trim());
    }
    return pane;
  }

  /** Process ids from the stand-in's registry. */
  async #claudes(): Promise<number[]> {
    const names = await Array.fromAsync(Deno.readDir(`${this.scratch.config}/sessions`)).catch(() => []);
    return names.map((entry) => Number(entry.name.replace(/\.json$/, ""))).filter((pid) => pid > 0);
  }
}

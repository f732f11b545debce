// A person at a terminal, and what they see: the terminal is a pane of one tmux server, in which the person starts
// tmux as on any machine, with their own tmux.conf and the real tmux-resurrect.
import { untilText } from "../helpers/poll.ts";
import { runBin } from "../helpers/run_bin.ts";
import { makeScratch, type Scratch } from "../helpers/scratch.ts";
import { startServer, type TmuxServer } from "../helpers/tmux_server.ts";
import { parseScreen } from "./screen.ts";
import type { Frame, Size } from "./svg.ts";

export interface RecorderOptions {
  size: Size;
  /** Folder of tmux-resurrect. */
  resurrect: string;
  /** Lines for the person's tmux.conf. */
  conf: string;
}

export class Recorder implements AsyncDisposable {
  readonly frames: Frame[] = [];

  private constructor(readonly scratch: Scratch, readonly outer: TmuxServer, readonly pane: string) {}

  /** Opens the terminal in a HOME where tmuxclaude is installed. */
  static async open({ size, resurrect, conf }: RecorderOptions): Promise<Recorder> {
    const scratch = await makeScratch();
    // tmux-resurrect restores nothing from a folder with a blank in its path, which this HOME has.
    const saves = `set -g @resurrect-dir '${scratch.root}/resurrect'`;
    const lines = [BASE_CONF, conf, saves, `run-shell "'${resurrect}/resurrect.tmux'"`];
    await Deno.writeTextFile(`${scratch.home}/.tmux.conf`, `${lines.join("\n")}\n`);
    const installed = await runBin(["install", "--yes"], { env: scratch.env });
    if (installed.code !== 0) throw new Error(`install failed: ${installed.stderr}`);
    const outer = await startServer({ conf: "set -g status off\n" });
    const pane = await outer.newSession({ folder: scratch.home, command: shell(scratch) });
    await outer.run("resize-window", "-t", pane, "-x", String(size.columns), "-y", String(size.rows));
    const recorder = new Recorder(scratch, outer, pane);
    await recorder.sees(/^\$ ?$/m);
    await recorder.types("clear");
    return recorder;
  }

  /** Types a line and Enter. */
  async types(line: string): Promise<void> {
    await this.outer.sendLine(this.pane, line);
  }

  /** Presses keys, such as C-b and then r. */
  async presses(...keys: string[]): Promise<void> {
    for (const key of keys) await this.outer.press(this.pane, key);
  }

  /** Waits until the screen shows it. */
  async sees(wanted: string | RegExp): Promise<void> {
    await untilText(`the screen to show ${wanted}`, () => this.outer.capture(this.pane), wanted, 30_000);
  }

  /** Takes a picture of the screen. */
  async shoots(caption: string, seconds = 2): Promise<void> {
    const screen = await this.outer.run("capture-pane", "-p", "-e", "-N", "-t", this.pane);
    const place = await this.outer.paneFormat(this.pane, "#{cursor_x} #{cursor_y} #{cursor_flag}");
    const [column, row, visible] = place.split(" ").map(Number);
    const cursor = visible === 1 ? { column, row } : null;
    this.frames.push({ rows: parseScreen(screen), cursor, caption, seconds });
  }

  /** One command of the person's tmux. */
  async tmux(...args: string[]): Promise<string> {
    const { env, home } = this.scratch;
    const ran = await new Deno.Command("tmux", { args, env, clearEnv: true, cwd: home }).output();
    if (!ran.success) throw new Error(`tmux ${args[0]}: ${new TextDecoder().decode(ran.stderr)}`);
    return new TextDecoder().decode(ran.stdout).trim();
  }

  /** Kills the person's tmux server as a crash would. */
  async crashes(): Promise<void> {
    const pid = Number(await this.tmux("display-message", "-p", "#{pid}"));
    Deno.kill(pid, "SIGKILL");
    await this.sees(/(exited|lost)[^]*\$/);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.tmux("kill-server").catch(() => {});
    await this.outer[Symbol.asyncDispose]();
    await this.scratch[Symbol.asyncDispose]();
  }
}

/** Prompts of one character; nothing on the screen that differs from machine to machine. */
const BASE_CONF = `set -g default-command "exec env PS1='$ ' bash --norc --noprofile"
set -g escape-time 0
set -g assume-paste-time 0
set -g status-right ""
set -g status-left "#S "
set -g status-style "fg=black,bg=green"`;

/** The person's shell, with the environment of the scratch and nothing else. */
function shell(scratch: Scratch): string {
  const variables = Object.entries(scratch.env).map(([name, value]) => `'${name}=${value}'`);
  return `exec env -i ${variables.join(" ")} bash --norc --noprofile`;
}

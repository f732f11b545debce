// Why a pane is not typed into, in one line for the status bar: names the program and says what to do. Pure.
import type { Shell } from "../line/quote.ts";

export type NotReady =
  | "dead"
  | "claude"
  | "input-off"
  | "program"
  | "remote"
  | "other-user"
  | "starting"
  | "unknown";

export type PromptState =
  | {
    ready: true;
    shell: Shell;
    shellPid: number;
    /** Its locale is not UTF-8 (as it was started): type ASCII only. */
    ascii: boolean;
  }
  | {
    ready: false;
    because: NotReady;
    /** The program in the foreground, when one is to blame. */
    program: string | null;
    /** One line for the status bar, at most 68 characters, without the product's name. */
    message: string;
  };

export type Refusal = Extract<PromptState, { ready: false }>;
const REMOTE = new Set([
  "ssh",
  "mosh",
  "mosh-client",
  "telnet",
  "et",
  "autossh",
  "sshpass",
  "slogin",
  "rlogin",
]);
const CONTAINERS = new Set(
  "docker podman nerdctl kubectl oc lxc incus machinectl systemd-nspawn nsenter chroot toolbox distrobox vagrant bwrap"
    .split(" "),
);
const OTHER_USER = new Set(["su", "sudo", "doas", "run0", "pkexec"]);
const MULTIPLEXERS = new Set(["tmux", "tmux: client", "screen", "zellij", "dtach", "abduco"]);

/** Another program has the keyboard. */
export function refuseProgram(program: string): Refusal {
  const name = short(program);
  if (REMOTE.has(program)) {
    return refuse("remote", name, `this pane is inside ${name}: resume there, or leave it first`);
  }
  if (CONTAINERS.has(program)) {
    return refuse("remote", name, `this pane is in a container (${name}): resume there, or leave it`);
  }
  if (OTHER_USER.has(program)) return otherUser(program);
  if (MULTIPLEXERS.has(program)) {
    return refuse("remote", name, `this pane shows ${name} itself: revive inside it`);
  }
  return refuse("program", name, `${name} runs in this pane: end or suspend it first`);
}

/** What is typed there would run with other rights, and without our state. */
export function otherUser(program: string): Refusal {
  const name = short(program);
  return refuse("other-user", name, `${name} works for another user here: leave it first`);
}

/** The shell is there, but does not read a command line now. */
export function starting(shell: string, busy?: string): Refusal {
  const name = short(busy ?? shell);
  const why = busy ? `${short(shell)} still runs ${name}` : `${name} is not at its prompt yet`;
  return refuse("starting", name, `${why}: try again in a moment`);
}

/** A program's name is whatever its author or argv says: it must not fill the line. */
function short(name: string): string {
  return name.length > 16 ? `${name.slice(0, 15)}…` : name;
}

/** The refusal itself. */
export function refuse(because: NotReady, program: string | null, message: string): Refusal {
  return { ready: false, because, program, message };
}

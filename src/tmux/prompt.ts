// Is this pane at a shell prompt, so that text typed there is a command line and nothing else? Two proofs are asked:
// the foreground process group is one interactive shell of ours, and its terminal is in the line editor's mode.
import { ancestors, type KnownClaude, liveClaude } from "../claude/process.ts";
import type { Shell } from "../line/quote.ts";
import { isInteractiveShell, programName, shellOf } from "../line/shell.ts";
import type { Process, System } from "../system/system.ts";
import type { Pane } from "./panes.ts";
import { otherUser, type PromptState, type Refusal, refuse, refuseProgram, starting } from "./refusal.ts";
import { editorWaits, terminalModes } from "./terminal.ts";

export type { NotReady, PromptState } from "./refusal.ts";

type PaneFacts = Pick<Pane, "pid" | "tty" | "dead" | "input_off">;

/** Whether the pane waits at a shell prompt, from processes read just now. Sends nothing to the pane. */
export async function promptState(
  system: System,
  pane: PaneFacts,
  all: Process[],
  known: KnownClaude[] = [],
): Promise<PromptState> {
  const found = frontShell(system, pane, all, known);
  if (!found.ready) return found;
  const modes = await terminalModes(system, pane.tty);
  const process = all.find(({ pid }) => pid === found.shellPid)!;
  const editor = editorShell(system, process, found.shell);
  return modes && !editorWaits(editor, modes) ? starting(nameOf(system, process)) : found;
}

/** The first of the two proofs alone, which starts no process: a shell that is still starting counts as ready. */
export function frontShell(
  system: System,
  pane: PaneFacts,
  all: Process[],
  known: KnownClaude[] = [],
): PromptState {
  const found = refusalOfPane(system, pane, all, known) ?? foregroundShell(system, pane, all);
  if ("because" in found) return found;
  return { ready: true, shell: found.shell, shellPid: found.process.pid, ascii: !isUtf8(system, found) };
}

function refusalOfPane(
  system: System,
  pane: PaneFacts,
  all: Process[],
  known: KnownClaude[],
): Refusal | null {
  if (pane.dead) return refuse("dead", null, "this pane is dead: its program ended");
  if (liveClaude(system, all, pane, known)) return refuse("claude", "claude", "Claude runs in this pane");
  if (pane.input_off) {
    return refuse("input-off", null, "this pane's input is off: turn it on with select-pane -e");
  }
  return null;
}

interface FoundShell {
  process: Process;
  shell: Shell;
}

/** The shell that has the foreground, and that nothing but shells separates from the pane. */
function foregroundShell(system: System, pane: PaneFacts, all: Process[]): FoundShell | Refusal {
  const top = all.find((process) => process.pid === pane.pid);
  const group = top ? foregroundGroup(all, top) : [];
  const leader = group.find((process) => process.pid === top?.foreground) ?? group[0];
  if (!leader) return refuse("unknown", null, "cannot see which program holds this pane");
  const argv = system.processes.argv(leader.pid);
  const shell = shellOf(shellWord(argv) || leader.name);
  if (!shell || !isInteractiveShell(argv)) return refuseProgram(scriptName(argv, leader));
  if (!isShellProgram(system, leader)) return refuseProgram(leader.name);
  if (system.processes.owner(leader.pid) !== system.uid) return otherUser(nameOf(system, leader));
  const busy = group.find((process) => process !== leader);
  if (busy && !waitsForInput(system, leader)) {
    return starting(programName(nameOf(system, leader)), nameOf(system, busy));
  }
  return between(system, pane, all, leader) ?? { process: leader, shell };
}

/** Anything may call itself a shell (`exec -a bash vim`): what the kernel calls it, or its file, must be one as well. */
function isShellProgram(system: System, process: Process): boolean {
  const isShell = (name: string) => programName(name) === "busybox" || shellOf(name) !== null;
  return isShell(process.name) || isShell(system.processes.executable(process.pid) ?? "");
}

function foregroundGroup(all: Process[], top: Process): Process[] {
  if (top.terminal === 0) return [];
  return all.filter((process) =>
    process.terminal === top.terminal && process.group === top.foreground && !/[ZX]/.test(process.state)
  );
}

/**
 * Start files leave helpers in the shell's own group (`helper &`; fish reads man pages on its first start). The shell
 * is at its prompt all the same when it sleeps in a wait for input; for a child it sleeps in do_wait, sigsuspend or
 * a futex (seen with bash, zsh, fish and dash). Without /proc this cannot be told.
 */
function waitsForInput(system: System, shell: Process): boolean {
  try {
    return /poll|select|tty|wait_woken/.test(system.files.readText(`/proc/${shell.pid}/wchan`));
  } catch {
    return false;
  }
}

/** A nested shell is a prompt too, unless something stands between it and the pane: ssh's children are not here. */
function between(system: System, pane: PaneFacts, all: Process[], leader: Process): Refusal | null {
  if (leader.pid === pane.pid) return null;
  const above = ancestors(all, leader.pid);
  const end = above.findIndex((process) => process.pid === pane.pid);
  if (end < 0) return refuse("unknown", null, "cannot see what started the shell in this pane");
  const other = above.slice(0, end + 1).find((process) => {
    return shellOf(shellWord(system.processes.argv(process.pid))) === null;
  });
  return other ? refuseProgram(nameOf(system, other)) : null;
}

function shellWord(argv: string[]): string {
  return (programName(argv[0] ?? "") === "busybox" ? argv[1] : argv[0]) ?? "";
}

function nameOf(system: System, process: Process): string {
  return programName(system.processes.argv(process.pid)[0] ?? "") || process.name;
}

/** A shell that runs a script is called by the script. */
function scriptName(argv: string[], process: Process): string {
  const name = programName(argv[0] ?? "") || process.name;
  if (shellOf(name) === null) return name;
  const script = argv.slice(1).find((word) => !/^[-+]/.test(word));
  return script && !argv.includes("-c") ? programName(script) : name;
}

/** `sh` may be bash or zsh, whose editor then waits as theirs does. */
function editorShell(system: System, process: Process, shell: Shell): Shell {
  if (shell !== "posix") return shell;
  const real = shellOf(system.processes.executable(process.pid) ?? "");
  return real === "bash" || real === "zsh" ? real : shell;
}

function isUtf8(system: System, { process, shell }: FoundShell): boolean {
  if (shell === "nu") return true;
  const variable = (name: string) => system.processes.variable(process.pid, name);
  const locale = variable("LC_ALL") || variable("LC_CTYPE") || variable("LANG") || "";
  return /utf-?8/i.test(locale);
}

// Processes asked of `ps`, for systems without /proc (macOS). Written from its manual; not run in our tests on a
// real Mac, only its parser is.
import type { Process, Processes } from "./system.ts";

const FIELDS = "pid=,ppid=,pgid=,sess=,tpgid=,uid=,tty=,state=,lstart=,ucomm=";
const LINE = new RegExp(
  String
    .raw`^\s*(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(-?\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})\s+(.*)$`,
);

interface PsRow {
  process: Process;
  owner: number;
}

/** A terminal name as a number, so that terminals compare as on Linux: 0 means none. */
function terminalNumber(name: string): number {
  if (/^\?+$/.test(name)) return 0;
  let hash = 7;
  for (const char of name) hash = (hash * 31 + char.charCodeAt(0)) % 2147483647;
  return hash;
}

/** One line of `ps -o` with FIELDS, null when it has another shape. */
export function parsePsLine(line: string): PsRow | null {
  const found = LINE.exec(line);
  if (!found) return null;
  const [, pid, parent, group, session, foreground, uid, tty, state, started, name] = found;
  const process = {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: Number.parseInt(session, 16) || 0,
    terminal: terminalNumber(tty),
    foreground: Number(foreground),
    state: state[0],
    started,
    name: name.trim(),
  };
  return { process, owner: Number(uid) };
}

function ps(args: string[]): string {
  try {
    const output = new Deno.Command("ps", { args, stdout: "piped", stderr: "null" }).outputSync();
    return new TextDecoder().decode(output.stdout);
  } catch {
    return "";
  }
}

function rows(args: string[]): PsRow[] {
  return ps([...args, "-o", FIELDS]).split("\n").map(parsePsLine).filter((row) => row !== null);
}

function variable(pid: number, name: string): string | null {
  const found = new RegExp(`(?:^| )${name}=(\\S*)`).exec(ps(["-Eww", "-p", String(pid), "-o", "command="]));
  return found ? found[1] : null;
}

export const macosProcesses: Processes = {
  read: (pid) => rows(["-p", String(pid)])[0]?.process ?? null,
  all: () => rows(["-ax"]).map((row) => row.process),
  argv: (pid) => ps(["-ww", "-p", String(pid), "-o", "command="]).trim().split(" ").filter(Boolean),
  executable: (pid) => ps(["-p", String(pid), "-o", "comm="]).trim() || null,
  variable,
  owner: (pid) => rows(["-p", String(pid)])[0]?.owner ?? null,
  startedAt: (process) => Date.parse(process.started) || null,
  exists: (pid) => rows(["-p", String(pid)]).length > 0,
};

/** Bytes from `vm_stat` (free, inactive, speculative, purgeable pages) or `sysctl hw.memsize`. */
export function macosMemory(field: "available" | "total"): number | null {
  const text = (program: string, args: string[]) => {
    try {
      return new TextDecoder().decode(
        new Deno.Command(program, { args, stderr: "null" }).outputSync().stdout,
      );
    } catch {
      return "";
    }
  };
  if (field === "total") return Number(text("sysctl", ["-n", "hw.memsize"])) || null;
  return parseVmStat(text("vm_stat", []));
}

/** Available bytes from the text of `vm_stat`, null when it has another shape. */
export function parseVmStat(text: string): number | null {
  const page = /page size of (\d+) bytes/.exec(text);
  if (!page) return null;
  const pages = [...text.matchAll(/^Pages (?:free|inactive|speculative|purgeable):\s+(\d+)/gm)];
  return pages.reduce((sum, [, count]) => sum + Number(count), 0) * Number(page[1]);
}

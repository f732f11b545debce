// A look at processes for tests, by /proc (the process tests are for Linux).

export interface ProcessLine {
  pid: number;
  parent: number;
  name: string;
  state: string;
}

export function readProcess(pid: number): ProcessLine | null {
  try {
    const text = Deno.readTextFileSync(`/proc/${pid}/stat`);
    const end = text.lastIndexOf(")");
    const [state, parent] = text.slice(end + 2).split(" ");
    return { pid, parent: Number(parent), name: text.slice(text.indexOf("(") + 1, end), state };
  } catch {
    return null;
  }
}

/** A zombie that nobody has reaped yet counts as gone. */
export function isAlive(pid: number): boolean {
  const found = readProcess(pid);
  return found !== null && found.state !== "Z";
}

/** A process and its descendants, nearest first. */
export function processTree(pid: number): ProcessLine[] {
  const all = [...Deno.readDirSync("/proc")].map((entry) => readProcess(Number(entry.name))).filter((line) =>
    line !== null
  );
  const found = all.filter((line) => line.pid === pid);
  let level = [pid];
  while (level.length > 0) {
    const next = all.filter((line) => level.includes(line.parent));
    found.push(...next);
    level = next.map((line) => line.pid);
  }
  return found;
}

/** Processes whose environment names a scratch folder: what a test has started, and what that has left. */
export function processesOf(root: string): ProcessLine[] {
  return [...Deno.readDirSync("/proc")].flatMap((entry) => {
    const process = readProcess(Number(entry.name));
    return process && process.state !== "Z" && environmentOf(process.pid).includes(root) ? [process] : [];
  });
}

function environmentOf(pid: number): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/environ`);
  } catch {
    return "";
  }
}

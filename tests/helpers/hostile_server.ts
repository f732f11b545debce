// A tmux server whose names, titles and folders all want to be executed, and a program that tells when one was.
import { type Process, type System } from "../../src/system/system.ts";
import { realSystem } from "../../src/system/real.ts";
import { RUN } from "../fixtures/hostile_words.ts";
import { until } from "./poll.ts";
import { type Scratch } from "./scratch.ts";
import { SHELLS, type TmuxServer } from "./tmux_server.ts";

/** One pane with everything that may be hostile about it. */
export interface HostilePane {
  id: string;
  /** The conversation it holds. */
  session_id: string;
  session: string;
  window: string;
  folder: string;
  title: string;
  /** CLAUDE_CONFIG_DIR, null when it has none. */
  configDir: string | null;
  /** Value of --add-dir. */
  argument: string;
  name: string;
  shell: keyof typeof SHELLS;
}

/** Puts the canary and a recording `claude` on PATH. */
export async function arm({ root, bin }: Scratch): Promise<void> {
  await Deno.writeTextFile(`${bin}/${RUN}`, `#!/bin/sh\necho ran >>'${root}/ran'\n`, { mode: 0o755 });
  await Deno.remove(`${bin}/claude`);
  await Deno.mkdir(`${root}/starts`);
  await Deno.writeTextFile(
    `${bin}/claude`,
    `#!/bin/sh
[ "$1" != --version ] || exec echo '2.1.332 (Claude Code)'
{ printf '%s\\0' "$PWD" "\${CLAUDE_CONFIG_DIR-}" "$#" "$@"; } >'${root}/started'.$$
mv '${root}/started'.$$ '${root}/starts/'$$
`,
    { mode: 0o755 },
  );
}

/** Whether anything was executed that must not be. */
export async function hasRun({ root }: Scratch): Promise<boolean> {
  return await Deno.stat(`${root}/ran`).then(() => true, () => false);
}

export interface Start {
  cwd: string;
  configDir: string;
  argv: string[];
}

/** Takes the record of the next start of `claude`. */
export async function nextStart({ root }: Scratch): Promise<Start> {
  const folder = `${root}/starts`;
  const name = await until("a start of claude", () => [...Deno.readDirSync(folder)][0]?.name);
  const [cwd, configDir, count, ...argv] = (await Deno.readTextFile(`${folder}/${name}`)).split("\0");
  await Deno.remove(`${folder}/${name}`);
  return { cwd, configDir, argv: argv.slice(0, Number(count)) };
}

const literal = (text: string) => text.replaceAll("#", "##").replace(/;$/, "\\;");

/** Makes the panes, without any Claude, and gives them their ids. The first of a tmux session opens it. */
export async function build(server: TmuxServer, panes: HostilePane[]): Promise<void> {
  let last: HostilePane | null = null;
  for (const pane of panes) {
    const opens = last?.session !== pane.session;
    const where = opens
      ? ["new-session", "-d", "-x", "200", "-y", "50", "-s", literal(pane.session)]
      : ["new-window", "-d", "-a", "-t", `${await server.paneFormat(last!.id, "#{session_id}")}:{end}`];
    const folder = ["-c", literal(pane.folder), "-n", literal(pane.window)];
    pane.id = await server.run(...where, ...folder, "-P", "-F", "#{pane_id}", SHELLS[pane.shell]);
    await server.run("select-pane", "-t", pane.id, "-T", literal(pane.title));
    last = pane;
  }
  await until("all prompts", async () => {
    const seen = await Promise.all(panes.map(({ id }) => server.capture(id)));
    return seen.every((text) => text.trim() !== "");
  }, 60_000);
}

/** A process id that no system gives. */
const CLAUDE = 2_000_000_001;

/** What makes the hook see a Claude with these arguments in the pane, above itself. */
export function claudeIn(panePid: number, argv: string[]): Partial<System> {
  const { processes } = realSystem();
  const claude: Process = { ...processes.read(panePid)!, pid: CLAUDE, parent: panePid, name: "claude" };
  const hook: Process = { ...claude, pid: CLAUDE - 1, parent: CLAUDE, name: "sh" };
  const made = new Map([[claude.pid, claude], [hook.pid, hook]]);
  return {
    pid: hook.pid,
    processes: {
      ...processes,
      read: (pid) => made.get(pid) ?? processes.read(pid),
      argv: (pid) => pid === CLAUDE ? argv : made.has(pid) ? ["sh"] : processes.argv(pid),
      executable: (pid) => made.has(pid) ? null : processes.executable(pid),
    },
  };
}

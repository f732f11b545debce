// A tmux server with many panes, some bound to conversations, and the conversations on disk.
import { newBinding, sessionId } from "../../src/binding.ts";
import { stampCommands } from "../../src/tmux/options.ts";
import { until } from "../helpers/poll.ts";
import { startServer, type TmuxServer } from "../helpers/tmux_server.ts";

export interface World extends AsyncDisposable {
  server: TmuxServer;
  /** Ids of the panes, oldest first. */
  panes: string[];
  /** Each pane's conversation. */
  ids: string[];
  /** Puts the stamps on all panes, or takes them off and forgets that the server was restored. */
  stamp(): Promise<void>;
  unstamp(): Promise<void>;
  /** Puts the stamp of the pane with that number on another pane. */
  stampAs(pane: string, number: number): Promise<void>;
  /** What a program in one of the panes has as its environment. */
  env: Record<string, string>;
}

export interface WorldOptions {
  panes: number;
  /** How many panes run a Claude, here a process of that name with its registry entry; the others show a shell. */
  live?: number;
  /** Where Claude was "started" in the others. */
  state?: "ended" | "exited";
}

const WINDOWS = 25;
const PANES = 2;
/** Variables a shell, an editor and a version manager or two have set: the hook hands them on to tmux. */
const MORE_ENV = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`OTHER_${n}`, "x".repeat(40)]));

export function uuid(number: number): string {
  return `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

export async function makeWorld(options: WorldOptions): Promise<World> {
  const server = await startServer();
  const live = options.live ?? 0;
  const ids = Array.from({ length: options.panes }, (_, n) => uuid(n));
  const folders = ids.map((_, n) => `${server.scratch.home}/projects/p${n}`);
  for (const folder of folders) await Deno.mkdir(folder, { recursive: true });
  await source(server, layout(folders, await claude(server), live));
  const panes = await opened(server, options.panes);
  await writeTranscripts(server, ids, folders);
  await register(server, { panes, ids, folders, live });
  const env = { ...await server.paneEnv(panes[0]), ...MORE_ENV };
  const bindings = ids.map((id, n) => ({
    ...newBinding(sessionId(id)!, folders[n], "2026-11-30T00:00:00.000Z"),
    state: n < live ? "running" as const : options.state ?? "ended" as const,
    transcript: transcriptPath(server, id, folders[n]),
    arguments: ["--model", "opus"],
    name: `work-${n}`,
  }));
  return {
    server,
    panes,
    ids,
    env,
    stamp: () => source(server, panes.flatMap((pane, n) => stampCommands(pane, bindings[n]).map(quoted))),
    stampAs: (pane, number) => source(server, stampCommands(pane, bindings[number]).map(quoted)),
    unstamp: () => source(server, panes.flatMap(unstamp).concat("set-option -su @tmuxclaude_restored")),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** tmux reads a file in one message; as arguments a thousand commands would take thousands of calls. */
async function source(server: TmuxServer, lines: string[]): Promise<void> {
  const path = `${server.scratch.root}/commands.conf`;
  await Deno.writeTextFile(path, `${lines.join("\n")}\n`);
  await server.run("source-file", path);
}

function quoted(command: string[]): string {
  return command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}

function unstamp(pane: string): string[] {
  return ["session", "cwd", "binding", "state"].map((part) =>
    `set-option -pu -t ${pane} @tmuxclaude_${part}`
  );
}

/** A program called claude that only waits. */
async function claude(server: TmuxServer): Promise<string> {
  const path = `${server.scratch.root}/waiting/claude`;
  await Deno.mkdir(`${server.scratch.root}/waiting`);
  await Deno.symlink("/bin/sleep", path);
  return path;
}

function layout(folders: string[], claude: string, live: number): string[] {
  const perSession = WINDOWS * PANES;
  return folders.flatMap((folder, n) => {
    const command = n < live ? `exec '${claude}' 100000` : "exec dash";
    const session = `s${Math.floor(n / perSession)}`;
    const end = `-c '${folder}' "${command}"`;
    if (n % perSession === 0) return [`new-session -d -x 200 -y 50 -s ${session} ${end}`];
    if (n % PANES === 0) return [`new-window -d -a -t '${session}:{end}' ${end}`];
    return [`split-window -d -t '${session}:{end}' ${end}`];
  });
}

/** The panes' ids, once the program of each has begun. */
async function opened(server: TmuxServer, count: number): Promise<string[]> {
  const read = () => server.run("list-panes", "-a", "-F", "#{pane_id} #{pane_current_command}");
  const text = await until(`${count} panes`, async () => {
    const text = await read();
    const lines = text.split("\n");
    return lines.length === count && lines.every((line) => / (dash|claude|sleep)$/.test(line)) && text;
  }, 60_000);
  const ids = text.split("\n").map((line) => line.split(" ")[0]);
  return ids.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
}

function transcriptPath(server: TmuxServer, id: string, folder: string): string {
  return `${server.scratch.config}/projects/${folder.replaceAll(/[^A-Za-z0-9]/g, "-")}/${id}.jsonl`;
}

/** A conversation with one prompt and one answer, as text. */
export function conversation(id: string, cwd: string): string {
  const base = { sessionId: id, cwd, version: "2.1.332", timestamp: "2026-11-30T00:00:00.000Z" };
  const lines = [
    { ...base, type: "user", uuid: uuid(1), message: { role: "user", content: "do it" } },
    { ...base, type: "assistant", uuid: uuid(2), message: { role: "assistant", content: "x".repeat(1500) } },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

async function writeTranscripts(server: TmuxServer, ids: string[], folders: string[]): Promise<void> {
  for (const [n, id] of ids.entries()) {
    const path = transcriptPath(server, id, folders[n]);
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, conversation(id, folders[n]));
  }
}

interface Registered {
  panes: string[];
  ids: string[];
  folders: string[];
  live: number;
}

/** Registry entries of the panes with a Claude. */
async function register(server: TmuxServer, { panes, ids, folders, live }: Registered): Promise<void> {
  const sessions = `${server.scratch.config}/sessions`;
  await Deno.mkdir(sessions, { recursive: true });
  const pids = new Map((await server.panes()).map((pane) => [pane.id, pane.pid]));
  for (const [n, pane] of panes.slice(0, live).entries()) {
    const pid = pids.get(pane)!;
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    const entry = {
      pid,
      sessionId: ids[n],
      cwd: folders[n],
      procStart,
      version: "2.1.332",
      kind: "interactive",
    };
    await Deno.writeTextFile(
      `${sessions}/${pid}.json`,
      JSON.stringify({
        ...entry,
        name: `work-${n}`,
        nameSource: "user",
        status: "idle",
        updatedAt: Date.now(),
      }),
    );
  }
}

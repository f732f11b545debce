// What tests want to know of the stand-in: which hooks it ran and how, and what it wrote down.
import type { TmuxServer } from "./tmux_server.ts";

/** One run of a hook: its JSON and its environment; TTY is "0" without a terminal, PARENT the process above it. */
export interface HookCall {
  input: Record<string, string>;
  env: Record<string, string>;
}

/** Registers a hook that writes down its input and environment; gives a reader of the calls so far. */
export async function recordHooks(server: TmuxServer): Promise<() => Promise<HookCall[]>> {
  const log = `${server.scratch.root}/hooks`;
  const script = `${server.scratch.root}/record.sh`;
  await Deno.writeTextFile(
    script,
    `IFS= read -r input
read -r stat </proc/$$/stat
set -- \${stat##*) }
variables=$(env | grep -E '^(CLAUDE|TMUX_PANE)' | sed 's/.*/"&"/; s/=/":"/' | tr '\\n' ,)
printf '{"input":%s,"env":{%s"TTY":"%s","PARENT":"%s"}}\\n' "$input" "$variables" "$5" "$2" >>'${log}'
`,
  );
  await server.scratch.registerHooks(`. '${script}'`);
  return async () => {
    const text = await Deno.readTextFile(log).catch(() => "");
    return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  };
}

/** The transcript's text, "" when there is none. */
export async function readTranscript(server: TmuxServer, id: string): Promise<string> {
  const projects = `${server.scratch.config}/projects`;
  if (!await exists(projects)) return "";
  for await (const { name } of Deno.readDir(projects)) {
    const path = `${projects}/${name}/${id}.jsonl`;
    if (await exists(path)) return await Deno.readTextFile(path);
  }
  return "";
}

/** Whether something is there. */
export function exists(path: string): Promise<boolean> {
  return Deno.stat(path).then(() => true, () => false);
}

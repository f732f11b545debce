// Runs in a tmux pane as a process called claude (a link to Deno) and calls the hook as Claude does, some of them to be
// killed. Usage: claude run -A pane_killer.ts JOB RESULT   (two JSON files)
import { killAfter } from "./scenario.ts";

export interface HookJob {
  program: string;
  env: Record<string, string>;
  /** One hook each, those of a group at once. */
  groups: { stdin: string; killAfterMs: number | null }[][];
}

/** For each hook whether it came to its own end, and its exit code. */
export type HookResult = { ended: boolean; code: number; printed: number }[][];

async function call(
  job: HookJob,
  { stdin, killAfterMs }: HookJob["groups"][0][0],
): Promise<HookResult[0][0]> {
  const own = { TMUX: Deno.env.get("TMUX")!, TMUX_PANE: Deno.env.get("TMUX_PANE")! };
  const child = new Deno.Command(job.program, {
    args: ["hook"],
    env: { ...job.env, ...own, CLAUDE_CODE_ENTRYPOINT: "cli", CLAUDE_PID: `${Deno.pid}` },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const printed = Promise.all([new Response(child.stdout).bytes(), new Response(child.stderr).bytes()]);
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin)).catch(() => {});
  await writer.close().catch(() => {});
  const end = await killAfter(child, killAfterMs ?? 60_000);
  return { ...end, printed: (await printed).reduce((sum, bytes) => sum + bytes.length, 0) };
}

if (import.meta.main) {
  const [jobPath, resultPath] = Deno.args;
  const job: HookJob = JSON.parse(await Deno.readTextFile(jobPath));
  const result: HookResult = [];
  for (const group of job.groups) result.push(await Promise.all(group.map((hook) => call(job, hook))));
  await Deno.writeTextFile(`${resultPath}.part`, JSON.stringify(result));
  await Deno.rename(`${resultPath}.part`, resultPath);
}

// The program under demonstration, run as its own process: what is installed is what is shown.
import { toRecord } from "../from_disk.ts";
import { serverPid } from "../tmux/private_server.ts";
import { DemoFailure, insist } from "./checks.ts";
import type { World } from "./world.ts";

/** Longest run of one command, in milliseconds. */
const LIMIT_MS = 20_000;

/** Runs `tmuxclaude ARGS` as in a pane of the private server. Ends the story unless it exits with 0. */
export async function runProgram(world: World, args: string[]): Promise<string> {
  const { system, socket } = world.tmux;
  const env = { ...system.environment(), TMUX: `${socket},${await serverPid(world.tmux)},0` };
  const ran = await system.run(world.program, args, {
    limitMs: LIMIT_MS,
    env,
    clearEnv: true,
    cwd: world.home,
  });
  const said = [ran.stdout, ran.stderr].join("\n").trim();
  insist(ran.code === 0 && !ran.timedOut, `tmuxclaude ${args.join(" ")} ended with ${ran.code}: ${said}`);
  return ran.stdout;
}

/** The same with `--json`, read. */
export async function askProgram(world: World, args: string[]): Promise<Record<string, unknown>> {
  const printed = await runProgram(world, [...args, "--json"]);
  const answer = toRecord(parse(printed));
  insist(answer !== null, `tmuxclaude ${args.join(" ")} printed no JSON object: ${printed}`);
  return answer;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DemoFailure(`this is no JSON: ${text}`, { cause: error });
  }
}

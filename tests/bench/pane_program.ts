// Runs in a tmux pane as a process called claude (a link to Deno): the place from which Claude runs its hooks.
// Usage: claude run -A pane_program.ts CONTEST RESULT   (two JSON files)
import { compete, type Contest } from "./compare.ts";
import type { Command } from "./process.ts";

/** Commands meant for inside tmux get this pane's place and this process as their Claude. */
function placed(command: Command): Command {
  if (!("TMUX" in command.env)) return command;
  const own = {
    TMUX: Deno.env.get("TMUX")!,
    TMUX_PANE: Deno.env.get("TMUX_PANE")!,
    CLAUDE_PID: `${Deno.pid}`,
  };
  return { ...command, env: { ...command.env, ...own } };
}

const [contestPath, resultPath] = Deno.args;
const contest: Contest = JSON.parse(await Deno.readTextFile(contestPath));
const commands = Object.entries(contest.commands).map(([name, command]) => [name, placed(command)]);
const last = contest.last && placed(contest.last);
const result = await compete({ ...contest, commands: Object.fromEntries(commands), last });
await Deno.writeTextFile(`${resultPath}.part`, JSON.stringify(result));
await Deno.rename(`${resultPath}.part`, resultPath);

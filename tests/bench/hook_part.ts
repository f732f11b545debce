// The hook as Claude runs it: by `sh -c` with the command that install registers, from a process called claude that
// holds a pane, with the event on stdin.
import { hookCommand, type HookEventName } from "../../src/install/hook_command.ts";
import { until } from "../helpers/poll.ts";
import type { Contest, Result } from "./compare.ts";
import { extent, type Part, type Settings, tmuxCounter } from "./context.ts";
import { writeConversations, writeJournal } from "./growth.ts";
import { type Budget, type Line, toLine } from "./line.ts";
import type { Command } from "./process.ts";
import { makeWorld, uuid, type World } from "./world.ts";

const ROUNDS = 40;
const BUDGET = { overFloor: 15, peak: 45, tmuxCalls: 2 };
const ID = uuid(999_999);

export const hookPart: Part = async function* (settings) {
  await using world = await makeWorld({ panes: 10 });
  const line = (title: string, event: HookEventName, budget?: Budget) =>
    run(world, settings, { title, event, budget });
  yield await line("hook in a pane, start", "SessionStart", BUDGET);
  yield await line("hook in a pane, end", "SessionEnd", BUDGET);
  yield await line("hook in a pane, prompt", "UserPromptSubmit", { overFloor: 0, tmuxCalls: 0 });
  yield await run(world, settings, {
    title: "hook outside tmux",
    event: "SessionStart",
    outside: true,
    budget: { overFloor: 0, tmuxCalls: 0 },
  });
  const lines = settings.quick ? 1_000 : 10_000;
  await writeJournal(world, lines);
  yield await line(`hook, journal of ${lines.toLocaleString("en")} lines`, "SessionStart", BUDGET);
  const files = settings.quick ? 500 : 5_000;
  await writeConversations(world, files);
  yield await line(`hook, ${files.toLocaleString("en")} conversations`, "SessionStart", BUDGET);
};

interface Run {
  title: string;
  event: HookEventName;
  outside?: boolean;
  budget?: Budget;
}

async function run(world: World, settings: Settings, what: Run): Promise<Line> {
  const { program } = world.server.scratch;
  const counter = await tmuxCounter(world);
  const ours = called(world, what, hookCommand(what.event, program));
  const result = await inClaude(world, {
    commands: {
      floor: called(world, what, `exec '${program}' --noop`),
      ours,
      ...(settings.against === null ? {} : { against: called(world, what, settings.against) }),
    },
    last: { ...ours, env: counter.env(ours.env) },
    ...extent(settings, ROUNDS),
  });
  return toLine(what.title, result, { budget: what.budget, tmuxCalls: await counter.count() });
}

/** A command as Claude calls it for an event. */
function called(world: World, { event, outside }: Run, command: string): Command {
  const { TMUX, TMUX_PANE, ...rest } = world.env;
  const cwd = world.server.scratch.home;
  const claude = { CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "cli", CLAUDE_CODE_SESSION_ATTENDED: "1" };
  return {
    program: "/bin/sh",
    args: ["-c", command],
    env: { ...rest, ...claude, CLAUDE_PROJECT_DIR: cwd, ...(outside ? {} : { TMUX, TMUX_PANE }) },
    stdin: JSON.stringify({
      session_id: ID,
      transcript_path: `${world.server.scratch.config}/projects/-home/${ID}.jsonl`,
      cwd,
      hook_event_name: event,
      ...(event === "SessionEnd" ? { reason: "prompt_input_exit" } : { source: "startup" }),
    }),
  };
}

/** Lets a process called claude, in a pane of its own, run the contest. */
async function inClaude(world: World, contest: Contest): Promise<Result> {
  const { server } = world;
  const { root } = server.scratch;
  const [job, result, link] = [`${root}/contest.json`, `${root}/result.json`, `${root}/running/claude`];
  await Deno.mkdir(`${root}/running`, { recursive: true });
  await Deno.symlink(Deno.execPath(), link).catch(() => {});
  await Deno.remove(result).catch(() => {});
  await Deno.writeTextFile(job, JSON.stringify(contest));
  const script = new URL("pane_program.ts", import.meta.url).pathname;
  const pane = await server.newSession({
    command:
      `exec '${link}' run -A --no-check --no-config '${script}' '${job}' '${result}' 2>'${root}/errors'`,
  });
  const read = () => Deno.readTextFile(result).catch(() => ended(world, pane));
  return JSON.parse(await until("the result of a contest in a pane", read, 60_000));
}

/** "" while the pane's program runs; throws what it said when it ended without a result. */
async function ended({ server }: World, pane: string): Promise<string> {
  if ((await server.panes()).some(({ id }) => id === pane)) return "";
  const result = await Deno.readTextFile(`${server.scratch.root}/result.json`).catch(() => "");
  if (result !== "") return result;
  throw new Error(await Deno.readTextFile(`${server.scratch.root}/errors`));
}

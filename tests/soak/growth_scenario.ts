// Hooks and saves by the hundred on a journal that is long already: it stays bounded, and nothing else is left behind.
import { run as manifest } from "../../src/commands/manifest.ts";
import { readJournal } from "../../src/state/journal.ts";
import { formatLine } from "../../src/state/journal_line.ts";
import { filesBelow, idOf, lineOf, systemFor } from "../fixtures/state_world.ts";
import { runHook, runIn } from "../helpers/in_process.ts";
import { claudePid, sessionOf, startClaude } from "../helpers/panes.ts";
import { processesOf } from "../helpers/processes.ts";
import type { Random } from "../helpers/seeded.ts";
import { startServer, type TmuxServer } from "../helpers/tmux_server.ts";
import { count, mustHold, type Scenario, type Tally } from "./scenario.ts";

const HOOKS = 200;
const OLD = 1_150;
const EVENTS = ["SessionStart", "UserPromptSubmit", "SessionEnd"];
/** Of one save after the other; a manifest that differs makes one more, kept for days. */
const FILES =
  /^(failures\.jsonl|journal\.(jsonl|lock)|servers\/[^/]+\/(manifest\.(json|lock)|snapshots\/.*\.json))$/;

export const growthScenario: Scenario = {
  name: "growth: hooks and saves by the hundred",
  async begin() {
    const server = await startServer();
    const pane = await server.newSession();
    await startClaude(server, pane);
    const world = {
      server,
      env: await server.paneEnv(pane),
      claude: await claudePid(server, pane),
      id: await sessionOf(server, pane),
    };
    await writeOld(server);
    return {
      round: (random, tally) => round(world, random, tally),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
};

interface World {
  server: TmuxServer;
  env: Record<string, string>;
  claude: number;
  id: string;
}

async function writeOld({ scratch }: TmuxServer): Promise<void> {
  const lines = Array.from(
    { length: OLD },
    (_, n) => `${formatLine(lineOf(1, { session_id: idOf(n % 100) }), n + 1)}\n`,
  );
  await Deno.mkdir(scratch.state, { recursive: true, mode: 0o700 });
  await Deno.writeTextFile(`${scratch.state}/journal.jsonl`, lines.join(""), { mode: 0o600 });
}

async function round(
  { server: { scratch }, env, claude, id }: World,
  random: Random,
  tally: Tally,
): Promise<void> {
  const before = processesOf(scratch.root).length;
  for (let n = 0; n < HOOKS; n++) {
    const event = {
      hook_event_name: random.pick(EVENTS),
      session_id: id,
      cwd: "/",
      session_title: `${random.below(9)}`,
    };
    const { stdout, stderr } = await runHook(
      env,
      claude,
      JSON.stringify({ ...event, source: "resume", reason: "other" }),
    );
    mustHold(tally, stdout + stderr === "", () => `a hook said ${stdout}${stderr}`);
  }
  count(tally, "hooks", HOOKS);
  const { code, stderr } = await runIn(env, {}, (system) => manifest(system, {}));
  mustHold(tally, code === 0, () => `manifest ended with ${code}: ${stderr}`);
  const { lines, bad } = readJournal(systemFor({ TMUXCLAUDE_STATE_DIR: scratch.state }));
  mustHold(tally, lines.length <= 1_200 && bad === 0, () => `${lines.length} lines, ${bad} of them bad`);
  const stray = filesBelow(scratch.state).filter((name) => !FILES.test(name));
  mustHold(tally, stray.length === 0, () => `left behind: ${stray}`);
  mustHold(tally, processesOf(scratch.root).length <= before, () => "a process is left");
}

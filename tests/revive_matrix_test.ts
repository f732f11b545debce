// The key, then the line, then Claude: it starts with exactly the folder, the config dir and the flags of the binding,
// whatever their names are. MATRIX=all tries every awkward name in every shell, else a few in each.
import { deepStrictEqual } from "node:assert/strict";
import { newBinding, sessionId } from "../src/binding.ts";
import { runTmux } from "../src/tmux/client.ts";
import { stampCommands } from "../src/tmux/options.ts";
import { AWKWARD } from "./helpers/awkward.ts";
import { exitClaude, waitForBox } from "./helpers/panes.ts";
import { hooked, revive } from "./helpers/revive.ts";
import type { ClaudeStart } from "./helpers/scratch.ts";
import { type Shell, SHELLS, type TmuxServer } from "./helpers/tmux_server.ts";
import { tmuxOf, untilState, wideSession } from "./helpers/typing.ts";

const NAMES = Object.keys(SHELLS) as Shell[];
const ALL = Deno.env.get("MATRIX") === "all";
const SOME = AWKWARD.filter((_, index) => index % 5 === 0);

interface Held {
  folder: string;
  configDir: string;
  arguments: string[];
}

/** Stamps the pane with a conversation that has one turn; gives its id. */
async function stamp(server: TmuxServer, pane: string, held: Held): Promise<string> {
  const id = sessionId(crypto.randomUUID())!;
  const project = `${held.configDir}/projects/p`;
  await Deno.mkdir(project, { recursive: true });
  const turn = { type: "user", message: { role: "user", content: "hello" }, sessionId: id };
  await Deno.writeTextFile(`${project}/${id}.jsonl`, JSON.stringify(turn) + "\n");
  const binding = {
    ...newBinding(id, held.folder, new Date().toISOString()),
    config_dir: held.configDir,
    arguments: held.arguments,
    state: "ended" as const,
  };
  await runTmux(tmuxOf(server), stampCommands(pane, binding));
  return id;
}

async function startOf(
  server: TmuxServer,
  pane: string,
  text: string,
): Promise<Partial<ClaudeStart> | string> {
  const folder = await server.scratch.folder(`p/${text}`);
  const configDir = await server.scratch.folder(`config/${text}/c`);
  const id = await stamp(server, pane, {
    folder,
    configDir,
    arguments: ["--add-dir", text, `--settings=${text}`],
  });
  await untilState(server, pane, "ready");
  const revived = await revive(server, pane, "--enter");
  if (revived.outcome !== "typed") return revived.message;
  await waitForBox(server, pane);
  await exitClaude(server, pane);
  const { argv, cwd, config_dir } = (await server.scratch.claudeStarts()).at(-1)!;
  const expected = {
    argv: ["--resume", id, "--add-dir", text, `--settings=${text}`],
    cwd: folder,
    config_dir: configDir,
  };
  deepStrictEqual({ argv, cwd, config_dir }, expected);
  return expected;
}

NAMES.forEach((shell, column) => {
  const texts = ALL ? AWKWARD : SOME.filter((_, index) => index % NAMES.length === column);
  Deno.test(`${shell}: revive starts Claude as it was, ${texts.length} awkward names`, async () => {
    await using server = await hooked();
    const pane = await wideSession(server, { shell });
    const wrong: string[] = [];
    for (const text of texts) {
      const got = await startOf(server, pane, text).catch((error) => String(error));
      if (typeof got === "string") wrong.push(`${JSON.stringify(text)}: ${got}`);
    }
    deepStrictEqual(wrong, []);
  });
});

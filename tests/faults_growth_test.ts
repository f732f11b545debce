// Years of use leave no more than a day does (L7). The long form, with 10,000 hooks, is in the soak.
import assert from "node:assert/strict";
import { run as manifest } from "../src/commands/manifest.ts";
import { formatLine } from "../src/state/journal_line.ts";
import { readJournal } from "../src/state/journal.ts";
import { filesBelow, idOf, lineOf, systemFor } from "./fixtures/state_world.ts";
import { runHook, runIn } from "./helpers/in_process.ts";
import { claudePid, sessionOf, startClaude } from "./helpers/panes.ts";
import { until } from "./helpers/poll.ts";
import { processesOf } from "./helpers/processes.ts";
import { runBin } from "./helpers/run_bin.ts";
import { startServer } from "./helpers/tmux_server.ts";

const HOOKS = 200;
const EVENTS = ["SessionStart", "UserPromptSubmit", "SessionEnd"];

Deno.test(`L7: ${HOOKS} hooks on a long journal, with a save now and then: bounded, no stray file, no process left`, async () => {
  await using server = await startServer();
  const { scratch } = server;
  const pane = await server.newSession();
  await startClaude(server, pane);
  const [env, claude, id] = [
    await server.paneEnv(pane),
    await claudePid(server, pane),
    await sessionOf(server, pane),
  ];
  const old = Array.from(
    { length: 1_150 },
    (_, n) => `${formatLine(lineOf(1, { session_id: idOf(n % 100) }), n + 1)}\n`,
  );
  await Deno.mkdir(scratch.state, { recursive: true, mode: 0o700 });
  await Deno.writeTextFile(`${scratch.state}/journal.jsonl`, old.join(""), { mode: 0o600 });
  const before = processesOf(scratch.root).length;
  for (let n = 0; n < HOOKS; n++) {
    const event = {
      hook_event_name: EVENTS[n % 3],
      session_id: id,
      cwd: "/",
      source: "resume",
      session_title: `${n}`,
    };
    assert.equal((await runHook(env, claude, JSON.stringify(event))).stdout, "");
    if (n % 50 === 49) assert.equal((await runIn(env, {}, (system) => manifest(system, {}))).code, 0);
  }
  for (let n = 0; n < 5; n++) {
    assert.equal((await runBin(["hook"], { env, stdin: JSON.stringify({ session_id: id }) })).code, 0);
  }
  const { lines, bad } = readJournal(systemFor({ TMUXCLAUDE_STATE_DIR: scratch.state }));
  assert.ok(lines.length <= 1_200 && lines.length >= 1_000 && bad === 0, `${lines.length} lines, ${bad} bad`);
  assert.equal(lines.at(-1)?.session_id, id);
  const files = filesBelow(scratch.state).map((name) => name.replace(/servers\/[^/]+\//, ""));
  const snapshots = files.filter((name) => name.startsWith("snapshots/"));
  assert.deepEqual(
    files.filter((name) => !snapshots.includes(name)),
    ["failures.jsonl", "journal.jsonl", "journal.lock", "manifest.json", "manifest.lock"],
  );
  assert.ok(snapshots.length <= 5, snapshots.join());
  await until("the end of what was started", () => processesOf(scratch.root).length <= before);
});

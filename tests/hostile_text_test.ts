// Hostile folders, window names, tmux session names, titles, teams, config dirs and flags on the whole way: hook,
// manifest, save and its repair, crash, restore, revive, list, recover, doctor, menu and messages with a client that
// looks on. Nothing of it is ever executed, and the line that is typed means exactly what was recorded (H5).
import assert from "node:assert/strict";
import { jsonText, printableLines } from "../src/cli/output.ts";
import { run as revive } from "../src/commands/revive.ts";
import { message } from "../src/tmux/format.ts";
import { attach, hostileRound, type Kind, KINDS } from "./fixtures/hostile_round.ts";
import { HOSTILE } from "./fixtures/hostile_words.ts";
import { idOf } from "./fixtures/state_world.ts";
import { arm, claudeIn, hasRun } from "./helpers/hostile_server.ts";
import { runHook, runIn } from "./helpers/in_process.ts";
import { untilText } from "./helpers/poll.ts";
import { runBin } from "./helpers/run_bin.ts";
import type { Scratch } from "./helpers/scratch.ts";
import { type Shell, SHELLS, startServer } from "./helpers/tmux_server.ts";

/** Each word is tried once in a run, as one kind of text; other runs (SEED=1, 2, …) try it as the other kinds. */
const PANES = Math.ceil(HOSTILE.length / KINDS.length);
const SHIFT = Number(Deno.env.get("SEED")) || 0;
const SHELL_NAMES = Object.keys(SHELLS) as Shell[];

const word = (kind: Kind, n: number) => HOSTILE[(n + (KINDS.indexOf(kind) + SHIFT) * PANES) % HOSTILE.length];

Deno.test(`H5: ${PANES} panes with hostile everything, of ${HOSTILE.length} words: from hook to revive nothing runs, and each line is exact`, async () => {
  assert.ok(HOSTILE.length >= 100);
  await hostileRound({ panes: PANES, word, shell: (n) => SHELL_NAMES[n % SHELL_NAMES.length] });
});

/** Conversations of one folder, with hostile titles. */
async function writeTitles(scratch: Scratch, folder: string, titles: string[]): Promise<void> {
  const project = `${scratch.config}/projects/${folder.replaceAll(/[^A-Za-z0-9]/g, "-")}`;
  await Deno.mkdir(project, { recursive: true });
  for (const [index, title] of titles.entries()) {
    const sessionId = idOf(0xb000 + index);
    const line = {
      type: "user",
      cwd: folder,
      timestamp: new Date().toISOString(),
      entrypoint: "cli",
      sessionId,
    };
    const lines = [line, { type: "custom-title", customTitle: title, sessionId }];
    await Deno.writeTextFile(
      `${project}/${sessionId}.jsonl`,
      lines.map((one) => `${JSON.stringify(one)}\n`).join(""),
    );
  }
}

const MENUS = 3;
const ITEMS = 9;

Deno.test(`H5: ${MENUS * ITEMS} hostile titles in menus, and what is chosen, run nothing`, async () => {
  await using server = await startServer();
  await using outer = await startServer();
  const { scratch } = server;
  await arm(scratch);
  const keep = await server.newSession();
  const { screen, client } = await attach(server, outer);
  const env = await server.paneEnv(keep);
  for (let menu = 0; menu < MENUS; menu++) {
    const folder = await scratch.folder(`project ${menu}`);
    await writeTitles(
      scratch,
      folder,
      Array.from({ length: ITEMS }, (_, n) => word("folder", menu * ITEMS + n)),
    );
    const pane = await server.newWindow(keep, { folder });
    await server.run("select-window", "-t", pane);
    const shown = await runBin(["revive", "--menu", "--pane", pane, "--client", client], { env });
    assert.equal(shown.code, 0, shown.stderr);
    await untilText("the menu", () => outer.capture(screen), "Which conversation?");
    await outer.press(screen, String(1 + menu));
    await untilText("the line", () => server.capture(pane), /claude --resume [0-9a-f-]{36}/);
    assert.ok(!await hasRun(scratch), `the canary was run by menu ${menu}`);
  }
});

const MESSAGES = 40;

Deno.test(`H5: ${MESSAGES} messages about hostile folders, on a client that looks on, run nothing and are shown as they are`, async () => {
  await using server = await startServer();
  await using outer = await startServer();
  const { scratch } = server;
  await arm(scratch);
  const pane = await server.newSession();
  const { screen, client } = await attach(server, outer);
  const env = await server.paneEnv(pane);
  const above = claudeIn(Number(await server.paneFormat(pane, "#{pane_pid}")), ["claude"]);
  await writeTitles(scratch, scratch.home, ["title"]);
  for (let n = 0; n < MESSAGES; n++) {
    const folder = `/gone/${word("folder", n)}`;
    const event = {
      hook_event_name: "SessionStart",
      session_id: idOf(0xb000),
      cwd: folder,
      source: "startup",
    };
    await runHook(env, 0, JSON.stringify(event), above);
    const ran = await runIn(env, {}, (system) => revive(system, { pane, client }));
    assert.equal(ran.code, 1, folder);
    const first = word("folder", n).replaceAll(/[^ -~].*$/gs, "").slice(0, 20);
    await untilText(
      `the message about ${JSON.stringify(folder)}`,
      () => outer.capture(screen),
      `/gone/${first}`,
    );
    assert.ok(!await hasRun(scratch), `the canary was run by ${folder}`);
  }
});

Deno.test("H5: what is printed about hostile words is nothing that a terminal obeys, and JSON still says the same", () => {
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
  for (const one of [...HOSTILE, "\u2066x\u2069", "\u0085", "\u2028"]) {
    for (const indent of [0, 2]) {
      const text = jsonText({ [one]: [one] }, indent);
      assert.doesNotMatch(text, obeyed);
      assert.deepEqual(JSON.parse(text), { [one]: [one] });
    }
    assert.doesNotMatch(printableLines(one), obeyed);
    assert.doesNotMatch(message(one), obeyed);
  }
});

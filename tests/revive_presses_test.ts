// Not one keystroke reaches a live Claude, whatever it is doing and however often the key is pressed. PRESSES says how
// often in all (e.g. 1000); without it a few in each state.
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { claudePid, prompt, registryOf, startClaude, waitForBox } from "./helpers/panes.ts";
import { until, untilText } from "./helpers/poll.ts";
import { hooked, ours } from "./helpers/revive.ts";
import { readProcess } from "./helpers/processes.ts";
import type { TmuxServer } from "./helpers/tmux_server.ts";

const PRESSES = Number(Deno.env.get("PRESSES") ?? 42);

/** The ways to press, also those that insist. */
const WAYS = [[], ["--enter"], ["--force"], ["--enter", "--force"], ["--menu"], ["--dry-run"]];

/** Each brings the pane's prompted, idle Claude into a state in which keys would do harm. */
const STATES: Record<string, (server: TmuxServer, pane: string) => Promise<unknown>> = {
  "idle": () => Promise.resolve(),
  "with a draft": async (server, pane) => {
    await server.type(pane, "half a thought");
    await untilText("the draft", () => server.capture(pane), "half a thought");
  },
  "busy": async (server, pane) => {
    await server.sendLine(pane, "MOCK_SLOW 3600");
    await until("the work", async () => (await registryOf(server, pane)).status === "busy");
    await waitForBox(server, pane);
  },
  "in a permission dialog": async (server, pane) => {
    await server.sendLine(pane, "MOCK_DIALOG");
    await untilText("the dialog", () => server.capture(pane), "❯ 1. Yes");
  },
  "suspended": async (server, pane) => {
    const pid = await claudePid(server, pane);
    await server.press(pane, "C-z");
    await until("the stop", () => readProcess(pid)?.state === "T");
    await untilText("the shell", () => server.capture(pane), /Stopped[^]*[#$] ?$/);
  },
  "in copy mode": async (server, pane) => {
    await server.run("copy-mode", "-t", pane);
    await server.run("send-keys", "-t", pane, "-X", "cursor-up");
  },
  "behind a script": async (server, pane) => {
    await server.sendLine(pane, "/exit");
    await untilText("the shell", () => server.capture(pane), /[#$] $|[#$]$/);
    await Deno.writeTextFile(`${server.scratch.bin}/my-claude`, "#!/bin/sh\nclaude\ntrue\n", { mode: 0o755 });
    await server.sendLine(pane, "my-claude");
    await waitForBox(server, pane);
  },
};

/** All that a keystroke would change. */
async function traces(server: TmuxServer, pane: string) {
  const modes =
    "#{cursor_x} #{cursor_y} #{pane_mode} #{copy_cursor_y} #{scroll_position} #{history_size} #{pane_title}";
  return { screen: await server.captureAll(pane), place: await server.paneFormat(pane, modes) };
}

async function press(server: TmuxServer, pane: string, way: string[]): Promise<[number, string]> {
  if (way[0] === "--menu") return [(await ours(server, "revive", "--pane", pane, "--menu")).code, "running"];
  const { code, stdout } = await ours(server, "revive", "--pane", pane, "--json", ...way);
  return [code, JSON.parse(stdout).outcome];
}

Deno.test(`${PRESSES} presses on live Claudes: not one keystroke arrives`, async () => {
  await using server = await hooked();
  const panes = await Promise.all(
    Object.entries(STATES).map(async ([state, bring]) => {
      const pane = await server.newSession();
      await startClaude(server, pane);
      await prompt(server, pane, "hello");
      await bring(server, pane);
      return { state, pane, before: await traces(server, pane) };
    }),
  );
  for (let count = 0; count < PRESSES; count += panes.length) {
    const way = WAYS[(count / panes.length) % WAYS.length];
    const pressed = await Promise.all(panes.map(({ pane }) => press(server, pane, way)));
    deepStrictEqual(pressed, panes.map(() => [0, "running"]), way.join(" "));
  }
  for (const { state, pane, before } of panes) {
    deepStrictEqual({ state, ...await traces(server, pane) }, { state, ...before });
  }
  strictEqual((await server.scratch.dialogAnswers()).length, 0);
  strictEqual(await server.run("list-buffers"), "");
});

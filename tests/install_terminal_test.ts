// install on a terminal: it shows what it would change and asks.
import assert from "node:assert/strict";
import { until, untilText } from "./helpers/poll.ts";
import { startServer } from "./helpers/tmux_server.ts";

const ANSWERS: [answer: string, keys: string[], changes: boolean][] = [
  ["no", ["n", "Enter"], false],
  ["the end of the input", ["C-d"], false],
  ["something else", ["x", "Enter"], false],
  ["Enter", ["Enter"], true],
  ["yes", ["Y", "e", "s", "Enter"], true],
];

for (const [answer, keys, changes] of ANSWERS) {
  Deno.test(`${answer} at install's question ${changes ? "makes the changes" : "changes nothing"}`, async () => {
    await using server = await startServer();
    const path = `${server.scratch.config}/settings.json`;
    await Deno.writeTextFile(path, "{}\n");
    const pane = await server.newSession();
    await server.sendLine(pane, "tmuxclaude install --no-tmux; echo code=$?");
    const shown = await untilText(
      "the question",
      () => server.captureAll(pane),
      /Make these changes\? \[Y\/n\] *$/,
    );
    assert.match(shown, /\+ {2}"hooks": \{/);
    assert.equal(await Deno.readTextFile(path), "{}\n");
    await server.press(pane, ...keys);
    await untilText("the end", () => server.captureAll(pane), changes ? /code=0/ : /code=1/);
    await until("the file", async () => /hook/.test(await Deno.readTextFile(path)) === changes);
  });
}

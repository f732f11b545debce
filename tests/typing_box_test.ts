// What goes into Claude's input box goes there at once, or not at all.
import assert from "node:assert/strict";
import { type BoxScreen, enterAt, pasteAt, readBoxScreen } from "../src/tmux/titles.ts";
import type { Tmux } from "../src/tmux/client.ts";
import { startServer } from "./helpers/tmux_server.ts";
import { tmuxOf, wideSession } from "./helpers/typing.ts";

const KEYS: [what: string, press: (tmux: Tmux, id: string, seen: BoxScreen) => Promise<void>][] = [
  ["a name", (tmux, id, seen) => pasteAt(tmux, id, "/rename late", seen)],
  ["an Enter", (tmux, id, seen) => enterAt(tmux, id, seen)],
];

for (const [what, press] of KEYS) {
  Deno.test(`a server that hangs gives the box no key when it goes on: ${what}`, async () => {
    await using server = await startServer();
    const id = await wideSession(server, { command: "cat" });
    const before = (await readBoxScreen(tmuxOf(server), id))!;
    const pid = await server.pid();
    Deno.kill(pid, "SIGSTOP");
    await assert.rejects(press(tmuxOf(server), id, before), /no answer within/);
    Deno.kill(pid, "SIGCONT");
    // Its answer to the next call comes behind what it was told before.
    assert.equal(await server.run("list-buffers"), "");
    assert.deepEqual(await readBoxScreen(tmuxOf(server), id), before);
  });
}

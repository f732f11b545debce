// A name is a handle: it has to be the same after any number of crashes.
import { strictEqual } from "node:assert/strict";
import { renameWindow, startNaming, untilNamed, windowNameOf } from "./helpers/naming.ts";
import { prompt, sessionOf, startClaude, waitForBox } from "./helpers/panes.ts";
import { untilText } from "./helpers/poll.ts";
import { runBin } from "./helpers/run_bin.ts";

Deno.test("name, kill -9, restore, revive, three times over: the name and the conversation are the same", async () => {
  await using naming = await startNaming();
  const { server } = naming;
  const folder = await server.scratch.folder("project");
  let [keep] = await server.panes();
  let pane = await server.newWindow(keep.id, { folder });
  await startClaude(server, pane);
  await prompt(server, pane, "hello");
  await renameWindow(server, pane, "the handle");
  await untilNamed(server, pane, "the-handle");
  const id = await sessionOf(server, pane);
  for (let crash = 0; crash < 3; crash++) {
    await succeeds("manifest", server.scratch.env);
    await server.kill9();
    await server.restart();
    await server.newSession({ session: "keep" });
    await server.run("source-file", `${server.scratch.root}/names.conf`);
    [keep] = await server.panes();
    pane = await server.newWindow(keep.id, { folder, name: "the-handle" });
    await succeeds("restore", server.scratch.env);
    await succeeds("revive", await server.paneEnv(pane), "--pane", pane);
    await untilText("the typed line", () => server.capture(pane), `claude --resume ${id}`);
    await server.press(pane, "Enter");
    await waitForBox(server, pane);
    // A last process that is slow to die still holds the name: then the prompt gives it back.
    await prompt(server, pane, `again ${crash}`);
    await untilNamed(server, pane, "the-handle");
    strictEqual(await sessionOf(server, pane), id);
    await renameWindow(server, pane, "the handle");
    await untilText("the tidy name", () => windowNameOf(server, pane), /^the-handle$/);
  }

  async function succeeds(command: string, env: Record<string, string>, ...args: string[]) {
    const all = [command, ...args, "--socket", server.socketPath];
    const { code, stderr } = await runBin(all, { env });
    strictEqual(code, 0, `${all.join(" ")}: ${stderr}`);
  }
});

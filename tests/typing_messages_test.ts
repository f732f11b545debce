// Messages arrive as they are, on the client that asked, and never fail.
import assert from "node:assert/strict";
import { showMessage, showMessageLater } from "../src/tmux/messages.ts";
import { untilText } from "./helpers/poll.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";
import { tmuxOf } from "./helpers/typing.ts";

/** A client of the session within a pane of an outer server; gives its name. */
async function attach(server: TmuxServer, outer: string, session: string): Promise<string> {
  await server.sendLine(outer, `TMUX= tmux -L ${server.socketName} attach -t =${session}:`);
  return await untilText(
    "the client",
    () => server.run("list-clients", "-t", `=${session}:`, "-F", "#{client_name}"),
    "/dev/",
  );
}

Deno.test("a message is shown as it is, on the client that is named", async () => {
  await using server = await startServer();
  const mark = `${server.scratch.root}/ran`;
  await server.newSession({ session: "a" });
  await server.newSession({ session: "b" });
  const [one, two] = [await server.newSession({ session: "x" }), await server.newSession({ session: "y" })];
  await server.run("set-option", "-t", "x", "status", "off");
  await server.run("set-option", "-t", "y", "status", "off");
  const client = await attach(server, one, "a");
  await attach(server, two, "b");
  await server.press(one, "Enter");
  const text = `100% #S #{pane_id} %H #(touch ${mark}) #[fg=red]\nnext\u001b[31m;`;
  await showMessage(tmuxOf(server), text, client.trim());
  const shown = `tmuxclaude: 100% #S #{pane_id} %H #(touch ${mark})`;
  await untilText("the message", () => server.capture(one), shown);
  assert.doesNotMatch(await server.capture(two), /tmuxclaude: /);
  await assert.rejects(Deno.stat(mark), Deno.errors.NotFound);
});

Deno.test("a message can wait until another one has been shown", async () => {
  await using server = await startServer();
  const mark = `${server.scratch.root}/ran`;
  await server.newSession({ session: "a" });
  const outer = await server.newSession({ session: "x" });
  await server.run("set-option", "-t", "x", "status", "off");
  await attach(server, outer, "a");
  const text = `100% #S "quoted" $HOME; #(touch ${mark})`;
  await showMessageLater(tmuxOf(server), text, 0.5);
  assert.doesNotMatch(await server.capture(outer), /tmuxclaude: /);
  await untilText("the message", () => server.capture(outer), `tmuxclaude: ${text}`);
  await assert.rejects(Deno.stat(mark), Deno.errors.NotFound);
  await showMessageLater({ ...tmuxOf(server), socket: `${server.scratch.root}/none` }, text, 0);
});

Deno.test("a message without a client, or for one that is gone, is no error", async () => {
  await using server = await startServer();
  await server.newSession();
  await showMessage(tmuxOf(server), "nobody reads this");
  await showMessage(tmuxOf(server), "nobody reads this", "/dev/pts/none");
  await showMessage({ ...tmuxOf(server), socket: `${server.scratch.root}/none` }, "nobody reads this");
  await showMessage(tmuxOf(server), "x".repeat(100_000));
});

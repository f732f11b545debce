// Claudes that are not the pane's own: of a tool, headless, in the background, of a team.
import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { TmuxServer } from "../helpers/tmux_server.ts";
import { ask, exitClaude, ours, oursJson, say, startClaude, untilIn, waitForText } from "./live_panes.ts";
import { hookEvents, ignore, type Live, startLive } from "./real_claude.ts";

const stampOf = (server: TmuxServer, pane: string) => server.paneFormat(pane, "#{@tmuxclaude_session}");

async function journalIds({ scratch }: Live): Promise<string[]> {
  const text = await Deno.readTextFile(`${scratch.state}/journal.jsonl`);
  const ids = text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line).session_id);
  return [...new Set(ids)];
}

/** Waits for an event of a conversation that is not one of `known`; gives its id. */
async function eventOfAnother(live: Live, pane: string, name: string, known: string[]): Promise<string> {
  const found = async () =>
    (await hookEvents(live)).find((event) =>
      event.hook_event_name === name && !known.includes(event.session_id)
    );
  return (await untilIn(live.server, pane, `${name} of another Claude`, found))!.session_id;
}

Deno.test({
  name: "claude -p that a Bash tool runs fires its hooks in the pane and leaves the stamp alone",
  ignore,
}, async () => {
  await using live = await startLive();
  const { server, scratch, api } = live;
  const pane = await server.newSession({ folder: await scratch.folder("projects/a") });
  const id = await startClaude(server, pane, "--permission-mode acceptEdits --allowedTools Bash");
  const stamp = await server.paneFormat(pane, "#{@tmuxclaude_binding}");
  await say(server, pane, "MOCK_BASH claude -p nested-question");
  await waitForText(server, pane, /MOCK-TOOL-DONE/);
  const nested = await eventOfAnother(live, pane, "SessionEnd", [id]);
  ok(api.requests.some(({ session, prompt }) => session === nested && prompt === "nested-question"));
  strictEqual(await server.paneFormat(pane, "#{@tmuxclaude_binding}"), stamp);
  deepStrictEqual(await journalIds(live), [id]);
});

Deno.test(
  { name: "claude -p that is typed in a pane leaves the conversation that was there", ignore },
  async () => {
    await using live = await startLive();
    const { server, scratch } = live;
    const pane = await server.newSession({ folder: await scratch.folder("projects/a") });
    const id = await startClaude(server, pane);
    await ask(server, pane, "one");
    await exitClaude(server, pane);
    await server.sendLine(pane, "claude -p typed-question");
    await eventOfAnother(live, pane, "SessionEnd", [id]);
    await waitForText(server, pane, /MOCK-REPLY: typed-question/);
    strictEqual(await stampOf(server, pane), id);
    deepStrictEqual(await journalIds(live), [id]);
    await untilIn(server, pane, "an offer", async () => {
      const { outcome, session_id } = await oursJson(server, "revive", "--pane", pane, "--dry-run");
      return outcome === "would_type" && session_id === id;
    });
  },
);

Deno.test({ name: "a background agent that is started in a pane is not the pane's", ignore }, async () => {
  await using live = await startLive();
  const { server, scratch } = live;
  const pane = await server.newSession({ folder: await scratch.folder("projects/a") });
  await server.sendLine(pane, "claude --bg 'background question'");
  const id = await eventOfAnother(live, pane, "SessionStart", []);
  await waitForText(server, pane, /claude stop/);
  strictEqual(await stampOf(server, pane), "");
  deepStrictEqual((await oursJson(server, "list")).panes, []);
  const own = await startClaude(server, pane);
  notStrictEqual(own, id);
  strictEqual(await stampOf(server, pane), own);
});

Deno.test(
  { name: "a teammate is known as one: it is listed, and neither restored nor revived", ignore },
  async () => {
    await using live = await startLive({ env: { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: "1" } });
    const { server, scratch } = live;
    const folder = await scratch.folder("projects/a");
    const lead = await server.newSession({ folder, session: "work" });
    const id = await startClaude(server, lead, "--permission-mode acceptEdits --teammate-mode tmux");
    const input = {
      name: "mate",
      description: "a mate",
      prompt: "mate question",
      subagent_type: "general-purpose",
    };
    await say(server, lead, `MOCK_TOOL Agent ${JSON.stringify(input)}`);
    const mate = await eventOfAnother(live, lead, "SessionStart", [id]);
    await waitForText(server, lead, /Teammate @mate finished/);
    strictEqual(await stampOf(server, lead), id);
    const kinds = (await oursJson(server, "list")).panes.map((
      { session_id, kind }: Record<string, string>,
    ) => [session_id, kind]);
    deepStrictEqual(kinds, [[id, "interactive"], [mate, "teammate"]]);

    strictEqual((await ours(server, "manifest")).code, 0);
    await server.kill9();
    await server.restart();
    const first = await server.newSession({ folder, session: "work" });
    const second = await server.split(first, { folder });
    const { panes } = await oursJson(server, "restore");
    const acted = new Map<string, Record<string, string>>(
      panes.map((row: Record<string, string>) => [row.session_id, row]),
    );
    strictEqual(acted.get(id)?.action, "stamped");
    strictEqual(acted.get(mate)?.action, "left");
    match(acted.get(mate)!.reason, /teammate/);
    strictEqual((await oursJson(server, "revive", "--pane", second)).outcome, "nothing");
    match((await oursJson(server, "revive", "--pane", first)).line, new RegExp(`--resume ${id}`));
  },
);

// The story, step by step: start, stamp, save, crash, restore, key. Each step tells what it does, does it, and
// insists on what came of it.
import { formatAddress, type SessionId } from "../binding.ts";
import { findTranscript } from "../claude/transcripts.ts";
import { toRecord } from "../from_disk.ts";
import { listPanes, type Pane } from "../tmux/panes.ts";
import { enterLine, openPane, paneText, startServer } from "../tmux/private_server.ts";
import { type Actor, type Role, ROLES } from "./cast.ts";
import { insist, waitFor, waitForText } from "./checks.ts";
import { crash } from "./crash.ts";
import { askProgram, runProgram } from "./program.ts";
import type { World } from "./world.ts";

/** Where the narration goes: a numbered heading, or a line below it. */
export interface Narrator {
  step(text: string): void;
  line(text: string): void;
}

/** Plays the whole story. Throws DemoFailure at the first thing that is not as it should be. */
export async function play(world: World, tell: Narrator): Promise<void> {
  tell.step(`A private tmux server opens ${ROLES.length} panes, two of them in the same folder`);
  let actors = await openLayout(world);
  for (const actor of actors) tell.line(`${await placeOf(world, actor)}  ~/${actor.folder}`);

  tell.step(
    "Claude starts in each pane and is asked something; its hook writes the conversation onto the pane",
  );
  await Promise.all(actors.map((actor) => converse(world, actor)));
  actors = await readStamps(world, actors);
  for (const actor of actors) {
    tell.line(`${await placeOf(world, actor)}  ${short(actor)}  "${actor.question}"`);
  }

  tell.step(
    "Save: tmuxclaude manifest writes down which pane holds what (tmux-resurrect calls it after each save)",
  );
  await save(world, actors);
  tell.line(`${actors.length} panes, ${actors.length} conversations`);

  tell.step("Crash: kill -9 ends the tmux server, and every Claude with it");
  tell.line(`process ${await crash(world)} is gone`);

  tell.step("tmux comes back with the same layout and bare shells (with you, tmux-resurrect does this)");
  actors = withPanes(actors, await openLayout(world));
  await insistBlank(world);
  tell.line(`${actors.length} panes, none of them knows what it held`);

  tell.step("Restore: tmuxclaude restore puts each conversation back onto its pane");
  await restore(world, actors);
  tell.line(`${actors.length} of ${actors.length} recognised, nothing started`);

  tell.step("The key, prefix + r, in each pane: tmuxclaude revive types the line, and only that");
  for (const actor of actors) tell.line(`${await placeOf(world, actor)}  ${await revive(world, actor)}`);

  tell.step("Enter in each pane: the earlier turn is on the screen again");
  await Promise.all(actors.map((actor) => resume(world, actor)));
  for (const actor of actors) {
    tell.line(`${await placeOf(world, actor)}  ${short(actor)}  "${actor.question}"`);
  }
}

const short = (actor: Actor) => (actor.session ?? "").slice(0, 8);

async function openLayout(world: World): Promise<Actor[]> {
  await startServer(world.tmux, world.conf);
  const actors: Actor[] = [];
  for (const role of ROLES) actors.push({ ...role, paneId: await open(world, role), session: null });
  for (const { paneId } of actors) await waitForText(world.tmux, paneId, "$");
  return actors;
}

async function open(world: World, role: Role): Promise<string> {
  const folder = `${world.home}/${role.folder}`;
  world.tmux.system.files.makeDir(folder, 0o700);
  return await openPane(world.tmux, { ...role, folder, command: world.shell });
}

function withPanes(actors: Actor[], opened: Actor[]): Actor[] {
  return actors.map((actor, index) => ({ ...actor, paneId: opened[index].paneId }));
}

async function insistBlank(world: World): Promise<void> {
  const { panes } = await listPanes(world.tmux);
  insist(panes.length === ROLES.length, `the new tmux server has ${panes.length} panes`);
  insist(panes.every((pane) => pane.stamp === null), "a new pane knows a conversation before the restore");
}

async function paneOf(world: World, { paneId }: Actor): Promise<Pane> {
  const found = (await listPanes(world.tmux)).panes.find((pane) => pane.pane_id === paneId);
  insist(found !== undefined, `pane ${paneId} is gone`);
  return found;
}

async function placeOf(world: World, actor: Actor): Promise<string> {
  return formatAddress(await paneOf(world, actor)).padEnd(8);
}

/** The empty input box: the prompt character and a no-break space. */
const BOX = /❯\u00a0\s*$/m;

async function converse({ tmux }: World, { paneId, question }: Actor): Promise<void> {
  await enterLine(tmux, paneId, "claude");
  await waitForText(tmux, paneId, BOX);
  await enterLine(tmux, paneId, question);
  await waitForText(tmux, paneId, `MOCK-REPLY: ${question}`);
}

/** The stamp has to name the very conversation in which this pane's question was asked. */
async function readStamps(world: World, actors: Actor[]): Promise<Actor[]> {
  const stamped: Actor[] = [];
  for (const actor of actors) {
    const session = (await paneOf(world, actor)).stamp?.session_id ?? null;
    insist(session !== null, `the hook left pane ${actor.paneId} without a conversation`);
    await waitFor(
      world.tmux.system,
      `"${actor.question}" in conversation ${session}`,
      () => holds(world, session, actor.question) || null,
    );
    stamped.push({ ...actor, session });
  }
  insist(
    new Set(stamped.map((actor) => actor.session)).size === stamped.length,
    "two panes got one conversation",
  );
  return stamped;
}

function holds(world: World, session: SessionId, question: string): boolean {
  const { system } = world.tmux;
  const { path } = findTranscript(system, `${world.home}/.claude`, session);
  return path !== null && system.files.readText(path).includes(question);
}

async function save(world: World, actors: Actor[]): Promise<void> {
  await runProgram(world, ["manifest"]);
  const { panes } = await askProgram(world, ["manifest", "--print"]);
  const saved = rowsOf(panes).map((row) => toRecord(row.binding)?.session_id);
  insist(actors.every(({ session }) => saved.includes(session!)), "the manifest lacks a conversation");
}

async function restore(world: World, actors: Actor[]): Promise<void> {
  const { panes } = await askProgram(world, ["restore"]);
  const rows = rowsOf(panes);
  for (const { paneId, session } of actors) {
    const row = rows.find((one) => one.pane_id === paneId);
    insist(row?.action === "stamped", `restore did not recognise pane ${paneId}: ${row?.reason ?? "no row"}`);
    insist(row.session_id === session, `restore gave pane ${paneId} another pane's conversation`);
  }
}

function rowsOf(value: unknown): Record<string, unknown>[] {
  return (Array.isArray(value) ? value : []).map(toRecord).filter((row) => row !== null);
}

/** The line as it stands at the prompt, not run yet. */
async function revive(world: World, { paneId, session }: Actor): Promise<string> {
  const { line, session_id, rung } = await askProgram(world, ["revive", "--pane", paneId]);
  insist(session_id === session, `revive offered pane ${paneId} another conversation: ${session_id}`);
  insist(rung === "stamp", `revive was not certain in pane ${paneId}: ${rung}`);
  const shown = await paneText(world.tmux, paneId);
  insist(
    typeof line === "string" && shown.trimEnd().endsWith(line),
    `the line is not in pane ${paneId}: ${shown}`,
  );
  return line;
}

async function resume(world: World, { paneId, session, question }: Actor): Promise<void> {
  await enterLine(world.tmux, paneId, "");
  await waitForText(world.tmux, paneId, BOX);
  const shown = await paneText(world.tmux, paneId);
  insist(
    shown.includes(`MOCK-REPLY: ${question}`),
    `the earlier turn is not on the screen of ${paneId}: ${shown}`,
  );
  await waitFor(world.tmux.system, `pane ${paneId} bound as running`, async () => {
    const { panes } = await listPanes(world.tmux);
    const stamp = panes.find((pane) => pane.pane_id === paneId)?.stamp;
    return stamp?.session_id === session && stamp?.state === "running" || null;
  });
}

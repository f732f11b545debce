// Whichever act on the disk fails, under whichever command: nothing that was there is lost or torn, the message names
// the file, the hook stays silent, and the next run does it (D6).
import assert from "node:assert/strict";
import { run as manifest } from "../src/commands/manifest.ts";
import { run as name } from "../src/commands/name.ts";
import { run as recover } from "../src/commands/recover.ts";
import { run as restore } from "../src/commands/restore.ts";
import { run as revive } from "../src/commands/revive.ts";
import { readFailures } from "../src/state/failures.ts";
import { readJournal } from "../src/state/journal.ts";
import { readManifestFile } from "../src/state/manifest_format.ts";
import { realSystem } from "../src/system/real.ts";
import type { Files, System } from "../src/system/system.ts";
import { type FaultWorld, makeFaultWorld } from "./fixtures/fault_world.ts";
import { filesBelow, systemFor } from "./fixtures/state_world.ts";
import {
  type Act,
  BROKEN,
  DENIED,
  DISK_FULL,
  failingFiles,
  type Fault,
  nextAct,
} from "./helpers/failing_system.ts";
import { type Ran, runHook, runIn } from "./helpers/in_process.ts";

interface Writer {
  says: string;
  run: (world: FaultWorld, files: Files) => Promise<Ran>;
  /** Begins without stamps, as after a restore of the layout. */
  bare?: boolean;
  /** What a healthy run leaves. */
  event: string | null;
  isHook?: boolean;
  prepare?: (world: FaultWorld) => Promise<unknown>;
  faults?: typeof FAULTS;
}

function command(
  says: string,
  event: string | null,
  run: (system: System, world: FaultWorld) => Promise<number>,
) {
  return {
    says,
    event,
    run: (world: FaultWorld, files: Files) => runIn(world.env, { files }, (system) => run(system, world)),
  };
}

function hookOn(event: string, journalled: string | null, more: Record<string, unknown> = {}): Writer {
  return {
    says: `the hook at ${event}`,
    event: journalled,
    isHook: true,
    run: (world, files) => runHook(world.env, world.running.claude, world.event(event, more), { files }),
  };
}

const WRITERS: Writer[] = [
  hookOn("SessionStart", "start"),
  hookOn("UserPromptSubmit", "rename", { session_title: "later" }),
  hookOn("SessionEnd", "end", { reason: "other" }),
  command("manifest", "rename", (system) => manifest(system, {})),
  { ...command("restore", "restore", (system) => restore(system, {})), bare: true },
  command("revive", "revive", (system, { exited }) => revive(system, { pane: exited.pane })),
  command(
    "recover --bind",
    "bind",
    (system, { exited, running }) => recover(system, { bind: [`${exited.pane}=${running.id}`], force: true }),
  ),
  {
    ...command("name, typed", null, (system, { running }) => name(system, { pane: running.pane })),
    prepare: nameAgain,
    faults: [{ error: DISK_FULL, torn: true }],
  },
  {
    ...command(
      "name, while a draft is in the way",
      null,
      (system, { running }) => name(system, { pane: running.pane }),
    ),
    prepare: async (world) => {
      await world.server.type(world.running.pane, "draft");
      await nameAgain(world);
    },
    faults: [{ error: DISK_FULL, torn: true }, { error: DENIED, forever: true }],
  },
];

let names = 0;

function nameAgain({ server, running }: FaultWorld): Promise<string> {
  return server.run("rename-window", "-t", running.pane, `name${names++}`);
}

const FAULTS: Omit<Fault, "at">[] = [
  { error: DISK_FULL, torn: true },
  { error: DISK_FULL, torn: true, forever: true, of: "space" },
  { error: DENIED },
  { error: DENIED, forever: true },
  { error: BROKEN, of: "reads" },
  { error: BROKEN, of: "reads", forever: true },
];

const { files } = realSystem();

function stateOf(world: FaultWorld): System {
  return systemFor({ TMUXCLAUDE_STATE_DIR: world.server.scratch.state });
}

/** Everything of ours and of resurrect's, by path. */
function texts(world: FaultWorld): Map<string, string> {
  const folders = [world.server.scratch.state, world.save.replace(/\/[^/]*$/, "")];
  return new Map(
    folders.flatMap((folder) =>
      filesBelow(folder).map((file) =>
        [`${folder}/${file}`, Deno.readTextFileSync(`${folder}/${file}`)] as const
      )
    ),
  );
}

/** Nothing is torn, nothing that was there is gone. */
function assertWhole(world: FaultWorld, before: Map<string, string>, says: string, mayLeave: boolean): void {
  const system = stateOf(world);
  for (const [path, text] of texts(world)) {
    // Where nothing may be removed either, the next sweep does it.
    if (!mayLeave) assert.doesNotMatch(path, /\.tmp$/, says);
    if (path.endsWith(".tmp")) continue;
    if (path.endsWith(".json") && path.includes("/servers/")) {
      assert.ok(readManifestFile(system, path).found, `${says}: ${path}`);
    }
    if (path === world.save) assert.ok([before.get(path), repaired(before.get(path)!)].includes(text), says);
  }
  for (const path of before.keys()) assert.ok(texts(world).has(path), `${says}: ${path} is gone`);
  const { lines, bad } = readJournal(system);
  const old = before.get(`${world.server.scratch.state}/journal.jsonl`)!.trimEnd().split("\n");
  assert.deepEqual(lines.slice(0, old.length), old.map((line) => JSON.parse(line)), says);
  assert.ok(bad <= 1, says);
}

function repaired(save: string): string {
  return save.replaceAll("\t\t", "\t \t");
}

/** A command that could not write says which file it was. */
function assertSaid(ran: Ran, writer: Writer, failed: Act[], says: string): void {
  if (writer.isHook) return assert.deepEqual([ran.stdout, ran.stderr], ["", ""], says);
  assert.doesNotMatch(ran.stderr, /unexpected error/, says);
  assert.ok([0, 1, 3].includes(ran.code), `${says}: exit ${ran.code}`);
  if (ran.code !== 1 || !isChange(failed[0])) return;
  const paths = failed.flatMap(({ path }) => [path, path.replace(/\/[^/]*$/, "")]);
  assert.ok(paths.some((path) => ran.stderr.includes(path)), `${says}: ${ran.stderr}`);
}

const isChange = ({ act }: Act) => ["open", "write", "sync", "rename", "tryLock"].includes(act);

async function tryAll(world: FaultWorld, writer: Writer): Promise<number> {
  let tried = 0;
  for (const fault of writer.faults ?? FAULTS) {
    for (let at = 1;; at = nextAct(fault, at)) {
      await world.reset({ stamps: !writer.bare });
      await writer.prepare?.(world);
      const before = texts(world);
      const acts: Act[] = [];
      const ran = await writer.run(world, failingFiles(files, { ...fault, at }, acts));
      if (acts.length < at) break;
      tried++;
      const mayLeave = fault.error === DENIED && fault.forever === true;
      const says =
        `${writer.says}, ${fault.error.message}${fault.forever ? " for ever" : ""} at act ${at}: ` +
        `${acts[at - 1].act} ${acts[at - 1].path}`;
      assertWhole(world, before, says, mayLeave);
      assertSaid(ran, writer, fault.forever ? acts.slice(at - 1) : [acts[at - 1]], says);
      assertKept(world, writer, fault, says);
      if (fault.of === "reads" && ran.code === 0) continue;
      assert.equal((await writer.run(world, files)).code, 0, `${says}, afterwards`);
      assertWhole(world, before, `${says}, afterwards`, mayLeave);
    }
  }
  return tried;
}

/** One failure loses no line; a disk that stays broken may, and then only that one. */
function assertKept(
  world: FaultWorld,
  { event, isHook }: Writer,
  fault: Omit<Fault, "at">,
  says: string,
): void {
  const system = stateOf(world);
  if (event === null || fault.forever || fault.of === "reads") return;
  const isThere = readJournal(system).lines.slice(-2).some((line) => line.event === event);
  assert.ok(isThere, `${says}: the line is lost`);
  if (isHook) assert.ok(readFailures(system).length <= 1, says);
}

for (const writer of WRITERS) {
  Deno.test(`D6: every act on files under ${writer.says} fails in turn: nothing is torn, nothing is lost, the file is named`, async () => {
    await using world = await makeFaultWorld();
    assert.ok(await tryAll(world, writer) > 4);
  });
}

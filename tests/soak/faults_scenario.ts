// A disk on which any act may fail, again and again, torn or not: whatever an append or a save promised is there.
import { appendJournal, appendJournalLines, readJournal, trimJournal } from "../../src/state/journal.ts";
import { recordFailure } from "../../src/state/failures.ts";
import { readManifest, writeManifest } from "../../src/state/manifest.ts";
import { dropPending, peekPending, putPending } from "../../src/state/pending.ts";
import type { System } from "../../src/system/system.ts";
import { idOf, lineOf, makeState, manifestOf, rowOf, SOCKET } from "../fixtures/state_world.ts";
import { BROKEN, DENIED, DISK_FULL, failingFiles, READ_ONLY } from "../helpers/failing_system.ts";
import type { Random } from "../helpers/seeded.ts";
import { count, mustHold, type Scenario, type Tally } from "./scenario.ts";

const STEPS = 60;

export const faultsScenario: Scenario = {
  name: "every write, sync, rename, lock and chmod failing in turn",
  begin: () => Promise.resolve({ round, [Symbol.asyncDispose]: () => Promise.resolve() }),
};

/** The System with a fault within its next acts, most often. */
function faulty(system: System, random: Random, tally: Tally): System {
  if (random.chance(0.2)) return system;
  const fault = {
    at: 1 + random.below(12),
    error: random.pick([DISK_FULL, DENIED, BROKEN, READ_ONLY]),
    torn: random.chance(0.5),
    forever: random.chance(0.3),
  };
  count(tally, "faulty disks");
  return { ...system, files: failingFiles(system.files, fault), sleep: () => Promise.resolve() };
}

async function round(random: Random, tally: Tally): Promise<void> {
  using world = makeState();
  const kept: string[] = [];
  let newest = "";
  for (let step = 0; step < STEPS; step++) {
    const system = faulty(world.system, random, tally);
    const did = await attempt(() => act(system, step, random));
    if (did.refused) count(tally, "acts refused");
    kept.push(...did.lines);
    newest = did.saved ?? newest;
    check(world.system, kept, newest, tally);
  }
  await appendJournal(world.system, lineOf(1, { source: "after" }));
  await trimJournal(world.system, ({ source }) => source);
  check(world.system, [...kept, "after"], newest, tally);
}

/** What was promised. */
interface Did {
  lines: string[];
  saved: string | null;
  refused: boolean;
}

async function attempt(action: () => Promise<Omit<Did, "refused">>): Promise<Did> {
  try {
    return { ...await action(), refused: false };
  } catch {
    return { lines: [], saved: null, refused: true };
  }
}

async function act(system: System, step: number, random: Random): Promise<Omit<Did, "refused">> {
  const nothing = { lines: [], saved: null };
  switch (random.below(6)) {
    case 0:
    case 1: {
      const lines = Array.from(
        { length: 1 + random.below(4) },
        (_, n) => lineOf(step, { source: `${step}.${n}` }),
      );
      await appendJournalLines(system, lines);
      return { lines: lines.map((line) => line.source!), saved: null };
    }
    case 2: {
      const at = new Date(Date.parse("2026-01-02T03:04:05Z") + step * 1000).toISOString();
      const result = await writeManifest(system, manifestOf({ at, panes: [rowOf(step), rowOf(step + 1)] }));
      return { lines: [], saved: result === "written" ? at : null };
    }
    case 3:
      await trimJournal(system, ({ source }) => source);
      return nothing;
    case 4:
      recordFailure(system, { where: "hook", reason: `step ${step}` });
      return nothing;
    default:
      putPending(system, { session_id: idOf(1), name: `n${step}`, window_id: "@1", title: null, at: "" });
      if (peekPending(system, idOf(1))?.name !== `n${step}`) {
        throw new Error("a push that was left is not there");
      }
      dropPending(system, idOf(1));
      return nothing;
  }
}

function check(system: System, kept: string[], newest: string, tally: Tally): void {
  const found = readJournal(system).lines.map((line) => line.source!);
  const order = found.filter((source) => kept.includes(source));
  mustHold(
    tally,
    kept.every((source) => found.includes(source)),
    () => `${kept.length} kept, ${found.length} found`,
  );
  mustHold(tally, order.join() === kept.join(), () => `not in order: ${order.slice(-5)}, ${kept.slice(-5)}`);
  if (newest === "") return;
  const read = readManifest(system, SOCKET);
  mustHold(tally, read.found && read.bad === 0, () => "the manifest is not whole");
  mustHold(tally, read.found && read.manifest.at >= newest, () => `the manifest is older than ${newest}`);
}

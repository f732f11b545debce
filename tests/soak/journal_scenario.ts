// Many processes on one journal: appenders that are killed, one that trims, one that is stopped with the lock in its
// hand, and readers. Every line that was acknowledged has to be there, once and in its writer's order.
import { appendJournal, appendJournalLines, readJournal, trimJournal } from "../../src/state/journal.ts";
import { startWorker, type Worker } from "../fixtures/state_processes.ts";
import { lineOf, makeState, type StateWorld } from "../fixtures/state_world.ts";
import type { Random } from "../helpers/seeded.ts";
import { count, mustHold, pause, type Scenario, type Tally } from "./scenario.ts";

/** Old lines, so that trimming has something to drop. What a round adds stays within the 1,000 that are kept. */
const OLD = 1_300;
const LINES = 60;

export const journalScenario: Scenario = {
  name: "journal: appends, trims, kills, a stopped holder",
  begin: () =>
    Promise.resolve({
      round,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
};

async function round(random: Random, tally: Tally): Promise<void> {
  using world = makeState();
  await appendJournalLines(world.system, Array.from({ length: OLD }, () => lineOf(1, { source: "old" })));
  const holder = random.chance(0.3) ? await stoppedHolder(world, tally) : null;
  const trimmer = startWorker(world.root, ["trim", 8]);
  const writers = Array.from(
    { length: 2 + random.below(5) },
    (_, writer) => startWorker(world.root, ["append", writer, LINES]),
  );
  const acknowledged = await Promise.all(writers.map((writer) => untilItsEnd(writer, random, tally)));
  holder?.child.kill("SIGKILL");
  await Promise.all([trimmer.lines(), holder?.lines()]);
  await trimJournal(world.system, () => null);
  await appendJournal(world.system, lineOf(1, { source: "after" }));
  check(world, acknowledged, tally);
  count(tally, "lines acknowledged", acknowledged.flat().length);
}

async function stoppedHolder(world: StateWorld, tally: Tally): Promise<Worker> {
  const holder = startWorker(world.root, ["hold-lock"]);
  await holder.nextLine();
  holder.child.kill("SIGSTOP");
  count(tally, "stopped a process that held the lock");
  return holder;
}

/** What a writer acknowledged until its end, which often is a violent one. */
async function untilItsEnd(writer: Worker, random: Random, tally: Tally): Promise<string[]> {
  if (random.chance(0.7)) {
    await pause(random.below(400));
    count(tally, "killed an appender");
    try {
      writer.child.kill("SIGKILL");
    } catch {
      // It had ended.
    }
  }
  return await writer.lines();
}

function check({ system }: StateWorld, acknowledged: string[][], tally: Tally): void {
  const { lines, bad } = readJournal(system);
  const found = lines.map((line) => line.source!);
  for (const [writer, said] of acknowledged.entries()) {
    const own = found.filter((source) => source.startsWith(`${writer}-`));
    mustHold(tally, new Set(own).size === own.length, () => `writer ${writer}: a line is there twice`);
    // One more may be there: written, but killed before it could say so.
    mustHold(
      tally,
      own.length - said.length <= 1 && said.every((source, index) => own[index] === source),
      () => `writer ${writer}: acknowledged ${said.length}, found ${own.length}`,
    );
  }
  mustHold(tally, bad <= acknowledged.length, () => `${bad} torn lines of ${acknowledged.length} writers`);
  mustHold(
    tally,
    found.at(-1) === "after",
    () => `the line after all of it is not the last: ${found.at(-1)}`,
  );
}

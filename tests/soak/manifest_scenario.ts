// Many processes save one server's manifest and are killed, while readers look on: every read is whole, and what was
// acknowledged as written is not followed by anything older.
import { readManifest } from "../../src/state/manifest.ts";
import { listSnapshots, readSnapshot } from "../../src/state/snapshots.ts";
import { startWorker, type Worker } from "../fixtures/state_processes.ts";
import { makeState, SOCKET, type StateWorld } from "../fixtures/state_world.ts";
import type { Random } from "../helpers/seeded.ts";
import { count, mustHold, pause, type Scenario, type Tally } from "./scenario.ts";

const ROWS = 20;

export const manifestScenario: Scenario = {
  name: "manifest: saves at once, kills, readers",
  begin() {
    const world = makeState();
    let newest = "";
    return Promise.resolve({
      async round(random: Random, tally: Tally) {
        const writers = Array.from(
          { length: 1 + random.below(5) },
          (_, n) => startWorker(world.root, ["manifests", n, 0]),
        );
        for (const writer of writers) await writer.nextLine();
        const stop = performance.now() + random.below(300);
        while (performance.now() < stop) {
          newest = look(world, newest, tally);
          await pause(1);
        }
        const written = (await Promise.all(writers.map((writer) => kill(writer, tally)))).flat().sort();
        newest = look(world, newest, tally);
        mustHold(
          tally,
          newest >= (written.at(-1) ?? ""),
          () => `${written.at(-1)} was written, ${newest} is there`,
        );
        lookAtSnapshots(world, tally);
      },
      [Symbol.asyncDispose]: () => Promise.resolve(world[Symbol.dispose]()),
    });
  },
};

/** Times of the saves a writer acknowledged. */
async function kill(writer: Worker, tally: Tally): Promise<string[]> {
  writer.child.kill("SIGKILL");
  count(tally, "killed a writer of manifests");
  const said = (await writer.lines()).map((line) => line.split(" "));
  count(tally, "saves acknowledged", said.length);
  return said.filter(([result]) => result === "written").map(([, at]) => at);
}

function look({ system }: StateWorld, newest: string, tally: Tally): string {
  const read = readManifest(system, SOCKET);
  if (!read.found) {
    mustHold(tally, read.reason === null && newest === "", () => `the manifest is gone: ${read.reason}`);
    return newest;
  }
  const { manifest, bad } = read;
  const marks = new Set(manifest.panes.map((row) => row.window_name));
  mustHold(tally, manifest.count === ROWS && bad === 0 && marks.size === 1, () => "a manifest is not whole");
  mustHold(tally, manifest.at >= newest, () => `${manifest.at} came after ${newest}`);
  count(tally, "reads");
  return manifest.at;
}

function lookAtSnapshots({ system }: StateWorld, tally: Tally): void {
  for (const ref of listSnapshots(system, SOCKET)) {
    const read = readSnapshot(system, ref);
    mustHold(tally, read.found && read.bad === 0, () => `the snapshot ${ref.path} is not whole`);
  }
}

// The commands that look at every pane, on servers of growing size.
import { againstFloor, type Part } from "./context.ts";
import type { Budget } from "./line.ts";
import { makeWorld, type World } from "./world.ts";

const SIZES = [10, 100, 1000];
/** Half of the panes have a Claude, as while people work, but no machine runs more. */
const MOST_CLAUDES = 100;
const LIST_BUDGET: Budget = { overFloor: 100 };
const MANIFEST_BUDGET: Budget = { total: 400, tmuxCalls: 1 };
const RESTORE_BUDGET: Budget = { total: 1000 };

const inWords = (count: number) => `${count.toLocaleString("en")} panes`;

export const panesPart: Part = async function* (settings) {
  const sizes = settings.quick ? SIZES.slice(0, 2) : SIZES;
  for (const panes of sizes) {
    await using world = await makeWorld({ panes, live: Math.min(panes / 2, MOST_CLAUDES) });
    const of = { rounds: panes > 100 ? 8 : 15, title: inWords(panes) };
    await world.stamp();
    const manifest = { ...of, args: ["manifest"], title: `manifest, ${of.title}`, budget: MANIFEST_BUDGET };
    yield await againstFloor(world, settings, manifest);
    const budget = panes === 100 ? LIST_BUDGET : undefined;
    yield await againstFloor(world, settings, { ...of, args: ["list"], title: `list, ${of.title}`, budget });
  }
  for (const panes of sizes) {
    await using world = await makeWorld({ panes });
    await world.stamp();
    await writeEarlierManifest(world);
    yield await againstFloor(world, settings, {
      title: `restore (stamps), ${inWords(panes)}`,
      args: ["restore", "--policy", "lazy"],
      rounds: panes > 100 ? 5 : 12,
      patience: panes > 100 ? 4 : 1,
      budget: RESTORE_BUDGET,
      before: (name) => name === "ours" ? justRestored(world) : Promise.resolve(),
    });
  }
};

/** What the last manifest before a crash is: written by this server, dated back to an earlier life of it. */
async function writeEarlierManifest({ server: { scratch }, env }: World): Promise<void> {
  await new Deno.Command(scratch.program, { args: ["manifest"], env, clearEnv: true }).output();
  const [{ name }] = await Array.fromAsync(Deno.readDir(`${scratch.state}/servers`));
  const folder = `${scratch.state}/servers/${name}`;
  const manifest = JSON.parse(await Deno.readTextFile(`${folder}/manifest.json`));
  manifest.server = { ...manifest.server, pid: 1, started: manifest.server.started - 3600 };
  await Deno.writeTextFile(`${folder}/manifest.json`, JSON.stringify(manifest));
  await Deno.remove(`${folder}/snapshots`, { recursive: true });
}

/** As tmux-resurrect leaves it: panes without stamps, and no restore yet in this life. */
async function justRestored(world: World): Promise<void> {
  await world.unstamp();
  await Deno.remove(`${world.server.scratch.state}/journal.jsonl`).catch(() => {});
}

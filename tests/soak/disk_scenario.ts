// A disk that is full: the state folder and the settings on a tmpfs of a few pages. The hook is silent and ends well,
// what is there stays whole, and when there is room again all goes on.
import { appendJournal, readJournal } from "../../src/state/journal.ts";
import { readManifest, writeManifest } from "../../src/state/manifest.ts";
import { lineOf, manifestOf, rowOf, SOCKET, systemFor } from "../fixtures/state_world.ts";
import { runBin } from "../helpers/run_bin.ts";
import type { Random } from "../helpers/seeded.ts";
import { makeScratch, type Scratch } from "../helpers/scratch.ts";
import { count, mustHold, type Scenario, type Tally } from "./scenario.ts";

const SETTINGS = '{\n  "model": "opus"\n}\n';

export const diskScenario: Scenario = {
  name: "a full disk (a small tmpfs)",
  async begin() {
    if (Deno.build.os !== "linux" || Deno.uid() !== 0) {
      return { skipped: "only root can mount a small tmpfs" };
    }
    const scratch = await makeScratch();
    const mount = await command("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", scratch.home);
    if (mount !== 0) {
      await scratch[Symbol.asyncDispose]();
      return { skipped: "a tmpfs cannot be mounted here" };
    }
    return {
      round: (random, tally) => round(scratch, random, tally),
      async [Symbol.asyncDispose]() {
        await command("umount", scratch.home);
        await scratch[Symbol.asyncDispose]();
      },
    };
  },
};

async function round(scratch: Scratch, random: Random, tally: Tally): Promise<void> {
  await clear(scratch.home);
  await Deno.mkdir(scratch.config);
  const settings = `${scratch.config}/settings.json`;
  await Deno.writeTextFile(settings, SETTINGS);
  const system = systemFor({ TMUXCLAUDE_STATE_DIR: scratch.state });
  const at = (n: number) => new Date(Date.parse("2026-01-02T03:04:05Z") + n * 1000).toISOString();
  const manifest = (n: number) =>
    manifestOf({ at: at(n), panes: Array.from({ length: 20 }, (_, i) => rowOf(i)) });
  await writeManifest(system, manifest(0));
  await fill(scratch.home, random.below(3) * 4096 + random.below(4096));
  count(tally, "filled the disk");
  const kept: string[] = [];
  for (let n = 0; n < 40; n++) {
    const source = `line ${n}`;
    await appendJournal(system, lineOf(n, { source })).then(
      () => kept.push(source),
      () => count(tally, "appends refused"),
    );
  }
  let newest = at(0);
  for (let n = 1; n < 4; n++) {
    await writeManifest(system, manifest(n)).then(() => newest = at(n), () => count(tally, "saves refused"));
  }
  await hookAndInstall(scratch, tally);
  mustHold(tally, await Deno.readTextFile(settings) === SETTINGS, () => "settings.json is not as before");
  const found = readJournal(system).lines.map((line) => line.source!);
  mustHold(
    tally,
    kept.every((source) => found.includes(source)),
    () => `${kept.length} kept, ${found.length} found`,
  );
  const read = readManifest(system, SOCKET);
  mustHold(
    tally,
    read.found && read.bad === 0 && read.manifest.at >= newest,
    () => `the manifest is not ${newest}`,
  );
  await Deno.remove(`${scratch.home}/filling`);
  await appendJournal(system, lineOf(1, { source: "after" }));
  mustHold(
    tally,
    readJournal(system).lines.at(-1)?.source === "after",
    () => "no line goes in after there is room",
  );
}

/** The hook ends well and silently; an install may fail, but says so. */
async function hookAndInstall(scratch: Scratch, tally: Tally): Promise<void> {
  const env = { ...scratch.env, TMUXCLAUDE_CACHE_DIR: `${scratch.root}/cache` };
  const inside = { ...env, TMUX: `${scratch.root}/none,1,0`, TMUX_PANE: "%0" };
  const hook = await runBin(["hook"], { env: inside, stdin: "{}" });
  mustHold(tally, hook.code === 0 && hook.stdout + hook.stderr === "", () => `the hook said ${hook.stderr}`);
  count(tally, "hooks on a full disk");
  const install = await runBin(["install", "--yes", "--no-tmux"], { env });
  if (install.code === 0) await runBin(["uninstall", "--yes"], { env });
  else mustHold(tally, install.stderr !== "", () => "an install that failed says nothing");
  count(tally, "installs on a full disk");
}

async function clear(folder: string): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) {
    await Deno.remove(`${folder}/${name}`, { recursive: true });
  }
}

/** Writes until nothing more fits, then gives back some bytes (the last file system block is 4 KB). */
async function fill(folder: string, spare: number): Promise<void> {
  using file = await Deno.open(`${folder}/filling`, { create: true, write: true });
  const block = new Uint8Array(4096);
  let size = 0;
  try {
    for (;;) size += file.writeSync(block);
  } catch {
    await file.truncate(Math.max(0, size - spare));
  }
}

async function command(program: string, ...args: string[]): Promise<number> {
  return (await new Deno.Command(program, { args, stdout: "null", stderr: "null" }).output()).code;
}

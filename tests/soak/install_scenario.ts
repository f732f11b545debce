// Install and uninstall killed at any moment, while Claude writes its settings too: each file is as before or as it
// should become, foreign keys stay, and in the end every byte is given back.
import { makeScratch, type Scratch } from "../helpers/scratch.ts";
import type { Random } from "../helpers/seeded.ts";
import { count, killAfter, mustHold, type Scenario, type Tally } from "./scenario.ts";

const SETTINGS = '{\n    "model": "opus",\n    "hooks": {"Stop": []}\n}\n';
const CONF = "set -g mouse on\nbind r source-file ~/.tmux.conf";
const OFTEN_DONE_MS = 400;

export const installScenario: Scenario = {
  name: "install and uninstall: kills, foreign writers",
  async begin() {
    const scratch = await makeScratch();
    return {
      round: (random, tally) => round(scratch, random, tally),
      [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
    };
  },
};

async function round(scratch: Scratch, random: Random, tally: Tally): Promise<void> {
  const files: [string, string][] = [
    [`${scratch.config}/settings.json`, SETTINGS],
    [`${scratch.home}/.tmux.conf`, CONF],
  ];
  for (const [path, text] of files) await Deno.writeTextFile(path, text);
  await finish(scratch, "install", tally);
  const after = await Promise.all(files.map(([path]) => Deno.readTextFile(path)));
  await finish(scratch, "uninstall", tally);
  for (let kill = 0; kill < 3; kill++) {
    const command = random.pick(["install", "uninstall"]);
    const ended = await killAfter(start(scratch, command), random.below(OFTEN_DONE_MS));
    if (!ended.ended) count(tally, `killed ${command}`);
    for (const [index, [path, text]] of files.entries()) {
      const now = await Deno.readTextFile(path).catch(() => null);
      mustHold(
        tally,
        now === text || now === after[index],
        () => `${path} after a killed ${command}:\n${now}`,
      );
    }
  }
  if (random.chance(0.4)) await besideAnother(scratch, tally);
  await finish(scratch, "install", tally);
  await finish(scratch, "uninstall", tally);
  for (const [path, text] of files) {
    const now = JSON.stringify(await Deno.readTextFile(path));
    mustHold(tally, now === JSON.stringify(text), () => `${path} was not given back: ${now}`);
  }
}

/** Another program changes a key while we install; both changes have to be there, and its own goes back after. */
async function besideAnother(scratch: Scratch, tally: Tally): Promise<void> {
  const path = `${scratch.config}/settings.json`;
  const child = start(scratch, "install");
  let running = true;
  const end = child.status.then(() => running = false);
  let writes = 0;
  while (running && writes < 20) {
    const value = JSON.parse(await Deno.readTextFile(path));
    await Deno.writeTextFile(`${path}.theirs`, JSON.stringify({ ...value, theirs: ++writes }));
    await Deno.rename(`${path}.theirs`, path);
    await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 15))]);
  }
  await end;
  count(tally, "installed beside another writer");
  const { theirs } = JSON.parse(await Deno.readTextFile(path));
  mustHold(tally, theirs === writes, () => `the other program wrote ${writes}, ${theirs} is there`);
  await finish(scratch, "uninstall", tally);
  await Deno.writeTextFile(path, SETTINGS);
}

function start({ program, env }: Scratch, command: string): Deno.ChildProcess {
  const options = {
    args: [command, "--yes"],
    env,
    clearEnv: true,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  } as const;
  return new Deno.Command(program, { ...options, args: [...options.args] }).spawn();
}

async function finish(scratch: Scratch, command: string, tally: Tally): Promise<void> {
  const { code } = await start(scratch, command).status;
  mustHold(tally, code === 0, () => `${command} ended with ${code}`);
}

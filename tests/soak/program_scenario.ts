// The whole program on a private tmux server: hooks, manifest and restore killed at any moment. What a hook that came to
// its end has recorded is there, no stamp is torn, no binding of another pane is lost, and the next run does its work.
import { toBinding } from "../../src/from_disk.ts";
import { readJournal } from "../../src/state/journal.ts";
import { countBindings, readManifest } from "../../src/state/manifest.ts";
import { makeWorld, uuid, type World } from "../bench/world.ts";
import { systemFor } from "../fixtures/state_world.ts";
import { until } from "../helpers/poll.ts";
import type { Random } from "../helpers/seeded.ts";
import type { HookJob, HookResult } from "./pane_killer.ts";
import { count, killAfter, mustHold, type Scenario, type Tally } from "./scenario.ts";

const PANES = 12;
/** A hook, a manifest and a restore take 50 to 300 ms here; a kill at any time up to this hits all of them. */
const OFTEN_DONE_MS = 250;
let ids = 500_000;

export const programScenario: Scenario = {
  name: "the program: hooks, manifest, restore killed",
  async begin() {
    const world = await makeWorld({ panes: PANES });
    await world.stamp();
    return {
      round: (random, tally) => round(world, random, tally),
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    };
  },
};

async function round(world: World, random: Random, tally: Tally): Promise<void> {
  await killHooks(world, random, tally);
  await killCommand(world, "manifest", random, tally);
  await finish(world, ["manifest"], tally);
  const bound = bindingsOf(world);
  mustHold(tally, bound >= PANES, () => `${bound} of ${PANES} bindings are in the manifest`);
  await killRestores(world, random, tally);
}

/** Several hooks in a pane of a process called claude, one after the other or at once, most of them killed. */
async function killHooks(world: World, random: Random, tally: Tally): Promise<void> {
  const { server } = world;
  const groups = Array.from({ length: 4 }, () =>
    Array.from({ length: 1 + random.below(3) }, () => ({
      id: uuid(ids++),
      killAfterMs: random.chance(0.7) ? random.below(OFTEN_DONE_MS) : null,
    })));
  const last = uuid(ids++);
  groups.push([{ id: last, killAfterMs: null }]);
  const { result, pane } = await inClaude(world, groups);
  const hooks = groups.flatMap((group, g) => group.map((hook, n) => ({ ...hook, ...result[g][n] })));
  count(tally, "killed a hook", hooks.filter(({ ended }) => !ended).length);
  const { lines, bad } = readJournal(stateOf(world));
  count(tally, "hooks that came to their end", hooks.filter(({ ended }) => ended).length);
  for (const { id, ended, code, printed } of hooks) {
    if (!ended) continue;
    mustHold(
      tally,
      code === 0 && printed === 0,
      () => `a hook ended with ${code} and printed ${printed} bytes`,
    );
    mustHold(
      tally,
      lines.some((line) => line.session_id === id),
      () => `the start of ${id} is not in the journal`,
    );
  }
  mustHold(
    tally,
    bad <= tally.tried.get("killed a hook")!,
    () => `${bad} lines of the journal cannot be read`,
  );
  for (const one of server.scratch ? [pane, ...world.panes] : []) {
    const stamp = await server.run("show-options", "-pqv", "-t", one, "@tmuxclaude_binding");
    const binding = toBinding(JSON.parse(stamp));
    mustHold(tally, binding !== null, () => `the stamp of ${one} is torn: ${stamp}`);
    if (one === pane) {
      const held = [binding!.session_id, binding!.candidate?.session_id];
      mustHold(tally, held.some((id) => id === last), () => `the last start is not on its pane: ${stamp}`);
    }
  }
  await server.run("kill-pane", "-t", pane);
}

async function inClaude(
  world: World,
  groups: { id: string; killAfterMs: number | null }[][],
): Promise<{ result: HookResult; pane: string }> {
  const { server, env } = world;
  const { root, home, program } = server.scratch;
  const [job, result, link] = [`${root}/job.json`, `${root}/hooks.json`, `${root}/running/claude`];
  await Deno.mkdir(`${root}/running`, { recursive: true });
  await Deno.symlink(Deno.execPath(), link).catch(() => {});
  await Deno.remove(result).catch(() => {});
  const event = { cwd: home, hook_event_name: "SessionStart", source: "startup" };
  const stdin = (id: string) =>
    JSON.stringify({ ...event, session_id: id, transcript_path: `${home}/.claude/projects/x/${id}.jsonl` });
  const hooks = groups.map((group) =>
    group.map(({ id, killAfterMs }) => ({ stdin: stdin(id), killAfterMs }))
  );
  await Deno.writeTextFile(job, JSON.stringify({ program, env, groups: hooks } satisfies HookJob));
  const script = new URL("pane_killer.ts", import.meta.url).pathname;
  const pane = await server.newSession({
    command:
      `'${link}' run -A --no-check --no-config '${script}' '${job}' '${result}' 2>'${root}/errors'; sleep 1000`,
  });
  const text = await until("the hooks of a pane", () => Deno.readTextFile(result).catch(() => ""), 60_000);
  return { result: JSON.parse(text), pane };
}

/** As after a crash: the last manifest is of an earlier life, the stamps are gone; the restore is killed, then done. */
async function killRestores(world: World, random: Random, tally: Tally): Promise<void> {
  const [{ name }] = await Array.fromAsync(Deno.readDir(`${world.server.scratch.state}/servers`));
  const path = `${world.server.scratch.state}/servers/${name}/manifest.json`;
  const manifest = JSON.parse(await Deno.readTextFile(path));
  const server = { ...manifest.server, pid: 1, started: manifest.server.started - 3600 };
  await Deno.writeTextFile(path, JSON.stringify({ ...manifest, server }));
  await world.unstamp();
  for (let kill = 0; kill < 2; kill++) await killCommand(world, "restore", random, tally);
  await finish(world, ["restore", "--force"], tally);
  for (const [n, pane] of world.panes.entries()) {
    const id = await world.server.run("show-options", "-pqv", "-t", pane, "@tmuxclaude_session");
    mustHold(tally, id === world.ids[n], () => `pane ${pane} has "${id}", not ${world.ids[n]}`);
  }
}

async function killCommand(world: World, command: string, random: Random, tally: Tally): Promise<void> {
  const { ended } = await killAfter(start(world, [command]), random.below(OFTEN_DONE_MS));
  if (!ended) count(tally, `killed ${command}`);
}

async function finish(world: World, args: string[], tally: Tally): Promise<void> {
  const { code } = await start(world, args).status;
  mustHold(tally, code === 0, () => `${args.join(" ")} ended with ${code}`);
}

function start({ server: { scratch }, env }: World, args: string[]): Deno.ChildProcess {
  return new Deno.Command(scratch.program, {
    args,
    env,
    clearEnv: true,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  })
    .spawn();
}

function stateOf({ server: { scratch } }: World) {
  return systemFor({ TMUXCLAUDE_STATE_DIR: scratch.state });
}

function bindingsOf(world: World): number {
  const read = readManifest(stateOf(world), world.server.socketPath);
  return read.found ? countBindings(read.manifest) : 0;
}

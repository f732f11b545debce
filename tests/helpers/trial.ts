// One trial: a random layout with conversations, then saves, changes, crashes and restores. What is called exact is
// compared with the truth after each of them.
import { until } from "./poll.ts";
import { randomFrom } from "./random.ts";
import { rebuild, type Rebuilt, saveTo } from "./resurrect_copy.ts";
import type { TmuxServer } from "./tmux_server.ts";
import { change, FOLDERS, SHELL_COMMAND, type Trial } from "./trial_changes.ts";
import { judge, newOutcome, type Outcome, recordMissed } from "./trial_judge.ts";
import { type Row, TrialWorld, type Truth } from "./trial_world.ts";

/** What was at each address. */
type Places = Map<string, Truth>;

interface Run extends Trial {
  server: TmuxServer;
  /** Where the saves are. */
  folder: string;
  /** What each save holds. */
  saves: Map<string, Places>;
  /** The panes that came back for those of the save behind `last`, while nothing was saved since then. */
  heirs: { name: string; places: Places } | null;
  /** base-index and pane-base-index of the user's configuration. */
  indexes: number[];
  outcome: Outcome;
}

/** Runs the trial with this seed on a server without sessions, and leaves one without sessions. */
export async function runTrial(server: TmuxServer, seed: number): Promise<Outcome> {
  const run = await prepare(server, seed);
  await layOut(run);
  const lives = 1 + run.random.below(2);
  for (let life = 0; life <= lives; life++) {
    await live(run);
    const isPointedBack = await crash(run);
    await comeBack(run, isPointedBack);
  }
  await server.kill9();
  await server.restart();
  return run.outcome;
}

async function prepare(server: TmuxServer, seed: number): Promise<Run> {
  const root = `${server.scratch.root}/trial-${seed}`;
  const folders = [server.scratch.home];
  for (const name of FOLDERS) folders.push(await server.scratch.folder(`trial/${name}`));
  const outcome = newOutcome(seed);
  const run = {
    world: new TrialWorld(server, `${root}/state`),
    server,
    random: randomFrom(seed),
    folders,
    log: outcome.log,
    folder: `${root}/saves`,
    saves: new Map(),
    heirs: null,
    indexes: [],
    outcome,
  };
  await configure(run, true);
  return run;
}

/** The server's configuration, which is mostly the same at the next start. */
async function configure(run: Run, isNew: boolean): Promise<void> {
  const { server, random, folder } = run;
  if (isNew) run.indexes = [random.below(2), random.below(2)];
  const set = (...words: string[]) => server.run("set-option", "-g", ...words);
  await set("@resurrect-dir", folder);
  await set("default-command", SHELL_COMMAND[0]);
  await set("base-index", String(run.indexes[0]));
  await set("-w", "pane-base-index", String(run.indexes[1]));
}

async function layOut(run: Run): Promise<void> {
  for (const session of ["a", "0", "work"].slice(0, 1 + run.random.below(3))) {
    let last: string | null = null;
    for (let count = 2 + run.random.below(3); count > 0; count--) last = await open(run, session, last);
  }
}

/** A pane in a new tmux session, a new window, or beside the last one; most hold a conversation. */
async function open({ server, random, folders, world }: Run, session: string, last: string | null) {
  const beside = ["split-window", "-t", last ?? ""];
  const window = ["new-window", "-d", "-t", `=${session}:`];
  const first = ["new-session", "-d", "-x", "200", "-y", "50", "-s", session];
  const where = last === null ? first : random.chance(0.5) ? window : beside;
  const name = random.chance(0.4) && where !== beside ? ["-n", random.pick(["api", "web"])] : [];
  const made = ["-P", "-F", "#{pane_id}", "-c", random.pick(folders), ...SHELL_COMMAND];
  const pane = await server.run(...where, ...name, ...made);
  if (random.chance(0.5)) await server.run("select-pane", "-t", pane, "-T", random.pick(["", "✳ Fix it"]));
  if (random.chance(0.75)) await world.start(pane);
  return pane;
}

/** Saves, changes, and perhaps another save and a look. */
async function live(run: Run): Promise<void> {
  const { random } = run;
  await save(run);
  await change(run, random.below(6));
  if (random.chance(0.3)) {
    await save(run);
    await change(run, random.below(5));
  }
  if (random.chance(0.3)) judge(run.world, run.outcome, await run.world.list());
}

/** resurrect saves; our hook comes after it, and in between something may happen. */
async function save(run: Run): Promise<void> {
  const { server, folder, random, world, log } = run;
  const places = await placesOf(run);
  // A name without a time: then the file tells it, to the millisecond.
  await saveTo(server, folder, `tmux_resurrect_trial${run.saves.size}.txt`);
  const last = await Deno.readLink(`${folder}/last`);
  run.saves.set(last, places);
  run.heirs = null;
  log.push(`save ${last}`);
  if (random.chance(0.15)) await change(run, 1 + random.below(2));
  if (random.chance(0.07)) return void log.push("  without manifest");
  await world.manifest();
}

async function placesOf({ server, world }: Run): Promise<Places> {
  const panes = await server.panes();
  return new Map(
    panes.map(({ id, session, window, pane }) => [`${session}:${window}.${pane}`, world.truthOf(id)]),
  );
}

/** Ends the server's life; at times a person points `last` back to an earlier save, then true. */
async function crash({ server, random, folder, log, saves }: Run): Promise<boolean> {
  log.push("crash");
  await server.kill9();
  // A life begins in a later second than the one before ended, as tmux tells its start in seconds.
  const second = Math.floor(Date.now() / 1_000);
  await until("the next second", () => Date.now() >= (second + 1) * 1_000);
  const isPointedBack = random.chance(0.15);
  if (!isPointedBack) return false;
  const name = random.pick([...saves.keys()]);
  log.push(`last -> ${name}`);
  await Deno.remove(`${folder}/last`);
  await Deno.symlink(name, `${folder}/last`);
  return true;
}

/** A new server, the layout of the save behind `last`, our restore, and the look at what is offered. */
async function comeBack(run: Run, isPointedBack: boolean): Promise<void> {
  const { server, world, random, folder, log } = run;
  await server.restart();
  await configure(run, random.chance(0.1));
  world.panes = new Map();
  const before = await openFirst(run);
  const rebuilt = await rebuild(server, await Deno.readTextFile(`${folder}/last`), SHELL_COMMAND);
  await inherit(run, rebuilt, before);
  // Who points back is there to see that the hook runs.
  const hasHook = isPointedBack || random.chance(0.8);
  const { outcome, snapshot, panes } = await world.restore(hasHook ? {} : { dryRun: true });
  log.push(`${outcome} by ${snapshot?.save}, which ${snapshot?.why}: ${panes.map(describe).join(", ")}`);
  judge(world, run.outcome, await world.list(), panes);
  recordMissed(world, run.outcome, rebuilt, panes);
}

/** What the save's panes held is what the restored ones hold. */
async function inherit(run: Run, rebuilt: Rebuilt[], before: Map<string, string>): Promise<void> {
  const { world, folder, saves } = run;
  const name = await Deno.readLink(`${folder}/last`);
  const saved = run.heirs?.name === name ? run.heirs.places : saves.get(name)!;
  run.heirs = { name, places: new Map(saved) };
  for (const [paneId, address] of before) world.truthOf(paneId).also = saved.get(address)?.last;
  for (const { paneId, saved: { session, window, pane } } of rebuilt) {
    if (world.panes.has(paneId)) continue;
    const address = `${session}:${window}.${pane}`;
    const old = saved.get(address);
    const truth: Truth = { last: old?.last ?? null, claude: 0 };
    world.panes.set(paneId, truth);
    run.heirs.places.set(address, truth);
    if (old?.last && world.owner.get(old.last) === old) world.owner.set(old.last, truth);
  }
}

/** What a person has opened before the restore: mostly the one placeholder, at times more, with names of the save. */
async function openFirst({ server, random, world, folders }: Run): Promise<Map<string, string>> {
  await server.run("new-session", "-d", "-x", "200", "-y", "50", ...SHELL_COMMAND);
  const where = () => ["-c", random.pick(folders), ...SHELL_COMMAND];
  if (random.chance(0.2)) {
    await server.attempt("new-session", "-d", "-s", "a", ...where());
    if (random.chance(0.5)) await server.attempt("split-window", "-d", "-t", "=a:", ...where());
  }
  const panes = await server.panes();
  for (const { id } of panes) world.truthOf(id);
  return new Map(panes.map(({ id, session, window, pane }) => [id, `${session}:${window}.${pane}`]));
}

function describe({ tmux_session, window_index, pane_index, pane_id, session_id, action, reason }: Row) {
  const because = reason ? `: ${reason}` : "";
  return `${tmux_session}:${window_index}.${pane_index} ${pane_id} ${session_id} ${action}${because}`;
}

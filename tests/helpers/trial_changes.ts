// What people and tmux do to panes between a save and a crash. Each change may fail where tmux refuses it.
import type { Random } from "./random.ts";
import type { TrialWorld } from "./trial_world.ts";
import type { Pane } from "./tmux_text.ts";

/** What the panes of a trial run: a shell that starts fast. */
export const SHELL_COMMAND = ["dash"];

export const FOLDERS = ["shared", "shared", "two  blanks", "other", "back\\slash"];
const NAMES = ["api", "web", "api", "7 logs"];

export interface Trial {
  world: TrialWorld;
  random: Random;
  /** Folders by name, made. */
  folders: string[];
  log: string[];
}

type Change = (trial: Trial, panes: Pane[]) => Promise<unknown>;

function tmux({ world, log }: Trial, ...args: string[]) {
  log.push(args.join(" "));
  return world.server.attempt(...args);
}

const sessionIds = async ({ world }: Trial) =>
  (await world.server.run("list-sessions", "-F", "#{session_id}")).split("\n");

/** The panes whose conversation is `wanted`: held by a Claude, ended, or none. */
function holding({ world }: Trial, panes: Pane[]): Pane[] {
  return panes.filter(({ id }) => world.truthOf(id).last !== null);
}

function running({ world }: Trial, panes: Pane[]): Pane[] {
  return holding({ world } as Trial, panes).filter(({ id }) => world.truthOf(id).claude > 0);
}

const CHANGES = {
  renameWindow: (t, p) => tmux(t, "rename-window", "-t", t.random.pick(p).id, t.random.pick(NAMES)),
  renameSession: async (t) =>
    tmux(
      t,
      "rename-session",
      "-t",
      t.random.pick(await sessionIds(t)),
      t.random.pick(["a", "ab", "work", "x y"]),
    ),
  swapPane: (t, p) => tmux(t, "swap-pane", "-d", "-s", t.random.pick(p).id, "-t", t.random.pick(p).id),
  swapWindow: (t, p) =>
    tmux(t, "swap-window", "-d", "-s", t.random.pick(p).windowId, "-t", t.random.pick(p).windowId),
  breakPane: (t, p) => tmux(t, "break-pane", "-d", "-s", t.random.pick(p).id),
  joinPane: (t, p) => tmux(t, "join-pane", "-d", "-s", t.random.pick(p).id, "-t", t.random.pick(p).id),
  killPane: async (t, p) => {
    if (p.length <= 2) return;
    const { id } = t.random.pick(p);
    if (p.some((pane) => pane.id !== id)) await tmux(t, "kill-pane", "-t", id);
  },
  killWindow: async (t, p) => {
    if (p.length <= 4) return;
    const { windowId } = t.random.pick(p);
    if (p.some((pane) => pane.windowId !== windowId)) await tmux(t, "kill-window", "-t", windowId);
  },
  newWindow: (t, p) => tmux(t, "new-window", "-d", "-t", `${t.random.pick(p).id}`, "-a", ...inFolder(t)),
  split: (t, p) => tmux(t, "split-window", "-d", "-t", t.random.pick(p).id, ...inFolder(t)),
  sameAgain,
  renumber: async (t) => tmux(t, "move-window", "-r", "-t", t.random.pick(await sessionIds(t))),
  moveWindow: (t, p) =>
    tmux(t, "move-window", "-d", "-s", t.random.pick(p).windowId, "-t", `:${t.random.below(9)}`),
  rotate: (t, p) => tmux(t, "rotate-window", "-t", t.random.pick(p).windowId),
  baseIndex: (t) => tmux(t, "set-option", "-g", "base-index", String(t.random.below(2))),
  paneBaseIndex: (t) => tmux(t, "set-option", "-gw", "pane-base-index", String(t.random.below(2))),
  ownPaneBaseIndex: (t, p) =>
    tmux(
      t,
      "set-option",
      "-w",
      "-t",
      t.random.pick(p).windowId,
      "pane-base-index",
      String(t.random.below(2)),
    ),
  respawn: (t, p) => tmux(t, "respawn-pane", "-k", "-t", t.random.pick(p).id, ...inFolder(t)),
  linkWindow: async (t, p) =>
    tmux(
      t,
      "link-window",
      "-d",
      "-s",
      t.random.pick(p).windowId,
      "-t",
      `${t.random.pick(await sessionIds(t))}:`,
    ),
  groupSession: async (t) =>
    tmux(t, "new-session", "-d", "-t", t.random.pick(await sessionIds(t)), "-s", `g${t.random.below(3)}`),
  start: async (t, p) => {
    const { id } = t.random.pick(p);
    t.log.push(`start in ${id}: ${await t.world.start(id)}`);
  },
  clear: (t, p) => onOne(t, running(t, p), "clear", (id) => t.world.clear(id)),
  exit: (t, p) => onOne(t, running(t, p), "exit", (id) => t.world.exit(id)),
  resumeElsewhere: (t, p) =>
    onOne(t, holding(t, p), "resume elsewhere", async (id) => {
      const target = t.random.pick(p).id;
      t.log.push(`  in ${target}`);
      await t.world.exit(id);
      await t.world.resume(target, t.world.truthOf(id).last!);
    }),
  manifest: (t) => {
    t.log.push("manifest");
    return t.world.manifest();
  },
} satisfies Record<string, Change>;

const WEIGHTS = Object.fromEntries(Object.keys(CHANGES).map((name) => [name, 2])) as Record<
  keyof typeof CHANGES,
  number
>;
Object.assign(WEIGHTS, {
  swapPane: 4,
  sameAgain: 4,
  resumeElsewhere: 3,
  clear: 3,
  paneBaseIndex: 0.5,
  ownPaneBaseIndex: 0.5,
});

function inFolder({ random, folders }: Trial): string[] {
  return ["-c", random.pick(folders), ...SHELL_COMMAND];
}

/** A window or pane is closed, and another one is opened at its place, in its folder. */
async function sameAgain(trial: Trial, panes: Pane[]): Promise<void> {
  const { id, session, window, folder } = trial.random.pick(panes);
  const alone = panes.filter((pane) => pane.session === session && pane.window === window).length === 1;
  // A linked window, or one of a group, is listed more than once.
  const siblings = panes.filter((pane) => pane.session === session && pane.id !== id);
  if (siblings.length === 0) return;
  if (alone) {
    await tmux(trial, "kill-pane", "-t", id);
    await tmux(trial, "new-window", "-d", "-t", `=${session}:${window}`, "-c", folder, ...SHELL_COMMAND);
  } else {
    await tmux(trial, "split-window", "-d", "-t", id, "-c", folder, ...SHELL_COMMAND);
    await tmux(trial, "kill-pane", "-t", id);
  }
}

async function onOne(trial: Trial, panes: Pane[], what: string, act: (id: string) => Promise<void>) {
  if (panes.length === 0) return;
  const { id } = trial.random.pick(panes);
  trial.log.push(`${what} in ${id}: ${trial.world.truthOf(id).last}`);
  await act(id);
}

/** So many changes, one after the other. */
export async function change(trial: Trial, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const panes = await trial.world.server.panes();
    const name = trial.random.weighted(WEIGHTS);
    await CHANGES[name](trial, panes);
  }
}

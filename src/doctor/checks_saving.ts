// Will a crash find a save, and a record that belongs to it? Asked from the running server and read from the disk.
import { isOurJob, programOfJob } from "../install/keys.ts";
import { isRunnable } from "../install/program.ts";
import { policyOf } from "../policy/actions.ts";
import { newestManifest } from "../state/manifest.ts";
import type { System } from "../system/system.ts";
import { currentSave } from "../tmux/resurrect.ts";
import { continuum, intervalOf, isCarried } from "./continuum.ts";
import { type Check, fail, type Finding, hidden, info, ok, skip, warn } from "./check.ts";
import type { Facts } from "./facts.ts";
import type { ServerState } from "./server_state.ts";
import { counted } from "../counted.ts";

export const savingChecks: Check[] = [
  { id: "saving.resurrect", group: "saving", run: withServer(resurrect) },
  { id: "saving.hooks", group: "saving", run: withServer(hooks) },
  { id: "saving.policy", group: "saving", run: withServer(policy) },
  { id: "saving.continuum", group: "saving", run: withResurrect(continuum) },
  { id: "saving.save", group: "saving", run: withResurrect(lastSave) },
  { id: "saving.record", group: "saving", run: withServer(record) },
  { id: "saving.contents", group: "saving", run: withResurrect(contents) },
];

/** The check, skipped without a server. */
export function withServer(
  run: (facts: Facts, state: ServerState) => Finding | Promise<Finding>,
): Check["run"] {
  return async (facts) => {
    if (!await facts.server()) return skip("no tmux server is running");
    return await run(facts, await facts.serverState());
  };
}

/** The check, skipped where tmux-resurrect is not loaded: its keys and options do nothing there. */
function withResurrect(run: (facts: Facts, state: ServerState) => Finding | Promise<Finding>): Check["run"] {
  return withServer((facts, state) =>
    isLoaded(state) ? run(facts, state) : skip("tmux-resurrect is not loaded")
  );
}

const isLoaded = ({ options }: ServerState) => options["@resurrect-save-script-path"] !== "";

/** The program a job of ours calls, when it is not there any more. */
export function goneProgram(system: System, job: string): string | null {
  const program = programOfJob(job);
  return program !== null && !isRunnable(system, program) ? program : null;
}

function resurrect({ system }: Facts, { options }: ServerState): Finding {
  const script = options["@resurrect-save-script-path"];
  if (script === "") {
    return warn("tmux-resurrect is not loaded: nothing brings sessions and windows back after a crash", {
      fix:
        "Add it to tmux.conf, above our line: set -g @plugin 'tmux-plugins/tmux-resurrect' (with TPM), or " +
        "run-shell FOLDER/resurrect.tmux",
    });
  }
  if (system.files.stat(script)) return ok("tmux-resurrect is loaded", { script });
  return fail("tmux-resurrect is loaded, but its scripts are gone", {
    fix: "Install it again: prefix + I (TPM)",
  });
}

/** What the option runs has to be ours, and to be there. */
function hooks({ system }: Facts, state: ServerState): Finding {
  const { chains } = state;
  for (const { option, now, ours } of chains) {
    const fix = {
      fix: "tmuxclaude install (it keeps what else is in the option)",
      repair: "install",
    } as const;
    if (!isOurJob(now)) {
      const what = `${option} does not call tmuxclaude${
        now === "" || ours === "" ? "" : ": something else has set it since"
      }`;
      return isLoaded(state)
        ? fail(what, fix)
        : info(`${what}; without tmux-resurrect it would not be run anyway`);
    }
    const gone = goneProgram(system, now);
    if (gone) return fail(`${option} calls a program that is gone: ${hidden(gone)}`, fix);
  }
  const beside = chains.some(({ original }) => original !== "") ? ", after what you have there" : "";
  return ok(`tmux-resurrect calls tmuxclaude after a save and after a restore${beside}`);
}

/** A restore that does not know its policy ends at once, and nobody sees what a hook says. */
function policy(_facts: Facts, { options }: ServerState): Finding {
  const value = options["@tmuxclaude-restore"];
  const policy = policyOf(undefined, value);
  if (policy) return ok(`after a restore the policy is ${policy}`, { policy });
  return fail(`@tmuxclaude-restore is "${hidden(value)}": a restore would put nothing back`, {
    fix: "Set one of lazy, type, run: set -g @tmuxclaude-restore lazy",
  });
}

const HOUR_MS = 3_600_000;

function lastSave({ system }: Facts, state: ServerState): Finding {
  const { folder, save, dangling } = currentSave(system, state.options["@resurrect-dir"]);
  if (dangling) {
    return fail(`tmux-resurrect's "last" in ${hidden(folder!)} leads nowhere, so it would restore nothing`, {
      fix: "Save once by hand: prefix + C-s",
      data: { dangling },
    });
  }
  if (save === null) {
    return info("tmux-resurrect has saved nothing yet", {
      fix: "Save once by hand: prefix + C-s",
      data: { save: null },
    });
  }
  const age = system.now() - (system.files.stat(`${folder}/${save}`)?.modified ?? 0);
  const data = { save, age_seconds: Math.round(age / 1000) };
  const limit = isCarried(state) && intervalOf(state) > 0 && state.clients > 0
    ? Math.max(4 * intervalOf(state) * 60_000, HOUR_MS)
    : 24 * HOUR_MS;
  // An unchanged layout is not written again: only the folder's time moves on then.
  const touched = system.now() - (system.files.stat(folder!)?.modified ?? 0);
  if (Math.min(age, touched) <= limit) return ok(`the last save is ${ageText(age)} old`, data);
  return warn(`the last save is ${ageText(age)} old`, {
    fix: "Save once by hand (prefix + C-s), see above why",
    data,
  });
}

/** "40 seconds", "3 hours": the largest unit that fits. */
function ageText(ms: number): string {
  const units: [string, number][] = [["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]];
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [name, size] = units.find(([, size]) => seconds >= size) ?? ["second", 1];
  return counted(Math.floor(seconds / size), name);
}

/** A save is written first, the record right after it. */
const GRACE_MS = 120_000;

async function record({ system, server }: Facts, state: ServerState): Promise<Finding> {
  const { socket } = (await server())!;
  const manifest = newestManifest(system, socket);
  const { folder, save } = currentSave(system, state.options["@resurrect-dir"]);
  if (!manifest) {
    if (save === null) return info("there is no record yet: the first save makes it");
    return warn("there is a save, but no record of the conversations in it", {
      fix: "Make one now: tmuxclaude manifest",
    });
  }
  const behind = save === null
    ? 0
    : (system.files.stat(`${folder}/${save}`)?.modified ?? 0) - Date.parse(manifest.at);
  const bound = manifest.panes.filter((pane) => pane.binding !== null).length;
  const data = {
    at: manifest.at,
    panes: manifest.panes.length,
    bound,
    behind_seconds: Math.round(behind / 1000),
  };
  if (behind > GRACE_MS) {
    return fail(`the last save has no record: the newest one is ${ageText(behind)} older`, {
      fix: "Make one now (tmuxclaude manifest), and see why tmux-resurrect's hook does not: saving.hooks",
      data,
    });
  }
  return ok(
    `the newest record holds ${counted(bound, "conversation")} in ${counted(manifest.panes.length, "pane")}`,
    data,
  );
}

function contents(_facts: Facts, { options }: ServerState): Finding {
  const isOn = options["@resurrect-capture-pane-contents"] === "on";
  if (!isOn) return info("tmux-resurrect does not save what panes show (@resurrect-capture-pane-contents)");
  if (options["@resurrect-pane-contents-area"] === "visible") {
    return ok("tmux-resurrect saves what panes show");
  }
  return info("tmux-resurrect saves every pane's whole history, which is slow with Claude's long ones", {
    fix: "set -g @resurrect-pane-contents-area visible",
  });
}

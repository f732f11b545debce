// Does Claude call us? The registered commands are run as Claude runs them, not just looked at.
import { findOnPath, isRunnable } from "../install/program.ts";
import { HOOK_EVENTS, hookCommand, programOf } from "../install/hook_command.ts";
import { isSensible } from "../install/settings_edit.ts";
import { foreignCommands, hasOurs, ourHandlers } from "../install/settings_text.ts";
import { toRecord } from "../from_disk.ts";
import { type Check, fail, type Finding, hidden, info, INSTALL, ok, skip, warn } from "./check.ts";
import type { Facts } from "./facts.ts";
import { tryHook } from "./hook_trial.ts";
import { counted } from "../counted.ts";

export const hookChecks: Check[] = [
  { id: "hook.settings", group: "hook", run: settingsReadable },
  { id: "hook.registered", group: "hook", run: registered },
  { id: "hook.timeout", group: "hook", run: timeout },
  { id: "hook.program", group: "hook", run: program },
  { id: "hook.enabled", group: "hook", run: enabled },
  { id: "hook.others", group: "hook", run: others },
  { id: "hook.works", group: "hook", run: works },
];

function settingsReadable({ settings }: Facts) {
  for (const { path, read } of settings()) {
    if (!("reason" in read)) continue;
    return fail(`${hidden(path)} cannot be used: ${hidden(read.reason)}`, {
      fix: `Repair the file, then run: tmuxclaude install (or paste what "tmuxclaude install --print" shows)`,
      data: { path },
    });
  }
  const shown = settings().map(({ path, exists }) => hidden(path) + (exists ? "" : " (not there yet)"));
  return ok(`settings are valid: ${shown.join(", ")}`);
}

/** The settings that could be read, each with what stands in it. */
function readable({ settings }: Facts) {
  return settings().flatMap((file) =>
    "settings" in file.read ? [{ ...file, values: file.read.settings }] : []
  );
}

function registered(facts: Facts): Finding {
  const files = readable(facts);
  if (files.length === 0) return skip("the settings cannot be read");
  for (const { path, values } of files) {
    for (const event of HOOK_EVENTS) {
      const found = ourHandlers(values, event);
      if (found.length === 0) return fail(`the hook of ${event} is not in ${hidden(path)}`, INSTALL);
      if (found.length > 1) {
        return warn(`the hook of ${event} is ${found.length} times in ${hidden(path)}`, INSTALL);
      }
      if (!found[0].matchesAll) {
        return warn(`the hook of ${event} has a matcher, so it misses some starts`, INSTALL);
      }
      if (found[0].command !== hookCommand(event, programOf(found[0].command)!)) {
        return warn(`the hook of ${event} has an older form`, INSTALL);
      }
    }
  }
  return ok("SessionStart, UserPromptSubmit and SessionEnd call tmuxclaude, once each");
}

function timeout(facts: Facts): Finding {
  const odd = handlers(facts).find((handler) => !isSensible(handler.timeout));
  if (!odd) {
    return handlers(facts).length
      ? ok("its time limit is set, in seconds")
      : skip("the hook is not registered");
  }
  return warn(
    `its time limit is ${odd.timeout === undefined ? "not set: Claude would wait ten minutes" : odd.timeout}`,
    INSTALL,
  );
}

function handlers(facts: Facts) {
  return readable(facts).flatMap(({ values }) => HOOK_EVENTS.flatMap((event) => ourHandlers(values, event)));
}

/** The path in the command: absolute, there, executable. */
function program(facts: Facts): Finding {
  const { system } = facts;
  const programs = [...new Set(handlers(facts).map((handler) => programOf(handler.command)!))];
  if (programs.length === 0) return skip("the hook is not registered");
  const bare = programs.find((path) => !path.startsWith("/"));
  if (bare) {
    return warn(`the hook calls "${hidden(bare)}" by a name that a hook's shell may not find`, INSTALL);
  }
  const gone = programs.find((path) => !isRunnable(system, path));
  if (gone) return fail(`the hook calls a program that is not there: ${hidden(gone)}`, INSTALL);
  const inode = system.files.stat(programs[0])?.inode;
  const own = findOnPath(system, "tmuxclaude");
  if (programs.length > 1 || (own && system.files.stat(own)?.inode !== inode)) {
    return warn(`the hook calls another tmuxclaude than the one on PATH: ${hidden(programs[0])}`, INSTALL);
  }
  return ok(`the hook calls ${hidden(programs[0])}`, { programs });
}

/** Where an organisation's policy may be. */
const MANAGED = [
  "/etc/claude-code/managed-settings.json",
  "/Library/Application Support/ClaudeCode/managed-settings.json",
];

function enabled(facts: Facts): Finding {
  const off = readable(facts).find(({ values }) => values.disableAllHooks === true);
  if (off) {
    return fail(`all hooks are switched off in ${hidden(off.path)} (disableAllHooks)`, {
      fix: "Take disableAllHooks out of it",
    });
  }
  for (const path of MANAGED) {
    const policy = readPolicy(facts, path);
    const name = ["disableAllHooks", "allowManagedHooksOnly"].find((key) => policy[key] === true);
    if (name) {
      return fail(`your organisation's policy switches hooks off (${name} in ${path})`, {
        fix: "Ask who looks after this machine; pane and conversation cannot be bound without the hook",
      });
    }
  }
  return ok("hooks are switched on");
}

function readPolicy({ system }: Facts, path: string): Record<string, unknown> {
  try {
    return system.files.stat(path) ? toRecord(JSON.parse(system.files.readText(path))) ?? {} : {};
  } catch {
    return {};
  }
}

function others(facts: Facts): Finding {
  const found = readable(facts).flatMap(({ values }) => foreignCommands(values, "SessionStart"));
  if (found.length === 0) return ok("no other hook runs at the start of a conversation", { others: 0 });
  const also = found.some((command) => /\btmuxclaude\b/.test(command))
    ? " (one of them mentions tmuxclaude)"
    : "";
  return info(`${counted(found.length, "other hook")} at the start of a conversation, beside ours${also}`, {
    data: { others: found.length },
  });
}

/** A hook that takes longer (ms) is felt when Claude starts. */
const SLOW_MS = 2_500;

async function works(facts: Facts): Promise<Finding> {
  const file = readable(facts).find(({ values }) => hasOurs(values));
  if (!file) return skip("the hook is not registered");
  const trials = await Promise.all(HOOK_EVENTS.map((event) => {
    const handler = ourHandlers(file.values, event)[0];
    return handler ? tryHook(facts.system, event, handler.command) : null;
  }));
  const done = trials.filter((trial) => trial !== null);
  const problem = done.find((trial) => trial.problem !== null);
  if (problem) return fail(`run as Claude runs it, the hook of ${problem.event} ${problem.problem}`, INSTALL);
  const slowest = Math.max(...done.map((trial) => trial.ms));
  const data = { milliseconds: Object.fromEntries(done.map((trial) => [trial.event, trial.ms])) };
  if (slowest > SLOW_MS) {
    return warn(`the hook works, but took ${slowest} ms`, {
      fix: "See whether the machine or the disk is busy",
      data,
    });
  }
  return ok(`run as Claude runs it, the hook does its work in silence (${slowest} ms)`, data);
}

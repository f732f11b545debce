// All checks, in the order in which one needs the other. They run at once; each failure is its own finding.
import { reasonOf } from "../errors.ts";
import { type Check, type Checked, fail, hidden } from "./check.ts";
import { claudeChecks } from "./checks_claude.ts";
import { hookChecks } from "./checks_hook.ts";
import { keyChecks } from "./checks_keys.ts";
import { programChecks } from "./checks_program.ts";
import { recentChecks } from "./checks_recent.ts";
import { savingChecks } from "./checks_saving.ts";
import { stateChecks } from "./checks_state.ts";
import { tmuxChecks } from "./checks_tmux.ts";
import type { Facts } from "./facts.ts";

/** Every check of doctor without --deep. */
export const CHECKS: Check[] = [
  ...programChecks,
  ...tmuxChecks,
  ...claudeChecks,
  ...hookChecks,
  ...savingChecks,
  ...keyChecks,
  ...stateChecks,
  ...recentChecks,
];

/** Runs checks and keeps their order. */
export function runChecks(facts: Facts, checks: Check[] = CHECKS): Promise<Checked[]> {
  return Promise.all(checks.map((check) => runOne(facts, check)));
}

async function runOne(facts: Facts, check: Check): Promise<Checked> {
  const { id, group } = check;
  try {
    return { id, group, ...await check.run(facts) };
  } catch (error) {
    const fix = "See the message; TMUXCLAUDE_DEBUG=1 shows more";
    return { id, group, ...fail(`could not be looked at: ${hidden(reasonOf(error))}`, { fix }) };
  }
}

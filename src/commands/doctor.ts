// `tmuxclaude doctor`: proves that everything is in place, names what is not, and mends what may be mended.
import { confirm } from "../cli/confirm.ts";
import { printJson, say } from "../cli/output.ts";
import { hasColor } from "../cli/terminal.ts";
import { ExitCode, UserError } from "../errors.ts";
import { type Checked, hiddenParts, type Repair } from "../doctor/check.ts";
import { deepChecks } from "../doctor/deep.ts";
import { collectFacts, places } from "../doctor/facts.ts";
import { renderReport, renderText, toJson } from "../doctor/render.ts";
import { repair, REPAIRS, repairsFor } from "../doctor/repair.ts";
import { CHECKS, runChecks } from "../doctor/run.ts";
import { sha256 } from "../install/receipt.ts";
import { withTilde } from "../path.ts";
import type { System } from "../system/system.ts";

export interface DoctorFlags {
  json?: boolean;
  /** Mend what is safe to mend, then look again. */
  fix?: boolean;
  yes?: boolean;
  /** Also a round trip on a private tmux server. */
  deep?: boolean;
  /** Text without anything private, for a bug report. */
  report?: boolean;
  /** Warnings count as failures. */
  strict?: boolean;
  /** Claude's config folders to look into. */
  configDir?: readonly string[];
}

/** Exit code 0 when nothing is broken, else 1. */
export async function run(system: System, flags: DoctorFlags): Promise<number> {
  const checks = flags.deep ? [...CHECKS, ...deepChecks] : CHECKS;
  let found = await runChecks(collectFacts(system, flags.configDir), checks);
  if (flags.fix && await mend(system, flags, found)) {
    found = await runChecks(collectFacts(system, flags.configDir), checks);
  }
  const isOk = !found.some((check) => check.level === "fail" || (flags.strict && check.level === "warn"));
  await print(system, flags, found, isOk);
  return isOk ? ExitCode.done : ExitCode.failed;
}

/** Whether anything was mended. */
async function mend(system: System, flags: DoctorFlags, found: Checked[]): Promise<boolean> {
  const repairs = repairsFor(found);
  if (repairs.length === 0) return false;
  for (const which of repairs) say(system, `to mend: ${REPAIRS[which]}`);
  if (!flags.yes && system.isTerminal("stdin") && !confirm(system, "Do it?")) return false;
  for (const which of repairs) {
    for (const line of await tryRepair(system, which, flags)) say(system, line);
  }
  return true;
}

/** A repair that cannot be done is no reason not to look again. */
async function tryRepair(system: System, which: Repair, flags: DoctorFlags): Promise<string[]> {
  try {
    return await repair(system, which, collectFacts(system, flags.configDir));
  } catch (error) {
    if (error instanceof UserError) return [error.message];
    throw error;
  }
}

async function print(system: System, flags: DoctorFlags, found: Checked[], isOk: boolean): Promise<void> {
  if (flags.json) return printJson(system, toJson(found, isOk));
  if (flags.report) return system.stdout(await report(system, found));
  const locale = system.env("LC_ALL") || system.env("LC_CTYPE") || system.env("LANG") || "";
  const show = (part: string) => withTilde(part, places(system).home);
  system.stdout(renderText(found, { color: hasColor(system), unicode: /utf-?8/i.test(locale) }, show));
}

async function report(system: System, found: Checked[]): Promise<string> {
  const salt = system.randomHex(8);
  const parts = found.flatMap(({ message, fix }) => hiddenParts(`${message}${fix ?? ""}`));
  const hashes = new Map<string, string>();
  for (const part of parts) hashes.set(part, (await sha256(salt + part)).slice(0, 8));
  const who = { home: places(system).home, user: system.env("USER") ?? "", host: system.hostname() };
  return renderReport(found, who, (part) => hashes.get(part) ?? "hidden");
}

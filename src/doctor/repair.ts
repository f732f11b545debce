// What `--fix` may do: only what is safe and can be taken back.
import { applyInstall, sourceLine } from "../install/apply.ts";
import { installLines } from "../install/report.ts";
import { collectRequest, type InstallFlags } from "../install/request.ts";
import { withTilde } from "../path.ts";
import type { System } from "../system/system.ts";
import type { Checked, Repair } from "./check.ts";
import { isLoose, stateFiles } from "./checks_state.ts";
import { type Facts, places } from "./facts.ts";

/** What each repair says before it is done. */
export const REPAIRS: Record<Repair, string> = {
  permissions: "take the permissions of others away from the records",
  install: "run install again: hooks, keys, the lines in tmux.conf and the running servers",
};

/** The repairs that the findings ask for, each once, in the order in which they are done. */
export function repairsFor(checks: Checked[]): Repair[] {
  const wanted = new Set(
    checks.filter((check) => ["warn", "fail"].includes(check.level)).map((check) => check.repair),
  );
  return (Object.keys(REPAIRS) as Repair[]).filter((repair) => wanted.has(repair));
}

/** Does one repair and says what it did, one line each. Throws UserError. */
export async function repair(system: System, which: Repair, facts: Facts): Promise<string[]> {
  return which === "permissions" ? tightenAll(facts) : await installAgain(system, facts);
}

function tightenAll(facts: Facts): string[] {
  const { system } = facts;
  const done: string[] = [];
  // From the top down, and again: a folder that could not be entered shows its files only then.
  for (let loose = nextLoose(facts, done); loose; loose = nextLoose(facts, done)) {
    system.files.chmod(loose.path, loose.facts.kind === "directory" ? 0o700 : 0o600);
    done.push(loose.path);
  }
  return done.map((path) => `set the mode of ${withTilde(path, places(system).home)}`);
}

function nextLoose(facts: Facts, done: string[]) {
  return stateFiles(facts).find(({ path, facts }) => isLoose(facts) && !done.includes(path));
}

async function installAgain(system: System, known: Facts): Promise<string[]> {
  const request = await collectRequest(system, flagsOf(known));
  const facts = { home: places(system).home, request, line: sourceLine(system), dryRun: false };
  return installLines(await applyInstall(system, request), facts);
}

/** What was installed before is installed again; keys only for those who had them. */
function flagsOf(facts: Facts): InstallFlags {
  const receipt = facts.receipt();
  const paths = facts.settings().map((file) => file.path.replace(/\/settings\.json$/, ""));
  return { configDir: paths, noTmux: receipt !== null && receipt.keys === null, yes: true };
}

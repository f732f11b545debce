// `tmuxclaude uninstall`: gives the files back byte for byte, cleans running servers, keeps the state.
import { confirm } from "../cli/confirm.ts";
import { printJson, say } from "../cli/output.ts";
import { ExitCode } from "../errors.ts";
import { homeFolder } from "../install/receipt.ts";
import { applyUninstall, type Removed, type UninstallFlags } from "../install/remove.ts";
import { codeOf, diffs, uninstallJson, uninstallLines } from "../install/report.ts";
import { dryRunSystem } from "../system/dry_run.ts";
import type { System } from "../system/system.ts";

export type { UninstallFlags };

/** Shows what would change, asks on a terminal, changes it. Exit code 5 when a file is left to the user. */
export async function run(system: System, flags: UninstallFlags): Promise<number> {
  const preview = await applyUninstall(dryRunSystem(system), flags);
  if (flags.dryRun) {
    if (!flags.json) system.stdout(await diffs(preview.files));
    return report(system, preview, flags);
  }
  if (!await agreed(system, flags, preview)) return ExitCode.failed;
  return report(system, await applyUninstall(system, flags), flags);
}

async function agreed(system: System, flags: UninstallFlags, preview: Removed): Promise<boolean> {
  if (flags.json || flags.yes || !system.isTerminal("stdin") || isNothing(preview)) return true;
  system.stderr(await diffs(preview.files));
  const what = flags.purge
    ? "your configuration, and the records of your conversations with it"
    : "your configuration";
  if (confirm(system, `Take tmuxclaude out of ${what}?`)) return true;
  say(system, "nothing was changed");
  return false;
}

function isNothing({ files, own, servers }: Removed): boolean {
  const parts = [...files, ...servers].map((part) => part.outcome);
  return own.length === 0 && parts.every((outcome) => outcome === "unchanged");
}

function report(system: System, removed: Removed, flags: UninstallFlags): number {
  const code = codeOf(removed.files);
  if (flags.json) printJson(system, uninstallJson(removed, flags.dryRun === true, code));
  else for (const line of uninstallLines(removed, homeFolder(system), flags)) say(system, line);
  return code;
}

// `tmuxclaude install`: registers the hooks with Claude, loads our tmux.conf from the user's, tells running servers.
import { confirm } from "../cli/confirm.ts";
import { printJson, say } from "../cli/output.ts";
import { ExitCode } from "../errors.ts";
import { type Applied, applyInstall, sourceLine } from "../install/apply.ts";
import { hints } from "../install/hints.ts";
import { homeFolder } from "../install/receipt.ts";
import { codeOf, diffs, installJson, installLines, type ReportFacts } from "../install/report.ts";
import { collectRequest, findConf, type InstallFlags, ownConfPath } from "../install/request.ts";
import { allSnippets } from "../install/snippets.ts";
import { dryRunSystem } from "../system/dry_run.ts";
import type { System } from "../system/system.ts";

export type { InstallFlags };

/** Shows what would change, asks on a terminal, changes it. Exit code 5 when a file is left to the user. */
export async function run(system: System, flags: InstallFlags): Promise<number> {
  const request = await collectRequest(system, flags);
  const line = sourceLine(system);
  const facts = { home: homeFolder(system), request, line, dryRun: flags.dryRun === true };
  if (flags.print) return print(system, facts);
  const preview = await applyInstall(dryRunSystem(system), request);
  if (flags.dryRun) return await showPreview(system, preview, facts, flags.json === true);
  if (!await agreed(system, flags, preview)) return ExitCode.failed;
  return report(system, await applyInstall(system, request), facts, flags.json === true);
}

function print(system: System, { request, line }: ReportFacts): number {
  const { program, tmux } = request;
  const conf = tmux?.conf ?? findConf(system, [], null);
  const ownConf = ownConfPath(system);
  system.stdout(allSnippets({ program, settings: request.settings.join(" and "), conf, line, ownConf }));
  return ExitCode.done;
}

async function showPreview(
  system: System,
  preview: Applied,
  facts: ReportFacts,
  json: boolean,
): Promise<number> {
  if (!json) system.stdout(await diffs(preview.files));
  return report(system, preview, facts, json);
}

/** On a terminal the changes are shown and asked about; elsewhere (a script, a pipe) they are shown and made. */
async function agreed(system: System, flags: InstallFlags, preview: Applied): Promise<boolean> {
  if (flags.json || !preview.files.some((file) => file.outcome === "changed")) return true;
  system.stderr(await diffs(preview.files));
  if (flags.yes || !system.isTerminal("stdin")) return true;
  if (confirm(system, "Make these changes?")) return true;
  say(system, "nothing was changed. The snippets to paste: tmuxclaude install --print");
  return false;
}

function report(system: System, applied: Applied, facts: ReportFacts, json: boolean): number {
  const code = codeOf(applied.files);
  if (json) {
    printJson(system, installJson(applied, facts, code));
    return code;
  }
  for (const line of installLines(applied, facts)) say(system, line);
  for (const line of facts.dryRun ? [] : hints(system, facts.home, applied.files)) say(system, line);
  if (!facts.dryRun) say(system, "check it with: tmuxclaude doctor; undo it with: tmuxclaude uninstall");
  return code;
}

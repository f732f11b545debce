// What install and uninstall tell about what they did, for people and as JSON.
import { ExitCode } from "../errors.ts";
import { withTilde } from "../path.ts";
import type { Applied, ServerOutcome } from "./apply.ts";
import { confBlock } from "./conf_edit.ts";
import { outcomeDiff } from "./diff.ts";
import type { Outcome } from "./edit.ts";
import type { Removed, RemovedFile, UninstallFlags } from "./remove.ts";
import type { Request } from "./request.ts";
import { settingsSnippet } from "./snippets.ts";

/** 5 when a file has to be edited by hand, else 0. */
export function codeOf(files: Outcome[]): number {
  return files.some((file) => file.outcome === "by_hand") ? ExitCode.byHand : ExitCode.done;
}

/** The diffs of all changed files. */
export async function diffs(files: Outcome[]): Promise<string> {
  return (await Promise.all(files.map(outcomeDiff))).join("");
}

export interface ReportFacts {
  home: string;
  request: Request;
  line: string;
  dryRun: boolean;
}

/** One line for each thing that was done, and what is left to the user. */
export function installLines(applied: Applied, facts: ReportFacts): string[] {
  const { request, dryRun } = facts;
  const lines = applied.files.flatMap((file) => fileLines(file, facts));
  if (request.tmux) {
    const own = withTilde(request.tmux.ownConf, facts.home);
    if (applied.ownConf === "written") lines.push(`${dryRun ? "would write" : "wrote"} ${own}`);
    lines.push(
      ...serverLines(applied.servers, (which) => `${dryRun ? "would tell" : "told"} ${which}`),
      ...request.tmux.keys.notes,
    );
  }
  return lines;
}

function fileLines(file: Outcome, facts: ReportFacts): string[] {
  const path = withTilde(file.path, facts.home);
  if (file.outcome === "unchanged") return [`${path} is as it should be`];
  if (file.outcome === "by_hand") return byHandLines(file, facts);
  const link = file.target === file.path ? "" : ` (through its link: ${withTilde(file.target, facts.home)})`;
  const backup = file.backup ? `, as it was: ${withTilde(file.backup, facts.home)}` : "";
  return [`${facts.dryRun ? "would change" : "changed"} ${path}${link}${backup}`];
}

function byHandLines(file: Extract<Outcome, { outcome: "by_hand" }>, facts: ReportFacts): string[] {
  const where = isSettings(file.path, facts.request) ? "merge this into it" : "put this at its end";
  const snippet = snippetOf(file.path, facts.request, facts.line);
  return [
    `${withTilde(file.path, facts.home)} was left alone: ${file.reason}. To go on, ${where}:\n\n${snippet}`,
  ];
}

function isSettings(path: string, request: Request): boolean {
  return request.settings.includes(path);
}

function snippetOf(path: string, request: Request, line: string): string {
  return isSettings(path, request) ? settingsSnippet(request.program) : confBlock(line);
}

function serverLines(servers: ServerOutcome[], verb: (which: string) => string): string[] {
  const applied = servers.filter((server) => server.outcome === "applied").length;
  const lines = servers.filter((server) => server.reason !== null).map((server) =>
    `the tmux server at ${server.socket} was left alone: ${server.reason}`
  );
  if (applied === 0) return lines;
  const which = applied === 1 ? "the running tmux server" : `${applied} running tmux servers`;
  return [`${verb(which)}, no restart is needed`, ...lines];
}

/** The same as an object for --json. */
export function installJson(applied: Applied, facts: ReportFacts, code: number): Record<string, unknown> {
  const keys = facts.request.tmux?.keys ?? null;
  return {
    ok: code === ExitCode.done,
    dry_run: facts.dryRun,
    program: facts.request.program,
    files: applied.files.map((file) => fileJson(file, facts)),
    own_conf: facts.request.tmux && { path: facts.request.tmux.ownConf, outcome: applied.ownConf },
    servers: applied.servers,
    keys: keys && { revive: keys.key, menu: keys.menu_key, reload: keys.moved_to, notes: keys.notes },
  };
}

function fileJson(file: Outcome, facts: ReportFacts): Record<string, unknown> {
  const byHand = file.outcome === "by_hand";
  return {
    path: file.path,
    target: file.target,
    outcome: file.outcome,
    backup: file.outcome === "changed" ? file.backup : null,
    reason: byHand ? file.reason : null,
    snippet: byHand ? snippetOf(file.path, facts.request, facts.line) : null,
  };
}

/** What uninstall did, one line for each thing. */
export function uninstallLines(removed: Removed, home: string, flags: UninstallFlags): string[] {
  const dryRun = flags.dryRun === true;
  const files = removed.files.flatMap((file) => removedLines(file, home, dryRun));
  const own = removed.own.map((path) => `${dryRun ? "would remove" : "removed"} ${withTilde(path, home)}`);
  const lines = [
    ...files,
    ...own,
    ...serverLines(removed.servers, (which) => `${dryRun ? "would clean" : "cleaned"} ${which}`),
  ];
  if (lines.length === 0) return ["nothing of tmuxclaude is in your configuration"];
  if (dryRun || codeOf(removed.files) !== ExitCode.done) return lines;
  return [
    ...lines,
    flags.purge ? "nothing is left but the program" : "your records are kept (--purge removes them too)",
  ];
}

function removedLines(file: RemovedFile, home: string, dryRun: boolean): string[] {
  const path = withTilde(file.path, home);
  if (file.outcome === "unchanged") return [];
  if (file.outcome === "by_hand") {
    return [`${path} was left alone: ${file.reason}. To go on, take out what mentions tmuxclaude`];
  }
  if (file.change.after === null) {
    return [`${dryRun ? "would remove" : "removed"} ${path}, which install had made`];
  }
  const how = file.exact ? "is as it was before install" : "is without our entries";
  const backup = file.backup && !file.exact ? `; as it was just now: ${withTilde(file.backup, home)}` : "";
  return [`${dryRun ? "would change" : "changed"} ${path}: it ${how}${backup}`];
}

/** The same as an object for --json. */
export function uninstallJson(removed: Removed, dryRun: boolean, code: number): Record<string, unknown> {
  const files = removed.files.map((file) => ({
    path: file.path,
    target: file.target,
    outcome: file.outcome === "changed" && file.change.after === null ? "removed" : file.outcome,
    exact: file.exact,
    reason: file.outcome === "by_hand" ? file.reason : null,
  }));
  return {
    ok: code === ExitCode.done,
    dry_run: dryRun,
    files,
    removed: removed.own,
    servers: removed.servers,
  };
}

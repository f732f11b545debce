// After tmux came back: puts the conversations' identities back onto their panes, then acts by policy.
import { parseTime } from "../cli/flags.ts";
import { jsonText, printJson, say } from "../cli/output.ts";
import { describe, plannedText, summary } from "../cli/restore_text.ts";
import { ExitCode, UserError } from "../errors.ts";
import { actionFor, byActivity, defaultFloor, type Policy, policyOf } from "../policy/actions.ts";
import type { Match } from "../policy/match.ts";
import { formatTime } from "../recover/when.ts";
import type { NewJournalLine } from "../state/journal.ts";
import { matchSnapshot } from "../survey/matched.ts";
import { note } from "../survey/noted.ts";
import { relaunch } from "../survey/relaunch.ts";
import { leftRow, plannedRow, type RestoredRow, toRestoredRow } from "../survey/restored_row.ts";
import { chooseSnapshot, type ChosenSnapshot } from "../survey/snapshot.ts";
import { placeOf, settledSurvey, type Survey } from "../survey/survey.ts";
import type { System } from "../system/system.ts";
import { type Command, connect, explain, runManyTmux, type Tmux } from "../tmux/client.ts";
import { runLater } from "../tmux/jobs.ts";
import { showMessage, showMessageLater } from "../tmux/messages.ts";
import { firstStampCommands, OPTION } from "../tmux/options.ts";

export interface RestoreFlags {
  policy?: Policy;
  dryRun?: boolean;
  force?: boolean;
  /** Seconds between two starts. */
  spacing?: number;
  /** Bytes. */
  minMemory?: number;
  limit?: number;
  at?: string;
  /** Stamp now; what is typed and started is the work of a tmux job. */
  background?: boolean;
  json?: boolean;
  socket?: string;
}

interface Restore {
  tmux: Tmux;
  seen: Survey;
  chosen: ChosenSnapshot;
  /** Milliseconds since the epoch of --at. */
  before: number | undefined;
  policy: Policy;
  flags: RestoreFlags;
}

const DEFAULT_SPACING_S = 10;

/** Restores once for each start of the server; a second call says so and is no failure. */
export async function run(system: System, flags: RestoreFlags): Promise<number> {
  const tmux = connect(system, flags.socket);
  const seen = await settledSurvey(tmux).catch((error) => {
    throw explain(error, "Cannot restore the panes");
  });
  const before = flags.at === undefined ? undefined : parseTime(flags.at);
  if (seen.server.restored !== null && !flags.force) return tell(tmux, flags, ALREADY);
  const policy = policyOf(flags.policy, seen.server.restore_policy);
  if (!policy) throw badPolicy(seen.server.restore_policy);
  const chosen = chooseSnapshot(system, seen.server, before);
  if (!chosen) return tell(tmux, flags, NOTHING);
  return await restore({ tmux, seen, chosen, before, policy, flags });
}

const ALREADY = {
  outcome: "already restored",
  text: "already restored since this tmux server started (--force repeats)",
  code: ExitCode.done,
};
const NOTHING = {
  outcome: "nothing",
  text: "nothing to restore: no earlier record with conversations (tmuxclaude recover looks further)",
  code: ExitCode.nothing,
};

function badPolicy(value: string): UserError {
  const next = "Set one of lazy, type, run: tmux set -g @tmuxclaude-restore lazy";
  return new UserError(
    "Cannot restore",
    `the tmux option @tmuxclaude-restore is "${value}"`,
    next,
    ExitCode.usage,
  );
}

function tell({ system }: Tmux, flags: RestoreFlags, answer: typeof ALREADY | typeof NOTHING): number {
  if (flags.json) printJson(system, { outcome: answer.outcome, policy: null, snapshot: null, panes: [] });
  else if (system.isTerminal("stderr")) say(system, answer.text);
  return answer.code;
}

async function restore(what: Restore): Promise<number> {
  const { tmux, seen, chosen, before, flags } = what;
  const matches = byActivity(matchSnapshot(tmux.system, seen, chosen, before));
  if (matches.length === 0) return tell(tmux, flags, NOTHING);
  const stamped = flags.dryRun ? Promise.resolve() : stamp(tmux, seen, matches);
  const [rows] = await Promise.all([act(what, matches, stamped), stamped]);
  await report(what, rows);
  return rows.some((row) => row.action === "failed") ? ExitCode.failed : ExitCode.done;
}

/** One batch for all stamps, with the marks that this life was compared with its record, and restored. */
async function stamp(tmux: Tmux, seen: Survey, matches: Match[]): Promise<void> {
  const now = tmux.system.now();
  const stamped = matches.filter((match) => match.verdict === "stamp");
  const commands = stamped.flatMap((match) => firstStampCommands(match.pane!.pane_id, restored(match)));
  const mark = (option: string): Command => ["set-option", "-s", option, String(now)];
  const isRestored = matches.some((match) => match.verdict !== "left");
  const marks = [mark(OPTION.compared), ...isRestored ? [mark(OPTION.restored)] : []];
  await runManyTmux(tmux, [...commands, ...marks]).catch((error) => {
    throw explain(error, "Cannot restore the panes");
  });
  const panes = new Map(seen.panes.map((one) => [one.pane.pane_id, one.pane]));
  const lines = stamped.map((match): NewJournalLine => ({
    ...restored(match),
    at: new Date(now).toISOString(),
    event: "restore",
    source: null,
    previous_id: null,
    tmux: placeOf(seen.server, panes.get(match.pane!.pane_id)!),
  }));
  await note(tmux.system, lines);
}

/** What the user had ended stays `exited`; everything else waits to be revived. */
function restored({ binding }: Match) {
  return binding.state === "exited" ? binding : { ...binding, state: "restored" as const };
}

/** Plans while tmux still stamps; launches and types only behind that. */
async function act(what: Restore, matches: Match[], stamped: Promise<void>): Promise<RestoredRow[]> {
  const { tmux, seen, policy, flags } = what;
  const left = matches.filter((match) => match.verdict === "left").map(leftRow);
  const here = matches.filter((match) => match.verdict !== "left");
  const planned = here.map((match) => ({ match, action: actionFor(match, policy) }));
  if (policy === "lazy" || flags.dryRun) {
    return [...planned.map(({ match, action }) => plannedRow(tmux.system, seen, match, action)), ...left];
  }
  await stamped;
  if (flags.background) {
    await handOver(what);
    return [...here.map((match) => toRestoredRow(match, "stamped", null)), ...left];
  }
  const options = {
    socket: seen.server.socket,
    spacingMs: (flags.spacing ?? DEFAULT_SPACING_S) * 1_000,
    minMemory: flags.minMemory ?? defaultFloor(tmux.system.totalMemory()),
    limit: flags.limit ?? Infinity,
    progress: (row: RestoredRow) => progress(what, row),
  };
  return [...await relaunch(tmux, planned, options), ...left];
}

/** tmux-resurrect waits for its hook, and a person for the keys: starts that are spaced are a job's work. */
async function handOver({ tmux, policy, flags }: Restore): Promise<void> {
  const { spacing, minMemory, limit, at } = flags;
  const given = Object.entries({
    "--spacing": spacing,
    "--min-memory": minMemory,
    "--limit": limit,
    "--at": at,
  })
    .flatMap(([flag, value]) => value === undefined ? [] : [flag, String(value)]);
  await runLater(tmux, [tmux.system.self(), "restore", "--force", "--policy", policy, ...given], 0);
}

/** One line for each pane on a terminal; the same as JSON lines on stderr with --json. */
function progress({ tmux: { system }, flags }: Restore, row: RestoredRow): void {
  if (flags.json) system.stderr(jsonText(row, 0));
  else if (system.isTerminal("stderr")) system.stderr(`${describe(row)}\n`);
}

async function report(what: Restore, rows: RestoredRow[]): Promise<void> {
  const { tmux, seen, chosen, flags, policy } = what;
  const { manifest, why } = chosen;
  const outcome = flags.dryRun ? "planned" : "restored";
  if (flags.json) {
    printJson(tmux.system, {
      outcome,
      policy,
      snapshot: { at: manifest.at, save: manifest.resurrect.save, why },
      panes: rows,
    });
    return;
  }
  if (flags.dryRun) tmux.system.stdout(rows.map(plannedText).join(""));
  const text = `${flags.dryRun ? "dry run: " : ""}${summary(rows, seen.server.revive_key)}`;
  const record = `the record of ${formatTime(Date.parse(manifest.at))} ${why}`;
  if (tmux.system.isTerminal("stderr")) say(tmux.system, `${text} (${record})`);
  else if (!flags.dryRun) await announce(what, text);
}

/** tmux-resurrect covers the status line with its own message, for 5 seconds after its hooks. */
const AFTER_RESURRECT_S = 6;

/** What a job goes on with, it tells itself. */
async function announce({ tmux, flags, policy }: Restore, text: string): Promise<void> {
  if (!flags.background) await showMessage(tmux, text);
  else if (policy === "lazy") await showMessageLater(tmux, text, AFTER_RESURRECT_S);
}

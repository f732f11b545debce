// When nothing exact is left: which conversation may have been in which pane, what differs from the past, and the
// command for each decision. Nothing is changed except by --bind, which a person asks for.
import { addressOf } from "../binding.ts";
import { parseTime } from "../cli/flags.ts";
import { printJson, say } from "../cli/output.ts";
import { recoverText } from "../cli/recover_text.ts";
import { roomOf } from "../cli/terminal.ts";
import { ExitCode, UserError } from "../errors.ts";
import { absolutePath, withTilde } from "../path.ts";
import { type Report, toJson } from "../recover/report.ts";
import { parseSince } from "../recover/since.ts";
import { newestManifest } from "../state/manifest.ts";
import { readJournal } from "../state/journal.ts";
import { bindPane, type Bound, boundText, parseBind, planBind } from "../survey/recover_bind.ts";
import { configDirsOf } from "../survey/recover_facts.ts";
import { type Recovery, recovery } from "../survey/recover_report.ts";
import { homeOf, type Survey, survey } from "../survey/survey.ts";
import type { System } from "../system/system.ts";
import { connect, explain, type Tmux, TmuxError } from "../tmux/client.ts";

export interface RecoverFlags {
  at?: string;
  pane?: string;
  session?: string;
  folder?: string;
  since?: string;
  bind?: readonly string[];
  configDir?: readonly string[];
  force?: boolean;
  json?: boolean;
  socket?: string;
}

/** Lists candidates and differences, or binds with `--bind`. Exit code 3 when there is nothing to tell. */
export async function run(system: System, flags: RecoverFlags): Promise<number> {
  const tmux = connect(system, flags.socket);
  return flags.bind?.length ? await bind(tmux, flags) : await list(tmux, flags);
}

async function bind(tmux: Tmux, flags: RecoverFlags): Promise<number> {
  const { system } = tmux;
  const requests = flags.bind!.map(parseBind);
  const seen = await survey(tmux).catch((error) => {
    throw explain(error, "Cannot bind the pane");
  });
  const known = whatIsKnown(system, seen, flags);
  const options = { force: flags.force ?? false };
  const plans = requests.map((request) => planBind(system, seen, request, known, options));
  for (const plan of plans) {
    await bindPane(tmux, seen, plan);
    if (!flags.json) say(system, boundText(plan));
  }
  if (flags.json) printJson(system, { panes: plans.map(boundJson) });
  return ExitCode.done;
}

function whatIsKnown(system: System, seen: Survey, flags: RecoverFlags) {
  const { lines: journal } = readJournal(system);
  const configDirs = configDirsOf(system, [...flags.configDir ?? []], { journal, record: null });
  return { journal, configDirs, manifest: newestManifest(system, seen.server.socket) };
}

function boundJson({ one, binding: { session_id } }: Bound) {
  return { pane_id: one.pane.pane_id, ...addressOf(one.pane), session_id, outcome: "bound" };
}

async function list(tmux: Tmux, flags: RecoverFlags): Promise<number> {
  const { system } = tmux;
  const seen = await lookOrNot(tmux);
  if (flags.pane !== undefined) refuseUnknown(seen, flags.pane);
  const found = await recovery(system, seen, {
    socket: tmux.socket,
    at: flags.at === undefined ? null : parseTime(flags.at),
    configDirs: [...flags.configDir ?? []],
    wanted: {
      paneId: flags.pane,
      tmuxSession: flags.session,
      folder: flags.folder === undefined ? undefined : realFolder(system, flags.folder),
      since: flags.since === undefined
        ? undefined
        : parseSince(flags.since, system.now()) ?? parseTime(flags.since, "--since 2d"),
    },
  });
  if (flags.json) printJson(system, toJson(found.report, { socket: flags.socket ?? null }));
  else print(system, found, flags);
  return isEmpty(found.report) ? ExitCode.nothing : ExitCode.done;
}

/** Without a server there is still something to list; when tmux fails in another way, too. */
async function lookOrNot(tmux: Tmux): Promise<Survey | null> {
  try {
    return await survey(tmux);
  } catch (error) {
    if (!(error instanceof TmuxError)) throw error;
    if (error.kind !== "no-server") say(tmux.system, `going on without tmux: ${error.message}`);
    return null;
  }
}

function refuseUnknown(seen: Survey | null, paneId: string): void {
  if (seen?.panes.some(({ pane }) => pane.pane_id === paneId)) return;
  const why = seen ? "the server has no such pane" : "there is no tmux server here";
  const next = "Leave --pane out to see all of them";
  throw new UserError(
    `Cannot recover pane "${paneId}"`,
    why,
    next,
    seen ? ExitCode.nothing : ExitCode.noServer,
  );
}

function realFolder(system: System, folder: string): string {
  try {
    return system.files.realPath(folder);
  } catch {
    return absolutePath(folder, system.cwd());
  }
}

function isEmpty({ panes, difference: { missing, extra, moved } }: Report): boolean {
  return panes.every(({ candidates }) => candidates.length === 0) &&
    missing.length + extra.length + moved.length === 0;
}

/** Candidates of each pane in a list of all, and of a few panes. */
const MOST = { all: 3, few: 10 };

function print(system: System, found: Recovery, flags: RecoverFlags): void {
  const home = homeOf(system);
  const isNarrow = [flags.pane, flags.folder].some((flag) => flag !== undefined);
  const lines = recoverText(found.report, {
    room: roomOf(system),
    socket: flags.socket ?? null,
    tilde: (folder) => withTilde(folder, home),
    hasServer: found.hasServer,
    isEarlier: found.isEarlier,
    ownPane: system.env("TMUX_PANE") ?? null,
    most: isNarrow ? MOST.few : MOST.all,
    place: found.place,
    others: found.others,
    now: system.now(),
  });
  system.stdout(lines.map((line) => `${line}\n`).join(""));
  for (const note of found.notes) say(system, note);
  if (lines.length === 0) {
    say(system, "nothing was found to recover (claude --resume lists a folder's conversations)");
  }
}

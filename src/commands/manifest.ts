// Called by tmux-resurrect after each save (and by anything else): writes down what every pane holds.
import { type Binding, sameLife } from "../binding.ts";
import { printJson, say } from "../cli/output.ts";
import { ExitCode } from "../errors.ts";
import { foldersAgree } from "../policy/agree.ts";
import { belongsTo } from "../policy/belongs.ts";
import { rowAt } from "../ladder/offer.ts";
import { oneHolderEach, toRow } from "../policy/rows.ts";
import { type JournalLine, type NewJournalLine, trimJournal } from "../state/journal.ts";
import {
  type Manifest,
  type ManifestRow,
  newestManifest,
  writeManifest,
  type WriteResult,
} from "../state/manifest.ts";
import { sweepPending } from "../state/pending.ts";
import { note } from "../survey/noted.ts";
import { homeOf, placeOf, type Survey, survey, type SurveyedPane } from "../survey/survey.ts";
import { isOld } from "../survey/age.ts";
import { repairCurrentSave, saveOf } from "../survey/save.ts";
import type { System } from "../system/system.ts";
import { connect, explain, runManyTmux, type Tmux } from "../tmux/client.ts";
import { stampCommands } from "../tmux/options.ts";

export interface ManifestFlags {
  print?: boolean;
  json?: boolean;
  socket?: string;
}

/** Writes the manifest of the tmux server, or prints it with `--print` and changes nothing. */
export async function run(system: System, flags: ManifestFlags): Promise<number> {
  const tmux = connect(system, flags.socket);
  const seen = await survey(tmux).catch((error) => {
    throw explain(error, "Cannot write the manifest");
  });
  const manifest = toManifest(system, seen);
  if (flags.print || flags.json) return print(system, manifest, flags);
  return await save(tmux, seen, manifest);
}

async function save(tmux: Tmux, seen: Survey, manifest: Manifest): Promise<number> {
  const { system } = tmux;
  let result = "busy" as WriteResult;
  const isLive = ({ tmux }: JournalLine) =>
    tmux !== null && sameLife(tmux, seen.server) && isHere(seen, tmux.pane_id);
  await doAll([
    async () => void (result = await writeManifest(system, manifest)),
    () => recordChanges(tmux, seen, manifest),
    () => repairCurrentSave(system, seen),
    () => sweepPending(system, (id) => seen.alive.has(id)),
    () => trimJournal(system, isLive),
  ]);
  const bound = manifest.panes.filter((row) => row.binding).length;
  if (system.isTerminal("stderr")) {
    say(system, `${manifest.count} panes, ${bound} with a conversation: ${result}`);
  }
  return result === "busy" ? ExitCode.failed : ExitCode.done;
}

/** One that fails keeps none behind it from being done; the first failure is thrown at the end. */
async function doAll(steps: (() => unknown)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

function isHere(seen: Survey, paneId: string): boolean {
  return seen.panes.some(({ pane }) => pane.pane_id === paneId);
}

function toManifest(system: System, seen: Survey): Manifest {
  const { server } = seen;
  const earlier = newestManifest(system, server.socket);
  const panes = oneHolderEach(
    seen.panes.map((one) =>
      toRow({ ...one, live: one.live !== null, earlier: earlierRow(system, seen, one, earlier) })
    ),
  );
  const { ref, saved } = saveOf(system, server);
  return {
    schema: 1,
    at: new Date(system.now()).toISOString(),
    server: {
      socket: server.socket,
      pid: server.pid,
      started: server.started,
      version: server.version,
      host: system.hostname(),
    },
    resurrect: { folder: ref.folder, save: belongsTo(panes, saved) ? ref.save : null },
    base_index: server.base_index,
    pane_base_index: server.pane_base_index,
    count: panes.length,
    panes,
  };
}

/** The row of an earlier server life whose pane this one is: for a restore whose hook did not run. */
function earlierRow(
  system: System,
  seen: Survey,
  one: SurveyedPane,
  earlier: Manifest | null,
): ManifestRow | null {
  if (one.binding || !earlier || earlier.pane_base_index !== seen.server.pane_base_index) return null;
  const row = sameLife(earlier.server, seen.server) ? inheritedRow(earlier, one) : rowAt(earlier, one.pane);
  if (!row || !isOld(system, seen, one.pane)) return null;
  const agrees = foldersAgree(
    row,
    one.pane.cwd,
    homeOf(system),
    (folder) => system.files.stat(folder) === null,
  );
  return agrees ? row : null;
}

/** Within one server life a row is inherited on only by the pane that inherited it. */
function inheritedRow(manifest: Manifest, { pane }: SurveyedPane): ManifestRow | null {
  return manifest.panes.find((row) => row.inherited && row.pane_id === pane.pane_id) ?? null;
}

/** What the witnesses know better than the stamp goes onto the pane and into the journal. */
async function recordChanges(tmux: Tmux, seen: Survey, manifest: Manifest): Promise<void> {
  const changed = seen.panes.filter(({ pane, binding }) => binding && isNews(pane.stamp, binding));
  await note(tmux.system, changed.map((one) => journalLine(one, seen, manifest.at)));
  const commands = changed.flatMap(({ pane, binding }) => stampCommands(pane.pane_id, binding!));
  if (commands.length === 0) return;
  await runManyTmux(tmux, commands).catch((error) => {
    throw explain(error, "Cannot stamp the panes");
  });
}

function isNews(stamp: Binding | null, binding: Binding): boolean {
  return stamp?.session_id !== binding.session_id || stamp.name !== binding.name ||
    stamp.candidate?.session_id !== binding.candidate?.session_id;
}

function journalLine({ pane, binding }: SurveyedPane, seen: Survey, at: string): NewJournalLine {
  const same = pane.stamp?.session_id === binding!.session_id;
  return {
    ...binding!,
    at,
    event: same ? "rename" : "start",
    source: same ? null : "registry",
    previous_id: same ? null : pane.stamp?.session_id ?? null,
    tmux: placeOf(seen.server, pane),
  };
}

function print(system: System, manifest: Manifest, flags: ManifestFlags): number {
  if (flags.json) printJson(system, { ...manifest });
  else system.stdout(`${JSON.stringify(manifest, null, 2)}\n`);
  return ExitCode.done;
}

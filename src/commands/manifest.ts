// Called by tmux-resurrect after each save (and by anything else): writes down what every pane holds.
import { type Binding, sameLife } from "../binding.ts";
import { jsonText, printJson, say } from "../cli/output.ts";
import { ExitCode } from "../errors.ts";
import { belongsTo } from "../policy/belongs.ts";
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
import { restorable } from "../survey/offered.ts";
import { repairCurrentSave, saveOf } from "../survey/save.ts";
import { placeOf, type Survey, survey, type SurveyedPane } from "../survey/survey.ts";
import type { System } from "../system/system.ts";
import { connect, explain, runManyTmux, type Tmux } from "../tmux/client.ts";
import { stampCommands } from "../tmux/options.ts";
import type { Server } from "../tmux/panes.ts";
import { counted } from "../counted.ts";

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
  const livePane = ({ tmux }: JournalLine) =>
    tmux !== null && sameLife(tmux, seen.server) && isHere(seen, tmux.pane_id) ? tmux.pane_id : null;
  await doAll([
    async () => void (result = await writeManifest(system, manifest)),
    () => recordChanges(tmux, seen, manifest),
    () => repairCurrentSave(system, seen),
    () => sweepPending(system, (id) => seen.alive.has(id)),
    () => trimJournal(system, livePane),
  ]);
  const bound = manifest.panes.filter((row) => row.binding).length;
  if (system.isTerminal("stderr")) {
    say(system, `${counted(manifest.count, "pane")}, ${bound} with a conversation: ${result}`);
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
  const earlier = inheritance(system, seen);
  const panes = oneHolderEach(
    seen.panes.map((one) => toRow({ ...one, live: one.live !== null, earlier: earlier(one) })),
  );
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
    resurrect: ownSave(system, server, panes),
    base_index: server.base_index,
    pane_base_index: server.pane_base_index,
    count: panes.length,
    panes,
  };
}

/** The save behind `last` when it holds these very panes. */
function ownSave(system: System, server: Server, panes: ManifestRow[]): Manifest["resurrect"] {
  const { ref, saved, time } = saveOf(system, server);
  const sameLife = time !== null && time >= server.started * 1_000;
  return { folder: ref.folder, save: belongsTo(panes, { panes: saved, sameLife }) ? ref.save : null };
}

/**
 * What panes without a stamp held in the server's earlier life, for a restore whose hook did not run: as it would
 * have been put back. Within one life it stays with the pane that inherited it, and what a restore left is left.
 */
function inheritance(system: System, seen: Survey): (one: SurveyedPane) => Binding | null {
  const newest = newestManifest(system, seen.server.socket);
  if (newest && sameLife(newest.server, seen.server)) {
    const rows = newest.panes.filter((row) => row.inherited);
    return ({ pane }) => rows.find(({ pane_id }) => pane_id === pane.pane_id)?.binding ?? null;
  }
  const matches = restorable(system, seen);
  return ({ pane }) => matches.find((one) => one.pane?.pane_id === pane.pane_id)?.binding ?? null;
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
  const { candidate } = binding!;
  const isLater = candidate !== null && candidate.session_id !== pane.stamp?.candidate?.session_id;
  const told = isLater ? candidate : binding!;
  const same = pane.stamp?.session_id === told.session_id;
  return {
    ...told,
    at,
    event: same ? "rename" : "start",
    source: same ? null : "registry",
    previous_id: same ? null : pane.stamp?.session_id ?? null,
    tmux: placeOf(seen.server, pane),
  };
}

function print(system: System, manifest: Manifest, flags: ManifestFlags): number {
  if (flags.json) printJson(system, { ...manifest });
  else system.stdout(jsonText(manifest));
  return ExitCode.done;
}

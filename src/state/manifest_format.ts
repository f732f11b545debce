// What a manifest says: its types, and what is accepted back from disk.
import { type Binding, type PaneAddress, type ServerLife } from "../binding.ts";
import { toAddress, toBinding, toRecord, toServerLife, toText } from "../from_disk.ts";
import { reasonOf } from "../errors.ts";
import type { System } from "../system/system.ts";
import { ownFacts } from "./own_file.ts";

/** The number of the shape that is written. */
export const MANIFEST_SCHEMA = 1;

/** A larger file is not read. */
const SIZE_LIMIT = 64 * 1024 * 1024;

/** One pane at the save, bound or not. */
export interface ManifestRow extends PaneAddress {
  addresses: PaneAddress[];
  pane_id: string;
  window_id: string;
  window_name: string;
  /** The window was named by a person. */
  deliberate: boolean;
  title: string;
  cwd: string;
  command: string;
  /** Seconds since the epoch. */
  activity: number;
  /** A Claude was running in it. */
  live: boolean;
  /** The binding came from the previous manifest, not from a stamp. */
  inherited: boolean;
  binding: Binding | null;
  evidence: string[];
}

/** All panes of a tmux server at one save. */
export interface Manifest {
  schema: typeof MANIFEST_SCHEMA;
  /** ISO time of the save. */
  at: string;
  server: ServerLife & { version: string; host: string };
  /** tmux-resurrect's folder and the save behind its `last`, null where there is none. */
  resurrect: { folder: string | null; save: string | null };
  base_index: number;
  pane_base_index: number;
  /** Number of panes. */
  count: number;
  panes: ManifestRow[];
}

/** `bad`: rows, or bindings in rows, that had to be left out. */
export type ToManifest = { manifest: Manifest; bad: number } | { reason: string; newer?: true };

/** `reason` null: there is none. `newer`: written by a newer tmuxclaude, so not to be replaced. */
export type ManifestRead =
  | { found: true; manifest: Manifest; bad: number }
  | { found: false; reason: string | null; newer?: true };

/** How many panes hold a conversation. */
export function countBindings(manifest: Manifest): number {
  return manifest.panes.filter((row) => row.binding !== null).length;
}

/** The manifest in a value from disk, or why there is none. Bad rows are left out and counted. */
export function toManifest(value: unknown): ToManifest {
  const found = toRecord(value);
  if (!found) return { reason: "it is not a JSON object" };
  if (typeof found.schema === "number" && found.schema > MANIFEST_SCHEMA) {
    return { reason: `a newer tmuxclaude wrote it (schema ${found.schema})`, newer: true };
  }
  const wrong = wrongField(found);
  return wrong ? { reason: `"${wrong}" is missing or has the wrong type` } : fromRecord(found);
}

function wrongField(found: Record<string, unknown>): string | null {
  const checks: [string, boolean][] = [
    ["schema", found.schema === MANIFEST_SCHEMA],
    ["at", !Number.isNaN(Date.parse(toText(found.at) ?? ""))],
    ["server", toServerLife(found.server) !== null],
    ["base_index", Number.isInteger(found.base_index)],
    ["pane_base_index", Number.isInteger(found.pane_base_index)],
    ["count", Number.isInteger(found.count)],
    ["panes", Array.isArray(found.panes)],
  ];
  return checks.find(([, isRight]) => !isRight)?.[0] ?? null;
}

function fromRecord(found: Record<string, unknown>): { manifest: Manifest; bad: number } {
  const rows = (found.panes as unknown[]).map(toRow);
  const panes = rows.flatMap(({ row }) => row ?? []);
  const server = toRecord(found.server);
  const resurrect = toRecord(found.resurrect);
  const manifest: Manifest = {
    schema: MANIFEST_SCHEMA,
    at: found.at as string,
    server: {
      ...toServerLife(found.server)!,
      version: toText(server?.version) ?? "",
      host: toText(server?.host) ?? "",
    },
    resurrect: { folder: toText(resurrect?.folder), save: toText(resurrect?.save) },
    base_index: found.base_index as number,
    pane_base_index: found.pane_base_index as number,
    count: panes.length,
    panes,
  };
  const missing = Math.max(0, found.count as number - rows.length);
  return { manifest, bad: rows.filter(({ bad }) => bad).length + missing };
}

function toRow(value: unknown): { row: ManifestRow | null; bad: boolean } {
  const found = toRecord(value);
  const address = toAddress(value);
  const paneId = toText(found?.pane_id);
  if (!found || !address || paneId === null || !/^%\d+$/.test(paneId)) return { row: null, bad: true };
  const binding = toBinding(found.binding);
  const row = { ...address, pane_id: paneId, ...rowDetails(found, address), binding };
  return { row, bad: binding === null && found.binding !== null && found.binding !== undefined };
}

/** What a row can do without: of the wrong type it becomes neutral. */
function rowDetails(found: Record<string, unknown>, address: PaneAddress) {
  const list = (name: string): unknown[] => Array.isArray(found[name]) ? found[name] as unknown[] : [];
  const addresses = list("addresses").flatMap((item) => toAddress(item) ?? []);
  return {
    addresses: addresses.length > 0 ? addresses : [address],
    window_id: toText(found.window_id) ?? "",
    window_name: toText(found.window_name) ?? "",
    deliberate: found.deliberate === true,
    title: toText(found.title) ?? "",
    cwd: toText(found.cwd) ?? "",
    command: toText(found.command) ?? "",
    activity: Number.isFinite(found.activity) ? found.activity as number : 0,
    live: found.live === true,
    inherited: found.inherited === true,
    evidence: list("evidence").filter((item) => typeof item === "string"),
  };
}

/** The manifest in a file of ours: whole, or the reason why not. Never throws for what is in it. */
export function readManifestFile(system: System, path: string): ManifestRead {
  try {
    const size = ownFacts(system, path)?.size ?? null;
    if (size === null) return { found: false, reason: null };
    if (size > SIZE_LIMIT) return { found: false, reason: `it has ${size} bytes, more than ${SIZE_LIMIT}` };
    const read = toManifest(JSON.parse(system.files.readText(path)));
    return "reason" in read ? { found: false, ...read } : { found: true, ...read };
  } catch (error) {
    return { found: false, reason: reasonOf(error) };
  }
}

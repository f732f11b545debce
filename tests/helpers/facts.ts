// Small values for tables: bindings, rows and manifests with everything neutral.
import { type Binding, newBinding, type SessionId } from "../../src/binding.ts";
import type { JournalLine } from "../../src/state/journal.ts";
import type { Manifest, ManifestRow } from "../../src/state/manifest.ts";

/** A session id made of one letter or a short number. */
export const id = (mark: string) => `${mark.padStart(8, "0")}-0000-4000-8000-000000000000` as SessionId;

export const TIME = "2026-01-01T00:00:00.000Z";

export function bindingOf(session: SessionId, more: Partial<Binding> = {}): Binding {
  return { ...newBinding(session, "/work", TIME), ...more };
}

export function rowOf(address: string, more: Partial<ManifestRow> = {}): ManifestRow {
  const [tmux_session, window, pane] = address.split(/[:.]/);
  const at = { tmux_session, window_index: Number(window), pane_index: Number(pane) };
  return {
    ...at,
    addresses: [at],
    pane_id: "%1",
    window_id: "@1",
    window_name: "bash",
    deliberate: false,
    title: "title",
    cwd: "/work",
    command: "bash",
    activity: 0,
    live: false,
    inherited: false,
    binding: null,
    evidence: [],
    ...more,
  };
}

export const LIFE = { socket: "/tmp/s", pid: 1, started: 1 };

export function manifestOf(panes: ManifestRow[], more: Partial<Manifest> = {}): Manifest {
  return {
    schema: 1,
    at: TIME,
    server: { ...LIFE, version: "3.3a", host: "host" },
    resurrect: { folder: null, save: null },
    base_index: 0,
    pane_base_index: 0,
    count: panes.length,
    panes,
    ...more,
  };
}

export function lineOf(session: SessionId, more: Partial<JournalLine> = {}): JournalLine {
  const tmux = { ...LIFE, tmux_session: "s", window_index: 0, pane_index: 0, pane_id: "%1" };
  return {
    ...bindingOf(session),
    schema: 1,
    seq: 1,
    event: "start",
    source: null,
    previous_id: null,
    tmux,
    ...more,
  };
}

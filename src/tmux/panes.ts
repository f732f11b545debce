// Everything about all panes in one call. Fields are separated by random marks, so no title, name or folder can
// forge a row (tab and newline come back changed on some versions).
import type { Binding, PaneAddress, ServerLife } from "../binding.ts";
import { sameAddress, sessionId } from "../binding.ts";
import { type Command, runTmux, type Tmux, TmuxError } from "./client.ts";
import { OPTION, readStamp } from "./options.ts";
import { ageOrder } from "./own_pane.ts";

/** The running server as its formats tell. */
export interface Server extends ServerLife {
  version: string;
  base_index: number;
  pane_base_index: number;
  /** Our mark of this life's restore (ms since the epoch), null when none was done. */
  restored: number | null;
  /** A restore of this life has looked at the panes: what it left is no pane of its record. */
  compared: boolean;
  restore_policy: string;
  revive_enter: boolean;
  /** The key after the prefix that revives. */
  revive_key: string;
  resurrect_dir: string;
  /** Path of the shell that new panes run. */
  default_shell: string;
  /** What new panes run instead, "" for the shell itself. */
  default_command: string;
}

export interface Pane extends PaneAddress {
  pane_id: string;
  /** Every address of this pane: grouped sessions and linked windows list it more than once. */
  addresses: PaneAddress[];
  tmux_session_id: string;
  window_id: string;
  window_name: string;
  /** False when the window was named deliberately (or the global option is off). */
  automatic_rename: boolean;
  pid: number;
  tty: string;
  dead: boolean;
  synchronized: boolean;
  input_off: boolean;
  /** Foreground program by name: no proof of anything (facts: wrapper, suspended Claude). */
  command: string;
  start_command: string;
  /** Folder of the foreground program; empty for a dead pane. */
  cwd: string;
  title: string;
  active: boolean;
  /** Seconds since the epoch of the window's last activity. */
  activity: number;
  stamp: Binding | null;
}

export interface PaneList {
  server: Server;
  panes: Pane[];
}

const FIELDS = [
  "socket_path",
  "pid",
  "start_time",
  "version",
  "base-index",
  "pane-base-index",
  OPTION.restored,
  OPTION.compared,
  OPTION.restorePolicy,
  OPTION.reviveEnter,
  OPTION.reviveKey,
  "@resurrect-dir",
  "default-shell",
  "default-command",
  "session_name",
  "window_index",
  "pane_index",
  "pane_id",
  "session_id",
  "window_id",
  "window_name",
  "automatic-rename",
  "pane_pid",
  "pane_tty",
  "pane_dead",
  "pane_synchronized",
  "pane_input_off",
  "pane_current_command",
  "pane_start_command",
  "pane_current_path",
  "pane_title",
  "pane_active",
  "window_active",
  "window_activity",
  OPTION.session,
  OPTION.cwd,
  OPTION.binding,
] as const;

type Field = (typeof FIELDS)[number];
type Row = Record<Field, string>;

/** The command that lists all panes, and the parser for what it prints. */
export function listCommand(mark: string): { command: Command; parse: (text: string) => PaneList | null } {
  const field = `<${mark}>`;
  const end = `{${mark}}`;
  const format = FIELDS.map((name) => `#{${name}}`).join(field) + end;
  return {
    command: ["list-panes", "-a", "-F", format],
    parse: (text) => parseList(text, field, end),
  };
}

/** All panes of the server. Throws TmuxError, also when tmux answers with nothing usable. */
export async function listPanes(tmux: Tmux): Promise<PaneList> {
  const { command, parse } = listCommand(tmux.system.randomHex(8));
  const list = parse(await runTmux(tmux, [command]));
  if (!list) throw new TmuxError("list-panes", "tmux answered with nothing that can be read", "failed");
  return list;
}

function parseList(text: string, field: string, end: string): PaneList | null {
  const rows = text.split(end).slice(0, -1).map((part) => toRow(part.replace(/^\n/, ""), field));
  if (rows.length === 0 || rows.some((row) => row === null)) return null;
  const complete = rows as Row[];
  return { server: toServer(complete[0]), panes: mergeAddresses(complete.map(toPane)) };
}

function toRow(part: string, field: string): Row | null {
  const values = part.split(field);
  if (values.length !== FIELDS.length) return null;
  return Object.fromEntries(FIELDS.map((name, index) => [name, values[index]])) as Row;
}

function toServer(row: Row): Server {
  return {
    socket: row.socket_path,
    pid: Number(row.pid),
    started: Number(row.start_time),
    version: row.version,
    base_index: Number(row["base-index"]),
    pane_base_index: Number(row["pane-base-index"]),
    restored: Number(row[OPTION.restored]) || null,
    compared: row[OPTION.compared] !== "",
    restore_policy: row[OPTION.restorePolicy],
    revive_enter: row[OPTION.reviveEnter] === "on",
    revive_key: row[OPTION.reviveKey] || "r",
    resurrect_dir: row["@resurrect-dir"],
    default_shell: row["default-shell"],
    default_command: row["default-command"],
  };
}

function toPane(row: Row): Pane {
  const address = {
    tmux_session: row.session_name,
    window_index: Number(row.window_index),
    pane_index: Number(row.pane_index),
  };
  const on = (name: Field) => row[name] === "1";
  return {
    ...address,
    addresses: [address],
    pane_id: row.pane_id,
    tmux_session_id: row.session_id,
    window_id: row.window_id,
    window_name: row.window_name,
    automatic_rename: on("automatic-rename"),
    pid: Number(row.pane_pid),
    tty: row.pane_tty,
    dead: on("pane_dead"),
    synchronized: on("pane_synchronized"),
    input_off: on("pane_input_off"),
    command: row.pane_current_command,
    start_command: row.pane_start_command,
    cwd: row.pane_current_path,
    title: row.pane_title,
    active: on("pane_active") && on("window_active"),
    activity: Number(row.window_activity),
    stamp: readStamp(sessionId(row[OPTION.session]), row[OPTION.cwd], row[OPTION.binding], ""),
  };
}

/**
 * One record a pane, in tmux's order. Its own address is the one in its oldest tmux session, as in the hook's records:
 * tmux itself would name the one used last. The others are listed.
 */
function mergeAddresses(listed: Pane[]): Pane[] {
  const byId = new Map<string, Pane | null>(listed.map(({ pane_id }) => [pane_id, null]));
  for (const pane of listed.toSorted((a, b) => ageOrder(a.tmux_session_id, b.tmux_session_id))) {
    const known = byId.get(pane.pane_id);
    if (!known) byId.set(pane.pane_id, pane);
    else if (!known.addresses.some((address) => sameAddress(address, pane))) {
      known.addresses.push(...pane.addresses);
    }
  }
  return [...byId.values()].filter((pane) => pane !== null);
}

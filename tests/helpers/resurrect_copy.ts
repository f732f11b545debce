// A copy of what tmux-resurrect's scripts do to a layout, fast enough for a thousand rounds: the same fields, read the
// same way (with the losses of `read` and `echo`), the same order of tmux commands at a restore.
import type { TmuxServer } from "./tmux_server.ts";

/** A pane of a save: what its line says after everything that was lost on the way. */
export interface SavedPane {
  session: string;
  window: string;
  pane: string;
  title: string;
  folder: string;
}

/** A restored pane: which one of the save it was made for, or that it was there already. */
export interface Rebuilt {
  paneId: string;
  saved: SavedPane;
}

const PANE =
  "session_name window_index window_active :window_flags pane_index pane_title :pane_current_path " +
  "pane_active pane_current_command pane_pid history_size";
const WINDOW = "session_name window_index :window_name window_active :window_flags window_layout window_id";

const format = (line: string, fields: string) =>
  [line, ...fields.split(" ").map((field) => field.replace(/(:?)(\S+)/, "$1#{$2}"))].join("\t");

/** bash's `IFS=$'\t' read` into so many variables: empty fields vanish, the last takes the rest, backslashes go. */
function bashRead(line: string, variables: number): string[] {
  let rest = unescaped(line).replace(/^\t+|\t+$/g, "");
  const values: string[] = [];
  while (values.length < variables - 1) {
    const [value] = rest.split("\t", 1);
    values.push(value);
    rest = rest.slice(value.length).replace(/^\t+/, "");
  }
  return [...values, rest];
}

const unescaped = (text: string) => text.replaceAll(/\\([^])/g, "$1");

/** What `echo $dir | sed 's/ /\\ /'` makes of a folder. */
const echoed = (folder: string) => folder.trim().replaceAll(/\s+/g, " ").replace(" ", "\\ ");

/** The text that save.sh writes. */
export async function saveText(server: TmuxServer): Promise<string> {
  const panes = (await server.run("list-panes", "-a", "-F", format("pane", PANE))).split("\n");
  const windows = (await server.run("list-windows", "-a", "-F", format("window", WINDOW))).split("\n");
  const [grouped, groups] = await groupedSessions(server);
  const isGrouped = (line: string) => groups.has(line.split("\t")[1]);
  return [
    ...grouped,
    ...panes.filter((line) => !isGrouped(line)).map(paneLine),
    ...await Promise.all(windows.filter((line) => !isGrouped(line)).map((line) => windowLine(server, line))),
    "state\t\t",
  ].map((line) => `${line}\n`).join("");
}

function paneLine(line: string): string {
  const fields = bashRead(line, 12);
  const [type, session, window, active, flags, index, title, folder, paneActive, command] = fields;
  return [type, session, window, active, flags, index, title, echoed(folder), paneActive, command, ":"]
    .join("\t");
}

async function windowLine(server: TmuxServer, line: string): Promise<string> {
  const fields = bashRead(line, 8);
  const { stdout } = await server.attempt("show-options", "-wv", "-t", fields[7], "automatic-rename");
  return [...fields.slice(0, 7), stdout.trim() || ":"].join("\t");
}

/** The lines for the followers of each group, and their names: their panes are not saved. */
async function groupedSessions(server: TmuxServer): Promise<[string[], Set<string>]> {
  const text = await server.run(
    "list-sessions",
    "-F",
    "#{session_grouped}\t#{session_group}\t#{session_name}",
  );
  const leaders = new Map<string, string>();
  const lines: string[] = [];
  const names = new Set<string>();
  for (const [is, group, name] of text.split("\n").sort().map((line) => line.split("\t"))) {
    if (is !== "1") continue;
    if (!leaders.has(group)) leaders.set(group, name);
    else {
      lines.push(`grouped_session\t${name}\t${leaders.get(group)}\t:\t:`);
      names.add(name);
    }
  }
  return [lines, names];
}

/** Saves into a folder as save.sh does: `last` moves to the new file only when something differs. */
export async function saveTo(server: TmuxServer, folder: string, name: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const text = await saveText(server);
  const before = await Deno.readTextFile(`${folder}/last`).catch(() => null);
  if (text === before) return;
  await Deno.writeTextFile(`${folder}/${name}`, text);
  await Deno.remove(`${folder}/last`).catch(() => {});
  await Deno.symlink(name, `${folder}/last`);
}

interface Place {
  session: string;
  window: string;
  pane: string;
  id: string;
}

const PLACE = "#{session_name}\t#{window_index}\t#{pane_index}\t#{pane_id}";

async function places(server: TmuxServer): Promise<Place[]> {
  const { stdout } = await server.attempt("list-panes", "-a", "-F", PLACE);
  return stdout.split("\n").filter((line) => line !== "").map((line) => {
    const [session, window, pane, id] = line.split("\t");
    return { session, window, pane, id };
  });
}

/** Restores a save over what is there, as restore.sh does. `command` is what the panes run. */
export async function rebuild(server: TmuxServer, text: string, command: string[]): Promise<Rebuilt[]> {
  const lines = text.split("\n").map((line) => unescaped(line).trim());
  const scratch = (await places(server)).length === 1;
  const rebuilt: Rebuilt[] = [];
  for (const line of lines.filter((one) => one.startsWith("pane"))) {
    const [, session, window, , , pane, title, folder] = bashRead(line, 11);
    const saved = { session, window, pane, title, folder: folder.slice(1) };
    rebuilt.push({ paneId: await restorePane(server, saved, { scratch, command }), saved });
  }
  if (scratch && !rebuilt.some(({ saved }) => saved.session === "0")) {
    await server.attempt("kill-session", "-t", "0");
  }
  for (const line of text.split("\n").filter((one) => one.startsWith("window"))) {
    await restoreWindow(server, line);
  }
  for (const line of lines.filter((one) => one.startsWith("grouped_session"))) {
    const [, follower, leader] = bashRead(line, 5);
    await server.attempt("new-session", "-d", "-s", follower, "-t", leader);
  }
  return rebuilt;
}

interface HowToRestore {
  scratch: boolean;
  command: string[];
}

async function restorePane(server: TmuxServer, saved: SavedPane, how: HowToRestore): Promise<string> {
  const { session, window, pane } = saved;
  const there = await places(server);
  const inSession = there.filter((one) => one.session === session);
  const inWindow = inSession.filter((one) => one.window === window);
  const existing = inWindow.find((one) => one.pane === pane);
  const at = `=${session}:${window}`;
  let id: string;
  if (existing && !how.scratch) id = existing.id;
  else if (inWindow.length > 0) {
    id = await make(server, ["split-window", "-t", at], saved, how);
    await server.attempt("resize-pane", "-t", at, "-U", "999");
    if (existing) await server.attempt("kill-pane", "-t", existing.id);
  } else if (inSession.length > 0) id = await make(server, ["new-window", "-d", "-t", at], saved, how);
  else id = await makeSession(server, saved, how);
  await server.attempt("select-pane", "-t", `${at}.${pane}`, "-T", saved.title);
  return id;
}

async function make(server: TmuxServer, how: string[], saved: SavedPane, { command }: HowToRestore) {
  const { stdout } = await server.attempt(...how, "-P", "-F", "#{pane_id}", "-c", saved.folder, ...command);
  return stdout.trim();
}

async function makeSession(server: TmuxServer, saved: SavedPane, how: HowToRestore): Promise<string> {
  const id = await make(server, ["new-session", "-d", "-s", saved.session], saved, how);
  const first = await server.run("show-options", "-gv", "base-index");
  if (first !== saved.window) {
    const [from, to] = [first, saved.window].map((window) => `=${saved.session}:${window}`);
    await server.attempt("move-window", "-s", from, "-t", to);
  }
  return id;
}

async function restoreWindow(server: TmuxServer, line: string): Promise<void> {
  const [, session, window, name, , , layout, automatic] = bashRead(line, 8);
  const at = `=${session}:${window}`;
  await server.attempt("select-layout", "-t", at, layout);
  await server.attempt("rename-window", "-t", at, name.slice(1));
  const option = automatic === ":"
    ? ["-wu", "-t", at, "automatic-rename"]
    : ["-w", "-t", at, "automatic-rename", automatic];
  await server.attempt("set-option", ...option);
}

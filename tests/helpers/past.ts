// A past for recover: transcripts and tmux saves as they would stand on disk, without any Claude or tmux running.
import { until } from "./poll.ts";
import type { TmuxServer } from "./tmux_server.ts";
import type { Scratch } from "./scratch.ts";

/** A conversation on disk. */
export interface PastConversation {
  id: string;
  folder: string;
  /** Hours ago. */
  began: number;
  ended: number;
  title?: string;
  configDir?: string;
}

const HOUR = 3_600_000;

/** Writes its transcript where Claude would; the file's own time is now, as after a copy from a backup. */
export async function writeConversation(scratch: Scratch, one: PastConversation): Promise<void> {
  const project = one.folder.replaceAll(/[^A-Za-z0-9]/g, "-");
  const folder = `${one.configDir ?? scratch.config}/projects/${project}`;
  await Deno.mkdir(folder, { recursive: true });
  const line = (type: string, hours: number) =>
    JSON.stringify({
      parentUuid: null,
      isSidechain: false,
      type,
      message: { role: type, content: "x" },
      timestamp: new Date(Date.now() - hours * HOUR).toISOString(),
      entrypoint: "cli",
      cwd: one.folder,
      sessionId: one.id,
    }) + "\n";
  const title = one.title === undefined
    ? ""
    : JSON.stringify({ type: "custom-title", customTitle: one.title, sessionId: one.id }) + "\n";
  await Deno.writeTextFile(
    `${folder}/${one.id}.jsonl`,
    line("user", one.began) + line("assistant", one.ended) + title,
  );
}

/** What was in a pane when it was saved. */
export interface SavedProgram {
  command: string;
  full: string;
}

/** Writes a save as tmux-resurrect 4.0.0 does, for the panes there are now, and lets `last` point to it. */
export async function writeSave(
  server: TmuxServer,
  program: (index: number) => SavedProgram,
  hoursAgo = 0,
): Promise<string> {
  const all = await server.panes();
  const panes = all.map((pane, index) => {
    const { command, full } = program(index);
    const folder = pane.folder.replace(" ", "\\ ");
    return [
      "pane",
      pane.session,
      pane.window,
      1,
      ":*",
      pane.pane,
      "host",
      `:${folder}`,
      1,
      command,
      `:${full}`,
    ].join("\t");
  });
  const windows = all.map(({ session, window, windowName }) =>
    ["window", session, window, `:${windowName}`, 1, ":*", "layout", "off"].join("\t")
  );
  return await putSave(
    server.scratch,
    [...panes, ...new Set(windows), "state\tx\t", ""].join("\n"),
    hoursAgo,
  );
}

/** Writes the text of a save made so many hours ago, and lets `last` point to it. */
export async function putSave(scratch: Scratch, text: string, hoursAgo: number): Promise<string> {
  const folder = `${scratch.home}/.tmux/resurrect`;
  await Deno.mkdir(folder, { recursive: true });
  const name = `tmux_resurrect_${stamp(new Date(Date.now() - hoursAgo * HOUR))}.txt`;
  await Deno.writeTextFile(`${folder}/${name}`, text);
  await Deno.remove(`${folder}/last`).catch(() => {});
  await Deno.symlink(name, `${folder}/last`);
  return name;
}

function stamp(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`;
}

/** A pane with a program that does nothing: a new window beside `last`, or a first tmux session. */
export async function openIdle(server: TmuxServer, last: string | null, folder: string): Promise<string> {
  const options = { folder, command: "cat" };
  const pane = last === null
    ? await server.newSession({ session: "work", ...options })
    : await server.newWindow(last, options);
  // Right after the fork tmux still tells the folder of the server.
  await until(`the folder of pane ${pane}`, async () => {
    return await server.paneFormat(pane, "#{pane_current_path}") === folder;
  });
  return pane;
}

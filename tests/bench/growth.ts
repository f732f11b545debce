// Years of use in a moment: long journals, many conversations, a very large one.
import { newBinding, sessionId } from "../../src/binding.ts";
import { formatLine } from "../../src/state/journal_line.ts";
import { conversation, uuid, type World } from "./world.ts";

const FILES_A_FOLDER = 20;
/** Conversations of this part have numbers from here on. */
const FIRST = 100_000;
const LARGE = 200 * 1024 * 1024;

/** A journal of so many lines, each with another conversation. */
export async function writeJournal({ server: { scratch } }: World, count: number): Promise<void> {
  const at = "2026-11-30T00:00:00.000Z";
  const lines = Array.from({ length: count }, (_, n) => {
    const binding = newBinding(sessionId(uuid(FIRST + n))!, `${scratch.home}/old/${n % 100}`, at);
    const tmux = {
      socket: "/tmp/old",
      pid: 1,
      started: 1,
      tmux_session: "old",
      window_index: n % 50,
      pane_index: 0,
    };
    const pane = { ...tmux, pane_id: `%${n % 50}` };
    const event = { event: "start" as const, source: "startup", previous_id: null, tmux: pane };
    return formatLine({ ...binding, arguments: ["--model", "opus"], name: `old-${n}`, ...event }, n + 1);
  });
  await Deno.mkdir(scratch.state, { recursive: true, mode: 0o700 });
  await Deno.writeTextFile(`${scratch.state}/journal.jsonl`, `${lines.join("\n")}\n`, { mode: 0o600 });
}

/** So many conversations in projects' folders of their own, one of them of 200 MB (most of it not on the disk). */
export async function writeConversations({ server: { scratch } }: World, count: number): Promise<void> {
  const projects = `${scratch.config}/projects`;
  for (let n = 0; n < count; n++) {
    const cwd = `${scratch.home}/old/${Math.floor(n / FILES_A_FOLDER)}`;
    const folder = `${projects}/${cwd.replaceAll(/[^A-Za-z0-9]/g, "-")}`;
    if (n % FILES_A_FOLDER === 0) await Deno.mkdir(folder, { recursive: true });
    const id = uuid(FIRST + n);
    await Deno.writeTextFile(`${folder}/${id}.jsonl`, conversation(id, cwd));
    if (n === 0) await Deno.truncate(`${folder}/${id}.jsonl`, LARGE);
  }
}

// tmux's menu. Titles come from others, so a label is text and nothing else; what an item does is made of ids only.
import { type Command, runTmux, showTmux, type Tmux } from "./client.ts";
import { confWord, literal, oneLine } from "./format.ts";

export interface MenuItem {
  label: string;
  /** The program and its arguments, run by tmux in the background when the item is chosen. */
  words: string[];
}

/** Keys of the first items, in order. */
const KEYS = "123456789";

/** The display-menu command. A label with a leading "-" would be greyed out, so each begins with its key. Pure. */
export function menuCommand(
  paneId: string,
  client: string | undefined,
  title: string,
  items: MenuItem[],
): Command {
  const on = client ? ["-c", client] : [];
  const rows = items.slice(0, KEYS.length).flatMap(({ label, words }, index) => [
    `${KEYS[index]}  ${literal(oneLine(label))}`,
    KEYS[index],
    // The menu expands the command once, run-shell its line a second time.
    literal(`run-shell -b ${confWord(literal(`${words.join(" ")} >/dev/null 2>&1 || true`))}`),
  ]);
  return ["display-menu", ...on, "-t", paneId, "-T", literal(` ${title} `), "-x", "P", "-y", "P", ...rows];
}

/** Columns around a label: the frame, its key before and after it. */
const AROUND = 13;

/** Columns that a label may have on the client, else on the narrowest one: tmux cuts longer ones at their beginning. */
export async function labelColumns(tmux: Tmux, client?: string): Promise<number> {
  const printed = await runTmux(tmux, [["list-clients", "-F", "#{client_width} #{client_name}"]]);
  const clients = printed.split("\n").map((line) => /^(\d+) (.*)$/.exec(line)).filter((one) => one !== null);
  const own = clients.filter((one) => one[2] === client);
  const widths = (own.length > 0 ? own : clients).map((one) => Number(one[1]));
  return Math.max(1, Math.min(...widths) - AROUND);
}

/** Shows a menu at the pane. Throws TmuxError, also when no client can show it. */
export async function showMenu(
  tmux: Tmux,
  place: { paneId: string; client?: string },
  title: string,
  items: MenuItem[],
): Promise<void> {
  await showTmux(tmux, menuCommand(place.paneId, place.client, title, items));
}

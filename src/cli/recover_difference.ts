// What differs between the record and now, for people. Pure.
import { formatAddress, type PaneAddress } from "../binding.ts";
import { closeCommand, goCommand, makeCommand } from "../recover/advice.ts";
import type { Difference } from "../recover/difference.ts";
import { fit, printable } from "./width.ts";

export interface TextOptions {
  /** Columns of the terminal, Infinity for no limit. Commands are never cut. */
  room: number;
  /** Socket to name in commands, null when they find the server without. */
  socket: string | null;
  /** A folder as people write it. */
  tilde: (folder: string) => string;
  hasServer: boolean;
  /** Whether the pane's candidates are listed, with the commands that make it again. */
  isListed: (pane: PaneAddress) => boolean;
  /** The pane this runs in, null outside tmux. */
  ownPane: string | null;
}

/** The three kinds of difference, each with the command to undo it; nothing without a server to compare with. */
export function differenceText(difference: Difference, options: TextOptions): string[] {
  if (!options.hasServer) return [];
  return [
    ...missingText(difference, options),
    ...extraText(difference, options),
    ...movedText(difference, options),
  ];
}

function missingText({ missing, moved }: Difference, options: TextOptions): string[] {
  const isMoved = (pane: PaneAddress) =>
    moved.some(({ from }) => formatAddress(from) === formatAddress(pane));
  const items = missing.map((pane) => {
    const what = pane.tmux_session_missing ? "tmux session and pane" : "pane";
    const head = `${what} ${placeOf(pane, options)}`;
    if (isMoved(pane)) return entry(`${head}  (its conversation is in another pane now)`, null, options);
    return options.isListed(pane)
      ? entry(`${head}  (see its candidates)`, null, options)
      : entry(head, makeCommand(pane, options), options);
  });
  return section(
    "Missing now, make it again if you want it (the first of a tmux session makes the session):",
    items,
  );
}

function extraText({ extra }: Difference, options: TextOptions): string[] {
  const items = extra.map((pane) => {
    const what = pane.tmux_session_extra ? "tmux session and pane" : "pane";
    const head = `${what} ${placeOf(pane, options)}`;
    if (pane.pane_id === options.ownPane) return entry(`${head}  (you are in it)`, null, options);
    return entry(head, closeCommand(pane, options), options);
  });
  return section("Here now and not in the record, close it if you do not want it:", items);
}

function movedText({ moved }: Difference, options: TextOptions): string[] {
  const items = moved.map(({ session_id, from, to }) =>
    entry(
      `${session_id.slice(0, 8)}  from ${formatAddress(from)} to ${formatAddress(to)} (${to.pane_id})`,
      goCommand(to, options),
      options,
    )
  );
  return section("Conversations that are in another pane now:", items);
}

function placeOf(pane: PaneAddress & { window_name: string; cwd: string }, { tilde }: TextOptions): string {
  return `${formatAddress(pane)}  ${pane.window_name}  ${tilde(pane.cwd)}`;
}

function entry(text: string, command: string | null, { room }: TextOptions): string[] {
  return [fit(`  ${printable(text).trimEnd()}`, room), ...(command === null ? [] : [`      ${command}`])];
}

function section(title: string, items: string[][]): string[] {
  return items.length === 0 ? [] : ["", title, ...items.flat()];
}

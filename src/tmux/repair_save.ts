// What tmux-resurrect loses between its own save and restore, put right in the save file. Pure.
// It reads tab-separated fields with `read` (an empty one is merged into the next) and prints folders unquoted
// (spaces collapse); its restore reads twice without -r (backslashes go) and hands names and folders to tmux, which
// expands them and takes a ";" at the end for the end of the command.
import { type PaneAddress, sameAddress } from "../binding.ts";
import { concatenated } from "../system/bytes.ts";

/** What the server says of a pane, to be compared with its line in the save. */
export interface TruePane extends PaneAddress {
  cwd: string;
  title: string;
  window_name: string;
}

/** Fields of a `pane` line: pane, session, window, active, flags, index, title, :folder, active, command, :full. */
const TITLE = 6;
const FOLDER = 7;
const PANE_FIELDS = 11;
const WINDOW_NAME = 3;

/** The save text with its losses repaired, or null when there is nothing to repair. Other bytes stay. */
export function repairSave(text: string, panes: TruePane[]): string | null {
  const repaired = text.split("\n").map((line) => repairLine(line, panes)).join("\n");
  return repaired === text ? null : repaired;
}

const NEWLINE = 10;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Repairs the bytes of a save line by line; null when there is nothing to repair. A line that is no UTF-8 (a folder may
 * have any bytes in its name) is left as it is, byte for byte.
 */
export function repairBytes(bytes: Uint8Array, repair: (line: string) => string | null): Uint8Array | null {
  const parts: Uint8Array[] = [];
  let isRepaired = false;
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    const line = bytes.subarray(start, end);
    const repaired = repairText(line, repair);
    isRepaired ||= repaired !== null;
    parts.push(repaired ?? line);
    start = end;
  }
  return isRepaired ? concatenated(parts) : null;
}

function repairText(line: Uint8Array, repair: (line: string) => string | null): Uint8Array | null {
  try {
    const repaired = repair(decoder.decode(line));
    return repaired === null ? null : new TextEncoder().encode(repaired);
  } catch {
    return null;
  }
}

function repairLine(line: string, panes: TruePane[]): string {
  const fields = line.split("\t");
  if (fields[0] === "window") return repairWindow(fields, panes);
  if (fields[0] !== "pane" || fields.length < PANE_FIELDS - 1) return line;
  const titled = withTitle(fields);
  const address = { tmux_session: titled[1], window_index: Number(titled[2]), pane_index: Number(titled[5]) };
  const pane = panes.find((one) => sameAddress(one, address));
  if (!pane) return titled.join("\t");
  titled[TITLE] = unexpanded(titled[TITLE], pane.title);
  titled[FOLDER] = folderOf(titled[FOLDER], pane.cwd);
  return titled.join("\t");
}

function repairWindow(fields: string[], panes: TruePane[]): string {
  const [, session, index, name] = fields;
  const pane = panes.find((one) => one.tmux_session === session && one.window_index === Number(index));
  return pane && name
    ? withField(fields, WINDOW_NAME, unexpanded(name, `:${pane.window_name}`))
    : fields.join("\t");
}

function withField(fields: string[], index: number, value: string): string {
  return fields.map((field, at) => at === index ? value : field).join("\t");
}

/** A pane without title lost the field when it was saved: everything after it moved one place to the left. */
function withTitle(fields: string[]): string[] {
  if (fields[TITLE] === "") return [...fields.slice(0, TITLE), " ", ...fields.slice(TITLE + 1)];
  const moved = fields[TITLE].startsWith(":/") && /^[01]$/.test(fields[FOLDER]);
  if (!moved) return fields;
  const [folder, active, command] = fields.slice(TITLE);
  // Its full command was asked of a wrong process id, so none is better than that one.
  return [...fields.slice(0, TITLE), " ", folder, active, command, ":"];
}

/** The folder as the server knows it, when the line's one would come back as another. */
function folderOf(saved: string, cwd: string): string {
  if (!/ {2}|[\\#]|^ | $|;$/.test(cwd) || /[\t\n]/.test(cwd)) return saved;
  const forTmux = cwd.replaceAll("#", "##").replace(/;$/, "\\;");
  return `:${forTmux.replaceAll("\\", "\\\\\\\\")}`;
}

/**
 * A name or title that tmux would expand at the restore (#{…}) or run (#(…)): its # doubled shows it as it is. Only
 * while it is the one the server has: a second repair finds it doubled already.
 */
function unexpanded(saved: string, now: string): string {
  return saved === now && /#[({]/.test(saved) ? saved.replaceAll("#", "##") : saved;
}

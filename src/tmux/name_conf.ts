// The lines of our own tmux.conf that concern names, and how a running server forgets them. They hold only commands of
// tmux 3.2, and loading them again changes nothing.
import { singleQuoted } from "../install/hook_command.ts";
import { noFormat } from "../install/tmux_words.ts";
import { type Command, runTmux, type Tmux } from "./client.ts";
import { confWord } from "./format.ts";
import { OPTION } from "./options.ts";

/** A fixed index: set again by every reload, and after whatever the user has there. */
const HOOK = "after-rename-window[8417]";

/** Options that hold patterns, so that any character may stand in them. */
const LEAD = "@tmuxclaude_lead";
const CLAUDE = "@tmuxclaude_command";
const DIALOG = "@tmuxclaude_dialog";
/** The format for automatic names that the user had. */
const THEIRS = "@tmuxclaude_format";
/** For the user's status line, as `#{E:@tmuxclaude_status}`. */
const STATUS = "@tmuxclaude_status";
const RUNNING = "@tmuxclaude_running";
const WAITING = "@tmuxclaude_waiting";
const REVIVABLE = "@tmuxclaude_revivable";

const PATTERNS: [option: string, pattern: string][] = [
  // Claude's glyph: one character that is not ASCII, or the "*" and ">" of its screen reader mode, and blanks.
  [LEAD, "^([^ -~]|[*>]) +"],
  // What #{pane_current_command} may be while Claude has the pane: also its runtime, and a bare version number.
  [CLAUDE, "^(claude|node|bun|deno|[0-9]+[.][0-9]+[.][0-9]+.*)$"],
  // A choice that Claude offers. Prompts that were sent begin in the first column.
  [DIALOG, "^ +❯ [0-9]+[.] "],
];

const STAMPED = `#{${OPTION.session}}`;
const BY_NAME = `#{m/r:#{${CLAUDE}},#{pane_current_command}}`;
const BY_HOOK = `#{&&:#{${OPTION.foreground}},#{==:#{${OPTION.foreground}},#{pane_current_command}}}`;
/** The stamp says running, and what is in front is Claude by its name or by what it was when its hook ran. */
const RUNS = `#{&&:#{==:#{${OPTION.state}},running},#{||:${BY_NAME},${BY_HOOK}}}`;

/**
 * A window without a name of its own shows Claude's title, without its glyph, at most 24 columns (23 and the mark of a
 * cut), while Claude has its active pane; else the user's own format. "#" is taken out: prefix+, and Enter would have
 * tmux expand it.
 */
const TITLE = `#{s/#{${LEAD}}//;s/[#]//;=/23/…:pane_title}`;
const FORMAT = `#{?#{&&:#{pane_title},${RUNS}},${TITLE},#{E:${THEIRS}}}`;

/** How many panes of the server fulfil a condition: tmux counts when it draws, nothing polls. */
function countOf(condition: string): string {
  return `#{n:#{S:#{W:#{P:#{?${condition},x,}}}}}`;
}

const COUNTS: [option: string, sign: string, format: string][] = [
  [RUNNING, "▶", countOf(RUNS)],
  [WAITING, "?", countOf(`#{&&:${RUNS},#{C/r:#{${DIALOG}}}}`)],
  [REVIVABLE, "↻", countOf(`#{&&:${STAMPED},#{!=:${RUNS},1}}`)],
];

function shown(option: string, sign: string): string {
  return `#{?#{!=:#{E:${option}},0},${sign}#{E:${option}} ,}`;
}

/** The lines, for the program at `bin` (an absolute path, any characters). Pure. */
export function nameConf({ bin }: { bin: string }): string {
  return [
    "# Windows that are named on purpose give their Claude conversation the name.",
    `set-hook -g '${HOOK}' ${confWord(hookCommand(bin))}`,
    "",
    "# Windows without a name show Claude's title.",
    ...PATTERNS.map(([option, pattern]) => `set-option -g ${option} ${confWord(pattern)}`),
    `%if "#{!=:#{m:*${LEAD}*,#{automatic-rename-format}},1}"`,
    `set-option -gF ${THEIRS} "#{automatic-rename-format}"`,
    "%endif",
    `set-option -gw automatic-rename-format ${confWord(FORMAT)}`,
    "",
    "# For your status line, if you like: #{E:@tmuxclaude_status} shows how many panes have a running Claude,",
    "# wait for your answer, can be revived.",
    ...COUNTS.map(([option, , format]) => `set-option -g ${option} ${confWord(format)}`),
    `set-option -g ${STATUS} ${confWord(COUNTS.map(([option, sign]) => shown(option, sign)).join(""))}`,
    "",
  ].join("\n");
}

/**
 * Starts a process only for a window with a stamped pane, and never for a name that we give ourselves. Only ids are
 * passed on. The pause: a restore renames every window first and gives automatic names back one command later.
 */
function hookCommand(bin: string): string {
  const condition = `#{&&:#{P:${STAMPED}},#{!=:#{${OPTION.pushed}},#{window_name}}}`;
  const name = `${noFormat(singleQuoted(bin))} name --window #{window_id}`;
  // Output or an exit code would open view mode over the user's pane.
  const job = `exec >/dev/null 2>&1; sleep 1; ${name}; exit 0`;
  return `if-shell -F ${confWord(condition)} ${confWord(`run-shell -b ${confWord(job)}`)}`;
}

/** Commands that take all of it out of a running server; the user's format comes back. Throws TmuxError. */
export async function nameCleaning(tmux: Tmux): Promise<Command[]> {
  const read = (option: string, scope: string): Command => ["show-options", scope, option];
  const format = await runTmux(tmux, [read("automatic-rename-format", "-gwqv")]);
  const theirs = (await runTmux(tmux, [read(THEIRS, "-gqv")])).replace(/\n$/, "");
  const back: Command[] = format.includes(LEAD) ? [formatBack(theirs)] : [];
  const options = [
    ...PATTERNS.map(([option]) => option),
    ...COUNTS.map(([option]) => option),
    THEIRS,
    STATUS,
  ];
  return [["set-hook", "-gu", HOOK], ...back, ...options.map((option) => ["set-option", "-gu", option])];
}

function formatBack(theirs: string): Command {
  return theirs === ""
    ? ["set-option", "-gwu", "automatic-rename-format"]
    : ["set-option", "-gw", "automatic-rename-format", theirs];
}

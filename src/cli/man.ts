// The man page, made from the same table as the help texts. Pure.
import type { Command, RouteMap } from "@stricli/core";
import type { Context } from "./context.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import { routes } from "./routes.ts";
import { type Setting, TMUX_OPTIONS, VARIABLES } from "./settings.ts";

export interface ManFacts {
  version: string;
  /** As the page's foot shows it: YYYY-MM-DD. */
  date: string;
}

/** tmuxclaude.1, in the man macros that groff and mandoc know. */
export function manPage({ version, date }: ManFacts): string {
  const commands = routes.getAllEntries().filter(({ hidden }) => !hidden);
  return [
    `.TH TMUXCLAUDE 1 ${date} "tmuxclaude ${version}" "User Commands"`,
    section("NAME", "tmuxclaude \\- brings every tmux pane's Claude Code conversation back after a crash"),
    section("SYNOPSIS", ".B tmuxclaude", "\\fICOMMAND\\fR [\\fIFLAGS\\fR]"),
    section("DESCRIPTION", escape(DESCRIPTION)),
    section("KEYS", ...KEYS.map(([key, meaning]) => item(key, meaning))),
    section("COMMANDS", ...commands.flatMap(({ name, target }) => command(name.original, target))),
    section("TMUX OPTIONS", ...TMUX_OPTIONS.map(setting)),
    section("ENVIRONMENT", ...VARIABLES.map(setting)),
    section("FILES", ...FILES.map(([path, meaning]) => item(path, meaning))),
    section("EXIT STATUS", ...EXIT_CODES.map(([code, meaning]) => item(String(code), capital(meaning)))),
    section("SEE ALSO", ".BR tmux (1)"),
  ].join("\n") + "\n";
}

const DESCRIPTION =
  "Claude's hook notes which conversation a pane holds, tmux-resurrect's hook writes a table of all panes at each " +
  "save, and after a restore the conversations' identities are put back onto their panes. A key then types the " +
  "line that resumes the conversation; Enter is yours. Windows and their conversations share one name.";

const KEYS = [
  ["prefix + r", "Type the line that resumes this pane's conversation."],
  ["prefix + M-r", "A menu of the conversations this pane may have held."],
  ["prefix + ,", "tmux's own key to name a window: its conversation gets the name."],
];

const FILES = [
  ["~/.claude/settings.json", "Holds three hooks of ours after install."],
  [
    "~/.local/share/tmuxclaude/tmux.conf",
    "Keys, hooks and formats; loaded by one line in the user's tmux.conf.",
  ],
  ["~/.local/state/tmuxclaude", "The records: journal, manifests, snapshots."],
];

type Target = Command<Context> | RouteMap<Context>;

function command(name: string, target: Target): string[] {
  const parts = (target.fullDescription ?? target.brief).split("\n\n").map(part);
  return [`.SS ${name}`, ...parts, ...flagsOf(target).map(flag), ...children(target)];
}

/** What help.ts put together: a titled list, or prose. */
function part(text: string): string {
  const [title, ...lines] = text.split("\n");
  if (!["EXAMPLES", "SETTINGS"].includes(title)) return `.PP\n${escape(text)}`;
  if (title === "SETTINGS") return `.PP\nReads ${lines.map(firstWord).join(", ")}.`;
  return [".PP", ".nf", ...lines.map(escape), ".fi"].join("\n");
}

function firstWord(line: string): string {
  return `\\fB${escape(line.trim().split(" ")[0])}\\fR`;
}

interface Flag {
  brief: string;
  placeholder?: string;
  values?: readonly string[];
}

function flagsOf(target: Target): [string, Flag][] {
  return "parameters" in target
    ? Object.entries((target.parameters.flags ?? {}) as Record<string, Flag>)
    : [];
}

function flag([name, { brief, placeholder, values }]: [string, Flag]): string {
  const value = placeholder ?? values?.join("|");
  const dashed = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `.TP\n\\fB\\-\\-${escape(dashed)}\\fR${value ? ` \\fI${escape(value)}\\fR` : ""}\n${escape(brief)}.`;
}

function children(target: Target): string[] {
  if (!("getAllEntries" in target)) return [];
  return target.getAllEntries().map(({ name, target: { brief } }) => item(name.original, `${brief}.`));
}

function setting({ name, meaning }: Setting): string {
  return item(name, `${meaning}.`);
}

function item(term: string, text: string): string {
  return `.TP\n.B ${escape(term)}\n${escape(text)}`;
}

function section(title: string, ...lines: string[]): string {
  return [`.SH ${/ /.test(title) ? `"${title}"` : title}`, ...lines].join("\n");
}

function capital(text: string): string {
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

const SPECIAL: Record<string, string> = {
  "\\": "\\e",
  "~": "\\(ti",
  "^": "\\(ha",
  "'": "\\(aq",
  "`": "\\(ga",
  "-": "\\-",
};

/** Text as roff: characters that can be copied as they are, no line that begins a request. */
function escape(text: string): string {
  return text.replaceAll(/[\\~^'`-]/g, (char) => SPECIAL[char]).replaceAll(/^\./gm, "\\&.");
}

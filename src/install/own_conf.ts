// Our own tmux.conf: what the one line in the user's file loads. Loading it again changes nothing; it holds only
// commands of tmux 3.2. Pure.
import type { KeyReceipt } from "./receipt.ts";
import { singleQuoted } from "./hook_command.ts";
import { confWord } from "../tmux/format.ts";
import { OPTION } from "../tmux/options.ts";
import { noFormat } from "./tmux_words.ts";

/** What tmux-resurrect runs after a save and after a restore, with the command of ours that is added to it. */
export const CHAINED = [
  { option: "@resurrect-hook-post-save-all", command: "manifest" },
  { option: "@resurrect-hook-post-restore-all", command: "restore --background" },
] as const;

/** Global options in which the running server keeps what a hook option was, and what we made of it. */
export function chainMemory(option: string): { original: string; ours: string } {
  const name = option.replace("@resurrect-hook-", "").replaceAll("-", "_");
  return { original: `@tmuxclaude_orig_${name}`, ours: `@tmuxclaude_set_${name}` };
}

export interface OwnConfFacts {
  program: string;
  keys: KeyReceipt;
  /** The lines of src/tmux/name_conf.ts. */
  names: string;
}

/** The whole file. */
export function ownConf({ program, keys, names }: OwnConfFacts): string {
  return [
    '# Written by "tmuxclaude install", which writes it again; "tmuxclaude uninstall" removes it.',
    "# Your tmux.conf loads it by the line between the tmuxclaude marks.",
    "",
    ...keyLines(program, keys),
    "",
    "# tmux-resurrect keeps one command for each event: yours stays, ours runs after it.",
    ...CHAINED.flatMap(({ option, command }) => chainLines(program, option, command)),
    "",
    names.trim(),
    "",
  ].join("\n");
}

function keyLines(program: string, keys: KeyReceipt): string[] {
  const revive = `${noFormat(singleQuoted(program))} revive --pane #{pane_id} --client #{q:client_name}`;
  const lines = ["# Only ids are passed on: what others can name never reaches a shell."];
  if (keys.moved_to && keys.moved) {
    const flags = keys.repeat ? "-r -T prefix" : "-T prefix";
    lines.push(`bind-key ${flags} ${keyWord(keys.moved_to)} ${keys.moved}`);
  }
  lines.push(`set-option -g ${OPTION.reviveKey} ${confWord(keys.key)}`); // messages name the key
  lines.push(bind(keys.key, "Bring back the Claude conversation of this pane", revive));
  if (keys.menu_key) {
    lines.push(bind(keys.menu_key, "Choose a Claude conversation for this pane", `${revive} --menu`));
  }
  return lines;
}

function bind(key: string, note: string, command: string): string {
  const job = `${command} >/dev/null 2>&1 || true`;
  return `bind-key -N "${note}" -T prefix ${keyWord(key)} run-shell -b ${confWord(job)}`;
}

/** Keys such as \; come from tmux in its own quoting already. */
function keyWord(key: string): string {
  return /^[A-Za-z0-9-]+$/.test(key) ? key : confWord(key.replace(/^\\(.)$/, "$1"));
}

/**
 * Remembers what the user has, unless it is what we made of it, then sets theirs, a newline and ours (after a
 * newline, a "&" or a comment at the end of theirs does no harm). A body of %if must not be empty.
 */
function chainLines(program: string, option: string, command: string): string[] {
  const { original, ours } = chainMemory(option);
  const job = noFormat(`${singleQuoted(program)} ${command} >/dev/null 2>&1 || true`);
  const theirs = `#{?#{${original}},#{${original}}\n,}`;
  return [
    `%if "#{!=:#{${option}},#{${ours}}}"`,
    `set-option -gF ${original} "#{${option}}"`,
    "%endif",
    `set-option -gF ${ours} ${confWord(theirs + job)}`,
    `set-option -gF ${option} "#{${ours}}"`,
  ];
}

// What can be set beside flags: options of tmux and variables of the environment. The one table for help, the man page
// and the check of the README. Pure.

export interface Setting {
  name: string;
  meaning: string;
}

/** Options for tmux.conf (`set -g NAME VALUE`). */
export const TMUX_OPTIONS = [
  {
    name: "@tmuxclaude-restore",
    meaning: "Policy after tmux came back: lazy (default; the key revives), type or run",
  },
  { name: "@tmuxclaude-revive-enter", meaning: "on: press Enter too, when the conversation is certain" },
  { name: "@tmuxclaude-team", meaning: "Team of a tmux session, for list --team" },
  {
    name: "@tmuxclaude_status",
    meaning: "For your status line, as #{E:@tmuxclaude_status}: how many run, wait, can be revived",
  },
] as const satisfies Setting[];

export const VARIABLES = [
  {
    name: "TMUXCLAUDE_STATE_DIR",
    meaning: "Folder of the records (default: tmuxclaude in $XDG_STATE_HOME, else in ~/.local/state)",
  },
  { name: "TMUXCLAUDE_TEAM", meaning: "Team of the conversations started with it" },
  { name: "TMUXCLAUDE_TEAMS_FILE", meaning: "JSON file with rules for teams" },
  { name: "TMUXCLAUDE_EPISODES", meaning: "Folder of episodes, each named YYYY-MM-DD-episode-N-SLUG" },
  { name: "TMUXCLAUDE_EPISODE", meaning: "Episode of the conversations started with it" },
  { name: "TMUXCLAUDE_DENO", meaning: "The Deno to run on, for the one-file build" },
  {
    name: "TMUXCLAUDE_CACHE_DIR",
    meaning: "Where that Deno keeps compiled code (default: tmuxclaude in ~/.cache)",
  },
  { name: "TMUXCLAUDE_DEBUG", meaning: "1: errors come with their stack" },
  { name: "CLAUDE_CONFIG_DIR", meaning: "Claude's folder (default: ~/.claude); --config-dir goes before it" },
  { name: "TMUX", meaning: "The tmux server, set by tmux; --socket goes before it" },
  { name: "TMUX_PANE", meaning: "The pane, set by tmux; --pane goes before it" },
  { name: "NO_COLOR", meaning: "Anything: no colours" },
] as const satisfies Setting[];

export type SettingName = (typeof TMUX_OPTIONS)[number]["name"] | (typeof VARIABLES)[number]["name"];

/** The settings of these names, in the order of the tables. */
export function settingsNamed(names: readonly SettingName[]): Setting[] {
  return [...TMUX_OPTIONS, ...VARIABLES].filter(({ name }) => names.includes(name));
}

// The command lines that go into Claude's settings.json, and how they are known again later. Pure.

/** The events we listen to: every version of Claude since 2.0 knows them (an unknown one drops the whole file). */
export const HOOK_EVENTS = ["SessionStart", "UserPromptSubmit", "SessionEnd"] as const;
export type HookEventName = (typeof HOOK_EVENTS)[number];

/** Seconds Claude waits for the hook. Without it 600 s would hold; 64 starts at once on 2 cores took 6.7 s. */
export const HOOK_TIMEOUT = 10;

/** One word for sh that is always in single quotes, so that its form can be known again. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Outside tmux, and when the program is gone, no process is started and Claude sees nothing. */
const INSIDE_TMUX = `[ -n "$TMUX" ]`;

/** A prompt costs nothing unless a name waits for it. The folder is found by the rules of the state module. */
const NAME_WAITS = `{ d=$TMUXCLAUDE_STATE_DIR; [ -n "$d" ] || case $XDG_STATE_HOME in ` +
  `/*) d=$XDG_STATE_HOME/tmuxclaude;; *) d=$HOME/.local/state/tmuxclaude;; esac; [ -d "$d/pending" ]; }`;

/** The command of one event, for `sh -c`, with the absolute path of the program. */
export function hookCommand(event: HookEventName, program: string): string {
  const word = singleQuoted(program);
  const conditions = event === "UserPromptSubmit" ? [INSIDE_TMUX, NAME_WAITS] : [INSIDE_TMUX];
  return [...conditions, `test -x ${word}`, `exec ${word} hook`].join(" && ") + "; exit 0";
}

/** What earlier versions and handwritten set-ups registered: brought up to date by install, removed by uninstall. */
const OLDER_SHAPES: ((word: string) => string)[] = [
  (word) => `${word} hook`,
  (word) => `${word} hook || true`,
  (word) => `${word} hook; exit 0`,
  (word) => `exec ${word} hook`,
  (word) => `test -x ${word} && ${word} hook; exit 0`,
  (word) => `test -x ${word} && exec ${word} hook; exit 0`,
  (word) => `[ -x ${word} ] && exec ${word} hook; exit 0`,
  (word) => `[ -x ${word} ] && ${word} hook || true`,
];

const LAST_WORD = /(?:^|\s)('(?:[^']|'\\'')*'|"[^"]*"|[^\s'"]+) hook(?:; exit 0| \|\| true)?$/;

/**
 * The program a command of ours runs, or null for a command that is not ours. The whole command has to have one of
 * our forms: a hook of the user's that also calls us, or whose path merely holds our name, is not ours.
 */
export function programOf(command: string): string | null {
  const word = LAST_WORD.exec(command)?.[1];
  if (word === undefined) return null;
  const program = unquoted(word);
  if (!/(^|\/)tmuxclaude$/.test(program)) return null;
  const known = [
    ...HOOK_EVENTS.map((event) => hookCommand(event, program)),
    ...OLDER_SHAPES.map((shape) => shape(word)),
  ];
  return known.includes(command) ? program : null;
}

/** Whether the whole command is one of ours. */
export function isOurs(command: unknown): boolean {
  return typeof command === "string" && programOf(command) !== null;
}

/** The text of one word in single, double or no quotes. */
export function unquoted(word: string): string {
  if (word.startsWith("'")) return word.slice(1, -1).replaceAll(`'\\''`, "'");
  return word.startsWith('"') ? word.slice(1, -1) : word;
}

// Text on its way into tmux: what must be escaped where. Pure.

/** One argument of a tmux command. A trailing ";" would end the command (seen on 3.0a to 3.8), so it is escaped. */
export function argument(text: string): string {
  return text.endsWith(";") ? `${text.slice(0, -1)}\\;` : text;
}

/** A word of a command that tmux itself parses (a file, a key binding, a menu's item): exactly this text. */
export function confWord(text: string): string {
  return `"${text.replaceAll(/[\\"$]|^~/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

/** Text for an argument that tmux expands as a format (rename-window, display-message): shown as it is. */
export function literal(text: string): string {
  return text.replaceAll("#", "##");
}

/** Text on one line, without control characters and marks that turn the direction of what follows. */
export function oneLine(text: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ");
}

/** Text for display-message: a format and a strftime pattern, on one line without control characters. */
export function message(text: string): string {
  return literal(oneLine(text)).replaceAll("%", "%%");
}

/** `3.3a` as a number that compares: 3.3 and the letter as thousandths. 0 when it cannot be read (e.g. "master"). */
export function versionNumber(version: string): number {
  const found = /(\d+)\.(\d+)([a-z]?)/.exec(version);
  if (!found) return 0;
  const letter = found[3] ? found[3].charCodeAt(0) - 96 : 0;
  return Number(found[1]) * 100_000 + Number(found[2]) * 100 + letter;
}

/** Whether a tmux version is at least the given one. An unreadable version (a development head) counts as newest. */
export function isAtLeast(version: string, wanted: string): boolean {
  const has = versionNumber(version);
  return has === 0 || has >= versionNumber(wanted);
}

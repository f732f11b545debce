// Whether a piece of a transcript holds a message that somebody said. Pure.

const MESSAGE = /"type"\s*:\s*"(?:user|assistant)"/;
/** The commands that begin and end an empty conversation are written down as if the user had said them. */
const COMMAND = /"content"\s*:\s*"<(?:local-command-|command-name>\/(?:clear|exit|quit)<)/;

/** True when there is one. A conversation of nothing but /clear or /exit has none, though Claude would resume it. */
export function hasMessage(piece: string): boolean {
  return MESSAGE.test(piece) && piece.split("\n").some((line) => MESSAGE.test(line) && !COMMAND.test(line));
}

// Long things in short lines. Pure.
import { withTilde } from "../path.ts";

/** Columns of a message behind the product's name, so that it fits a status line of 80. */
export const MESSAGE_COLUMNS = 68;

/** A folder for a person: HOME as `~`, and of a long one the end, which tells it from its neighbours. */
export function shortPath(path: string, home: string, limit: number): string {
  return shortEnd(withTilde(path, home), limit);
}

/** The end of a text that is too long. */
export function shortEnd(text: string, limit: number): string {
  const chars = [...text];
  return chars.length > limit ? `…${chars.slice(1 - limit).join("")}` : text;
}

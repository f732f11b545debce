// Data to stdout, everything else to stderr. Texts of others are in both, and a terminal obeys what is in them.
import type { System } from "../system/system.ts";
import { printable, UNPRINTABLE } from "./width.ts";

/** Prints one object with the schema number first, as one indented JSON document. */
export function printJson(system: System, value: Record<string, unknown>): void {
  system.stdout(jsonText({ schema: 1, ...value }));
}

/** A value as a JSON document, indented unless told otherwise; what a terminal would obey is escaped as JSON does it. */
export function jsonText(value: unknown, indent = 2): string {
  const text = JSON.stringify(value, null, indent);
  return `${text.replaceAll(UNPRINTABLE, (char) => char === "\n" ? char : escaped(char))}\n`;
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** One line for a person who ran the command. */
export function say(system: System, text: string): void {
  system.stderr(`tmuxclaude: ${printableLines(text)}\n`);
}

/** The text without what a terminal would obey; its lines stay. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

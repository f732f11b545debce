// Keeps the built file ASCII. Pure.

/**
 * A script in which every character that is not ASCII is escaped. The bundler leaves them in regular expressions, and
 * a single one makes V8 hold the whole program in two bytes a character, at every start.
 */
export function escapeNonAscii(script: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return script.replaceAll(/[\u0080-\uffff]/g, escaped);
}

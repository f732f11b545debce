// The one way to ask before something is changed.
import type { System } from "../system/system.ts";

/** Asks on the terminal; Enter means yes, the end of the input (Ctrl-D) no. */
export function confirm(system: System, question: string): boolean {
  const answer = system.ask(`${question} [Y/n]`);
  return answer !== null && /^(y|yes)?$/i.test(answer.trim());
}

// Journal lines about what is done already: losing one is told, and stops nothing.
import { say } from "../cli/output.ts";
import { reasonOf } from "../errors.ts";
import { recordFailure } from "../state/failures.ts";
import { appendJournalLines, type NewJournalLine } from "../state/journal.ts";
import type { System } from "../system/system.ts";

/** Appends the lines. Never throws: what goes wrong is said, and left for doctor. */
export async function note(system: System, lines: NewJournalLine[]): Promise<void> {
  try {
    await appendJournalLines(system, lines);
  } catch (error) {
    const reason = reasonOf(error);
    recordFailure(system, { where: lines[0].event, reason });
    say(system, reason);
  }
}

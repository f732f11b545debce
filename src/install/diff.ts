// Diffs for people, loaded when one is shown.
import type { Outcome } from "./edit.ts";

/** A unified diff of a change, "" when nothing changes. */
export async function unifiedDiff(
  path: string,
  before: string | null,
  after: string | null,
): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  const from = before === null ? "/dev/null" : path;
  const to = after === null ? "/dev/null" : path;
  const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, {
    context: 3,
  });
  return patch.replace(/^Index: .*\n=+\n/, "");
}

export async function outcomeDiff(outcome: Outcome): Promise<string> {
  if (outcome.outcome !== "changed") return "";
  return await unifiedDiff(outcome.path, outcome.change.before, outcome.change.after);
}

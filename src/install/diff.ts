// Diffs for people, loaded when one is shown.
import type { Outcome } from "./edit.ts";

/** The unified diff of what was changed, "" when nothing was. */
export async function outcomeDiff(outcome: Outcome): Promise<string> {
  if (outcome.outcome !== "changed") return "";
  const { path, change: { before, after } } = outcome;
  const { createTwoFilesPatch } = await import("diff");
  const from = before === null ? "/dev/null" : path;
  const to = after === null ? "/dev/null" : path;
  const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, {
    context: 3,
  });
  return patch.replace(/^Index: .*\n=+\n/, "");
}

// What may stand next on a command line, for the completions of shells (see src/commands/completions.ts).
import { type Application, proposeCompletions } from "@stricli/core";
import type { Context } from "./context.ts";

/** What only programs need: it works, but nobody has to be offered it. */
const FOR_PROGRAMS = new Set(["hook", "complete", "--"]);

/**
 * Prints one proposal a line, with a tab and its brief behind it. `words` are those after the program's name; the
 * last one is being typed. Never fails: a shell would show the error amid the line.
 */
export async function complete(app: Application<Context>, words: string[], context: Context): Promise<void> {
  const typed = words[0] === "--" ? words.slice(1) : words;
  const partial = typed.at(-1) ?? "";
  const found = await proposeCompletions(app, typed.length === 0 ? [""] : typed, context).catch(() => []);
  const shown = found.filter(({ completion }) =>
    completion.startsWith(partial) && !FOR_PROGRAMS.has(completion)
  );
  for (const { completion, brief } of shown) context.system.stdout(`${completion}\t${firstLine(brief)}\n`);
}

function firstLine(text: string): string {
  return text.split("\n")[0];
}

// What may stand next on a command line, for the completions of shells (see src/commands/completions.ts).
import { type Application, proposeCompletions } from "@stricli/core";
import type { Context } from "./context.ts";

/** What only programs need: it works, but nobody has to be offered it. */
const FOR_PROGRAMS = new Set(["hook", "complete", "--"]);

const HELP = { completion: "help", brief: "Examples, flags and settings of a command" };

/**
 * Prints one proposal a line, with a tab and its brief behind it. `words` are those after the program's name; the
 * last one is being typed. Never fails: a shell would show the error amid the line.
 */
export async function complete(app: Application<Context>, words: string[], context: Context): Promise<void> {
  const typed = words[0] === "--" ? words.slice(1) : words;
  const partial = typed.at(-1) ?? "";
  const found = await proposals(app, typed.length === 0 ? [""] : typed, context).catch(() => []);
  const shown = found.filter(({ completion }) =>
    completion.startsWith(partial) && !FOR_PROGRAMS.has(completion)
  );
  for (const { completion, brief } of shown) context.system.stdout(`${completion}\t${firstLine(brief)}\n`);
}

/** `help` is a word of ours that the library does not know: commands stand behind it, and nothing behind those. */
async function proposals(app: Application<Context>, typed: string[], context: Context) {
  if (typed[0] === "help" && typed.length > 1) {
    return typed.length > 2 ? [] : await proposeCompletions(app, typed.slice(1), context);
  }
  const found = await proposeCompletions(app, typed, context);
  return typed.length > 1 ? found : [...found, HELP];
}

function firstLine(text: string): string {
  return text.split("\n")[0];
}

// What the command-line library says when it does not understand a command line: in our form, with the next step.
import { type ApplicationText, text_en } from "@stricli/core";
import { reasonOf } from "../errors.ts";

/** The texts for a command line that begins with `command`. */
export function wording(command: string): ApplicationText {
  return {
    ...text_en,
    briefs: {
      ...text_en.briefs,
      help: "Print this and exit",
      argumentEscapeSequence: "What follows is no flag",
    },
    noCommandRegisteredForInput: ({ input, corrections }) =>
      complaint(`there is no command "${input}"${suggestion(corrections)}`, "tmuxclaude help"),
    exceptionWhileParsingArguments: (error) =>
      complaint(uncapital(reasonOf(error)), `tmuxclaude help ${command}`),
  };
}

function complaint(what: string, help: string): string {
  return `tmuxclaude: ${what}${/[?.]$/.test(what) ? "" : "."}\n  See how it goes with: ${help}`;
}

function suggestion(corrections: readonly string[]): string {
  return corrections.length === 0 ? "" : `, did you mean ${corrections.join(" or ")}?`;
}

function uncapital(text: string): string {
  return text[0].toLowerCase() + text.slice(1);
}

// How a command of ours meets the command-line library: one wrapper that turns results and errors into exit codes.
import { buildCommand, type Command, type CommandContext, type FlagParametersForType } from "@stricli/core";
import { ExitCode, reasonOf, UserError } from "../errors.ts";
import type { System } from "../system/system.ts";
import { printableLines } from "./output.ts";
import { describe, type Help } from "./help.ts";

/** What every command gets from the library. */
export interface Context extends CommandContext {
  process: CommandContext["process"] & { exitCode?: number | string | null };
  system: System;
}

/** A command file: `run` does the work and returns the exit code. */
export interface CommandFile<Flags> {
  run(system: System, flags: Flags): Promise<number>;
}

export interface Definition<Flags> extends Help {
  brief: string;
  flags: FlagParametersForType<Flags, Context>;
  load: () => Promise<CommandFile<Flags>>;
}

/** A command of the table; its file is loaded when it is called. */
export function define<Flags extends Readonly<Partial<Record<keyof Flags, unknown>>>>(
  definition: Definition<Flags>,
): Command<Context> {
  return buildCommand<Flags, [], Context>(
    {
      loader: async () => {
        const file = await definition.load();
        return async function (this: Context, flags: Flags) {
          this.process.exitCode = await runSafely(this.system, () => file.run(this.system, flags));
        };
      },
      parameters: { flags: definition.flags },
      docs: { brief: definition.brief, fullDescription: describe(definition) },
    } as Parameters<typeof buildCommand<Flags, [], Context>>[0],
  );
}

/** Runs a command's work; a UserError becomes its text and its code, anything else a short text and code 1. */
export async function runSafely(system: System, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    system.stderr(`${errorText(error, system.env("TMUXCLAUDE_DEBUG") === "1")}\n`);
    return error instanceof UserError ? error.code : ExitCode.failed;
  }
}

function errorText(error: unknown, debug: boolean): string {
  const stack = debug && error instanceof Error ? `\n${error.stack}` : "";
  if (error instanceof UserError) {
    const [what, why, next] = [error.what, error.why, error.next].map(printableLines);
    return `tmuxclaude: ${what}: ${why}.\n  ${next}${stack}`;
  }
  const hint = debug ? "" : "\n  Run it again with TMUXCLAUDE_DEBUG=1 for details, or run: tmuxclaude doctor";
  return `tmuxclaude: unexpected error: ${printableLines(reasonOf(error))}${hint}${stack}`;
}

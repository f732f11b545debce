// From arguments to an exit code.
import { buildApplication, run } from "@stricli/core";
import { ExitCode } from "../errors.ts";
import type { System } from "../system/system.ts";
import { complete } from "./complete.ts";
import type { Context } from "./context.ts";
import { intro } from "./intro.ts";
import { routes } from "./routes.ts";
import { hasColor } from "./terminal.ts";
import { printVersion } from "./version.ts";
import { wording } from "./wording.ts";

/** Runs one command line and resolves to the exit code of the process. */
export async function runCli(system: System, args: string[]): Promise<number> {
  if (args.length === 0) return intro(system);
  if (["--version", "-V"].includes(args[0])) {
    await printVersion(system, { json: args.includes("--json") });
    return ExitCode.done;
  }
  const context = contextOf(system);
  if (args[0] === "complete") {
    await complete(application(system, ""), args.slice(1), context);
    return ExitCode.done;
  }
  const words = helpFirst(args);
  await run(application(system, words[0]), words, context);
  return exitCode(context.process.exitCode);
}

/** `help`, `help revive` and `-h` mean --help. */
function helpFirst(args: string[]): string[] {
  if (args[0] === "help") return [...args.slice(1), "--help"];
  return args.map((word) => word === "-h" ? "--help" : word);
}

function application(system: System, command: string) {
  return buildApplication<Context>(routes, {
    name: "tmuxclaude",
    scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
    documentation: { caseStyle: "convert-camel-to-kebab", disableAnsiColor: !hasColor(system) },
    localization: { text: wording(command) },
  });
}

function contextOf(system: System): Context {
  return {
    system,
    process: {
      stdout: { write: (text: string) => system.stdout(text) },
      stderr: { write: (text: string) => system.stderr(text) },
      exitCode: null, // the library sets its own only where none is set
    },
  };
}

/** The library's own failures are negative: an unknown command or flag, a value that cannot be read. */
function exitCode(code: number | string | null | undefined): number {
  const number = Number(code ?? ExitCode.done);
  return number < 0 ? ExitCode.usage : number;
}

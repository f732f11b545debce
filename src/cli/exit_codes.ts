// What the exit codes mean, for help, the man page and the check of the README. Pure.
import { ExitCode } from "../errors.ts";

export const EXIT_CODES: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [ExitCode.done, "done, or nothing to do"],
  [ExitCode.failed, "failed, or refused"],
  [ExitCode.usage, "wrong usage"],
  [ExitCode.nothing, "nothing found"],
  [ExitCode.noServer, "no tmux server, or not in a pane of one"],
  [ExitCode.byHand, "needs a step by hand (a file that may not be written)"],
  [ExitCode.interrupted, "interrupted"],
];

/** Exit codes, the same in every command (documented in the README, never renumbered). */
export const ExitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  nothing: 3,
  noServer: 4,
  byHand: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/**
 * An error written for the person who must act next: what could not be done (values in quotes), why, and the
 * next step as something to paste.
 */
export class UserError extends Error {
  override name = "UserError";
  constructor(
    readonly what: string,
    readonly why: string,
    readonly next: string,
    readonly code: ExitCode = ExitCode.failed,
    options?: ErrorOptions,
  ) {
    super(`${what}: ${why}. ${next}`, options);
  }
}

/** The text of anything thrown, in one line. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s+/g, " ").trim();
}

// Waiting without sleeping: look again until the condition holds or the deadline passes.

const PAUSE_MS = 25;

type Truthy<T> = Exclude<T, null | undefined | false | 0 | "">;

/**
 * Waits until `condition` gives something truthy, and gives that back. The error names what was waited for and
 * shows the last value seen (or the last error), so that a failed test explains itself.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  deadlineMs = 10_000,
): Promise<Truthy<T>> {
  const end = performance.now() + deadlineMs;
  let last: unknown;
  do {
    try {
      const value = await condition();
      if (value) return value as Truthy<T>;
      last = value;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  } while (performance.now() < end);
  throw new Error(`Waited ${deadlineMs} ms for ${what}. Last seen: ${show(last)}`);
}

/** Waits until `look` shows a text that `wanted` accepts; a failure shows the text. */
export async function untilText(
  what: string,
  look: () => Promise<string>,
  wanted: string | RegExp,
  deadlineMs = 10_000,
): Promise<string> {
  let seen = "";
  const matches = () => typeof wanted === "string" ? seen.includes(wanted) : wanted.test(seen);
  try {
    await until(what, async () => {
      seen = await look();
      return matches();
    }, deadlineMs);
  } catch (error) {
    throw new Error(`${(error as Error).message}. The text there:\n${seen}`);
  }
  return seen;
}

function show(value: unknown): string {
  if (value instanceof Error) return value.message;
  return typeof value === "string" ? value : Deno.inspect(value, { depth: 6 });
}

// Waiting. The first setTimeout of a program loads Deno's Node timers: 4 to 5 ms of CPU, a tenth of the hook.

/** Resolves after so many milliseconds. Pending, it keeps the program running, as setTimeout does. */
export function after(ms: number): Promise<void> {
  return new Promise((resolve) =>
    AbortSignal.timeout(Math.max(0, ms)).addEventListener("abort", () => resolve())
  );
}

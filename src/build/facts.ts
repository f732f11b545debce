// What a build knows of the checkout it is made from.
import { checkout, run } from "./files.ts";

/** The version in deno.json. */
export async function projectVersion(): Promise<string> {
  return JSON.parse(await Deno.readTextFile(`${checkout()}/deno.json`)).version;
}

/** Short commit id, with "+" when the checkout has changes; "unknown" without git. */
export async function projectCommit(): Promise<string> {
  const head = await git("rev-parse", "--short=10", "HEAD");
  const changes = await git("status", "--porcelain");
  return head === null ? "unknown" : head + (changes === "" ? "" : "+");
}

/** The day of the newest commit, YYYY-MM-DD; today without git. */
export async function projectDate(): Promise<string> {
  return await git("log", "-1", "--format=%cs") ?? new Date().toISOString().slice(0, 10);
}

async function git(...args: string[]): Promise<string | null> {
  const ran = await run("git", ["-C", checkout(), ...args]).catch(() => null);
  return ran?.code === 0 ? ran.stdout.trim() : null;
}

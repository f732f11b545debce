// `deno compile`, and whether its runtime stub (`denort`) can be had without asking the network.
import { run } from "./files.ts";

/** Where the runtime stub would come from, in words, or null when compiling has no chance. */
export async function findRuntime(): Promise<string | null> {
  const own = Deno.env.get("DENORT_BIN");
  if (own && await isRuntime(own)) return `DENORT_BIN (${own})`;
  if (own) return null;
  const zip = await cachedRuntime();
  if (zip) return zip;
  return Deno.env.get("TMUXCLAUDE_COMPILE") === "1" ? "a download (TMUXCLAUDE_COMPILE=1)" : null;
}

/** Plain `deno` is accepted by `deno compile` as its stub, but never looks for the program inside it. */
async function isRuntime(path: string): Promise<boolean> {
  try {
    return !(await run(path, ["--version"])).stdout.startsWith("deno ");
  } catch {
    return false;
  }
}

async function cachedRuntime(): Promise<string | null> {
  const info = await run(Deno.execPath(), ["info", "--json"], { env: { NO_COLOR: "1" } });
  const folder = `${JSON.parse(info.stdout).denoDir}/dl/release/v${Deno.version.deno}`;
  const zip = `${folder}/denort-${Deno.build.target}.zip`;
  return await Deno.stat(zip).then(() => zip, () => null);
}

/** Compiles main.ts of a folder. Returns what `deno compile` said; throws when it failed. */
export async function compile(
  folder: string,
  output: string,
  env: Record<string, string> = {},
): Promise<string> {
  const args = ["compile", "-A", "--no-prompt", "--output", output, "main.ts"];
  const ran = await run(Deno.execPath(), args, { cwd: folder, env: { NO_COLOR: "1", ...env } });
  const said = ran.stdout + ran.stderr;
  if (ran.code !== 0) {
    throw new Error(`Cannot compile main.ts: ${said.slice(said.search(/error|ERROR/)).trim()}`);
  }
  return said;
}

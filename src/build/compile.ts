// `deno compile`, and whether its runtime stub (`denort`) can be had without asking the network.
import { run } from "./files.ts";

/** Where the runtime stub of a target would come from, in words, or null when compiling has no chance. */
export async function findRuntime(target: string): Promise<string | null> {
  const own = Deno.env.get("DENORT_BIN");
  if (own && target === Deno.build.target) return await isRuntime(own) ? `DENORT_BIN (${own})` : null;
  const zip = own ? null : await cachedRuntime(target); // DENORT_BIN would be taken for every target
  if (zip) return zip;
  return !own && Deno.env.get("TMUXCLAUDE_COMPILE") === "1" ? "a download (TMUXCLAUDE_COMPILE=1)" : null;
}

/** Plain `deno` is accepted by `deno compile` as its stub, but never looks for the program inside it. */
async function isRuntime(path: string): Promise<boolean> {
  try {
    return !(await run(path, ["--version"])).stdout.startsWith("deno ");
  } catch {
    return false;
  }
}

async function cachedRuntime(target: string): Promise<string | null> {
  const info = await run(Deno.execPath(), ["info", "--json"], { env: { NO_COLOR: "1" } });
  const folder = `${JSON.parse(info.stdout).denoDir}/dl/release/v${Deno.version.deno}`;
  const zip = `${folder}/denort-${target}.zip`;
  return await Deno.stat(zip).then(() => zip, () => null);
}

/** Compiles main.ts of a folder. Returns what `deno compile` said; throws when it failed. */
export async function compile(
  folder: string,
  output: string,
  options: { target?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const target = options.target && options.target !== Deno.build.target ? ["--target", options.target] : [];
  const args = ["compile", "-A", "--no-prompt", ...target, "--output", output, "main.ts"];
  const ran = await run(Deno.execPath(), args, { cwd: folder, env: { NO_COLOR: "1", ...options.env } });
  const said = ran.stdout + ran.stderr;
  if (ran.code !== 0) {
    throw new Error(`Cannot compile main.ts: ${said.slice(said.search(/error|ERROR/)).trim()}`);
  }
  return said;
}

// `deno task build`: makes dist/tmuxclaude. A real `deno compile` where its runtime stub can be had, else one file
// that Deno runs. Either is tried out before it replaces what is there.
// deno-lint-ignore-file no-console
import type { BuildInfo } from "../build_info.ts";
import { compile, findRuntime } from "./compile.ts";
import { checkout, replace, run, stage } from "./files.ts";
import { header } from "./header.ts";
import { findNodeImports } from "./node_imports.ts";
import { findFault } from "./verify.ts";

type Kind = BuildInfo["kind"];

async function projectVersion(): Promise<string> {
  return JSON.parse(await Deno.readTextFile(`${checkout()}/deno.json`)).version;
}

async function commit(): Promise<string> {
  try {
    const head = await run("git", ["-C", checkout(), "rev-parse", "--short=10", "HEAD"]);
    const changes = await run("git", ["-C", checkout(), "status", "--porcelain"]);
    return head.code === 0 ? head.stdout.trim() + (changes.stdout === "" ? "" : "+") : "unknown";
  } catch {
    return "unknown";
  }
}

/** build_info.ts with the facts of this build in place of those of a checkout. */
async function buildInfoSource(info: BuildInfo): Promise<string> {
  const source = await Deno.readTextFile(`${checkout()}/src/build_info.ts`);
  const value = /(export const BUILD: BuildInfo = )\{[^}]*\};/;
  if (!value.test(source)) throw new Error("src/build_info.ts has no BUILD to replace");
  return source.replace(value, (_, start) => `${start}${JSON.stringify(info)};`);
}

/** Bundles into one file with its header. Throws when the bundle would load Deno's Node layer. */
async function bundle(folder: string, version: string, output: string): Promise<void> {
  const plain = `${folder}/bundle.js`;
  const ran = await run(Deno.execPath(), ["bundle", "--quiet", "--minify", "-o", plain, "main.ts"], {
    cwd: folder,
  });
  if (ran.code !== 0) throw new Error(`Cannot bundle main.ts: ${(ran.stdout + ran.stderr).trim()}`);
  const script = await Deno.readTextFile(plain);
  const offenders = findNodeImports(script);
  if (offenders.length > 0) {
    throw new Error(`The bundle imports ${offenders.join(", ")}: each costs 12 to 55 ms`);
  }
  // A file made for other machines is built with TMUXCLAUDE_BAKE_DENO="": this machine's path means nothing there.
  const denoPath = Deno.env.get("TMUXCLAUDE_BAKE_DENO") ?? Deno.execPath();
  await Deno.writeTextFile(output, header({ version, denoVersion: Deno.version.deno, denoPath }) + script);
  await Deno.chmod(output, 0o755);
}

function firstLines(text: string): string {
  return text.split("\n").slice(0, 4).join("\n");
}

/** Makes one kind of program at `output`. Returns why it is not fit for use, or null. */
async function make(kind: Kind, version: string, output: string): Promise<string | null> {
  const info = { version, commit: await commit(), kind, target: Deno.build.target };
  const folder = await stage(await buildInfoSource(info));
  try {
    if (kind === "compiled") await compile(folder, output);
    else await bundle(folder, version, output);
    return await findFault(output, version);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Tries `deno compile` when there is a chance, then the one file. Throws when neither is fit for use. */
async function makeBest(version: string, output: string): Promise<Kind> {
  const runtime = await findRuntime();
  if (runtime) {
    const fault = await make("compiled", version, output);
    if (!fault) return "compiled";
    console.error(`Compiled with ${runtime}, but dropped it for the one-file build: ${firstLines(fault)}`);
  }
  const fault = await make("one-file", version, output);
  if (fault) throw new Error(`The one-file build does not work: ${fault}`);
  return "one-file";
}

function wantedOutput(args: string[]): string {
  if (args.length === 0) return `${checkout()}/dist/tmuxclaude`;
  if (args.length === 2 && args[0] === "--output") return args[1];
  throw new Error('Unknown arguments. Usage: deno task build [--output "FILE"]');
}

async function main(): Promise<void> {
  const output = wantedOutput(Deno.args);
  const version = await projectVersion();
  const scratch = await Deno.makeTempDir({ prefix: "tmuxclaude-built-" });
  try {
    const kind = await makeBest(version, `${scratch}/tmuxclaude`);
    await replace(`${scratch}/tmuxclaude`, output);
    const size = Math.round((await Deno.stat(output)).size / 1024);
    console.error(`Built ${output}: ${kind === "compiled" ? "compiled" : "one-file build"}, ${size} KB`);
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    console.error(`build: ${error instanceof Error ? error.message : error}`);
    Deno.exit(1);
  }
}

// `deno task build`: makes dist/tmuxclaude. A real `deno compile` where its runtime stub can be had, else one file
// that Deno runs. Either is tried out before it replaces what is there.
// deno-lint-ignore-file no-console
import { findRuntime } from "./compile.ts";
import { projectVersion } from "./facts.ts";
import { checkout, replace, runTask, wantedOutput } from "./files.ts";
import { make, type Wanted } from "./make.ts";

type Kind = Wanted["kind"];

/** Tries `deno compile` when there is a chance, then the one file. Throws when neither is fit for use. */
async function makeBest(output: string): Promise<Kind> {
  const target = Deno.build.target;
  // A file made for other machines is built with TMUXCLAUDE_BAKE_DENO="": this machine's path means nothing there.
  const denoPath = Deno.env.get("TMUXCLAUDE_BAKE_DENO") ?? Deno.execPath();
  const wanted = { version: await projectVersion(), target, denoPath };
  const runtime = await findRuntime(target);
  if (runtime) {
    const fault = await make({ ...wanted, kind: "compiled" }, output);
    if (!fault) return "compiled";
    console.error(`Compiled with ${runtime}, but dropped it for the one-file build: ${firstLines(fault)}`);
  }
  const fault = await make({ ...wanted, kind: "one-file" }, output);
  if (fault) throw new Error(`The one-file build does not work: ${fault}`);
  return "one-file";
}

function firstLines(text: string): string {
  return text.split("\n").slice(0, 4).join("\n");
}

async function main(): Promise<void> {
  const output = wantedOutput(Deno.args, `${checkout()}/dist/tmuxclaude`);
  const scratch = await Deno.makeTempDir({ prefix: "tmuxclaude-built-" });
  try {
    const kind = await makeBest(`${scratch}/tmuxclaude`);
    await replace(`${scratch}/tmuxclaude`, output);
    const size = Math.round((await Deno.stat(output)).size / 1024);
    console.error(`Built ${output}: ${kind === "compiled" ? "compiled" : "one-file build"}, ${size} KB`);
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

if (import.meta.main) await runTask("build", main);

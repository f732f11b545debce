// `deno task compile-check`: proves that `deno compile` accepts the sources, also where its result cannot run.
// Plain deno stands in for the runtime stub: everything but the start of the result is the real thing.
// deno-lint-ignore-file no-console
import { compile } from "./compile.ts";
import { checkout, runTask } from "./files.ts";

async function main(): Promise<void> {
  const scratch = await Deno.makeTempDir({ prefix: "tmuxclaude-compile-" });
  try {
    const said = await compile(checkout(), `${scratch}/tmuxclaude`, {
      env: { DENORT_BIN: Deno.execPath() },
    });
    const files = said.slice(said.indexOf("Embedded Files"));
    if (!said.includes("Embedded Files")) throw new Error(`No list of embedded files in: ${said}`);
    console.log(files.trim());
    console.log("compile-check: compiles; not runnable here (plain deno stood in for its runtime)");
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

if (import.meta.main) await runTask("compile-check", main);

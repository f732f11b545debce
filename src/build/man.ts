// `deno task man`: writes dist/tmuxclaude.1. Look at it with: man -l dist/tmuxclaude.1
import { manPage } from "../cli/man.ts";
import { checkout } from "./files.ts";
import { projectDate, projectVersion } from "./facts.ts";

/** Writes the man page of this checkout to a file. */
export async function writeManPage(path: string): Promise<void> {
  await Deno.writeTextFile(path, manPage({ version: await projectVersion(), date: await projectDate() }));
}

if (import.meta.main) {
  await Deno.mkdir(`${checkout()}/dist`, { recursive: true });
  await writeManPage(`${checkout()}/dist/tmuxclaude.1`);
}

// Makes one program, of either kind, and proves that it is fit for use.
import type { BuildInfo } from "../build_info.ts";
import { escapeNonAscii } from "./ascii.ts";
import { compile } from "./compile.ts";
import { projectCommit } from "./facts.ts";
import { checkout, errorText, run, stage } from "./files.ts";
import { header } from "./header.ts";
import { findNodeImports } from "./node_imports.ts";
import { findFault } from "./verify.ts";

/** Which program to make. */
export interface Wanted {
  kind: Exclude<BuildInfo["kind"], "source">;
  version: string;
  /** As Deno names it; what is made for another machine is not tried out. The one file is for all of them. */
  target: string;
  /** For the one file: the Deno to try first, "" for none (a file made for other machines). */
  denoPath: string;
}

/** Makes the program at `output`. Returns why it is not fit for use, or null. */
export async function make(wanted: Wanted, output: string): Promise<string | null> {
  const folder = await stage(await buildInfoSource(wanted));
  try {
    if (wanted.kind === "compiled") await compile(folder, output, { target: wanted.target });
    else await bundle(folder, wanted, output);
    return wanted.target === Deno.build.target ? await tryOut(wanted, output) : null;
  } catch (error) {
    return errorText(error);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Without the path of a Deno in it, the program has to be given one. */
async function tryOut({ kind, version, denoPath }: Wanted, output: string): Promise<string | null> {
  const isHomeless = kind === "one-file" && denoPath === "";
  return await findFault(output, version, isHomeless ? { TMUXCLAUDE_DENO: Deno.execPath() } : {});
}

/** build_info.ts with the facts of this build in place of those of a checkout. */
async function buildInfoSource({ version, kind, target }: Wanted): Promise<string> {
  const source = await Deno.readTextFile(`${checkout()}/src/build_info.ts`);
  const value = /(export const BUILD: BuildInfo = )\{[^}]*\};/;
  if (!value.test(source)) throw new Error("src/build_info.ts has no BUILD to replace");
  const facts = JSON.stringify({ version, commit: await projectCommit(), kind });
  const where = kind === "compiled" ? JSON.stringify(target) : "Deno.build.target";
  return source.replace(value, (_, start) => `${start}{ ...${facts}, target: ${where} };`);
}

/** Bundles into one file with its header. Throws when the bundle would load Deno's Node layer. */
async function bundle(folder: string, { version, denoPath }: Wanted, output: string): Promise<void> {
  const plain = `${folder}/bundle.js`;
  const ran = await run(Deno.execPath(), ["bundle", "--quiet", "--minify", "-o", plain, "main.ts"], {
    cwd: folder,
  });
  if (ran.code !== 0) throw new Error(`Cannot bundle main.ts: ${(ran.stdout + ran.stderr).trim()}`);
  const script = escapeNonAscii(await Deno.readTextFile(plain));
  const offenders = findNodeImports(script);
  if (offenders.length > 0) {
    throw new Error(`The bundle imports ${offenders.join(", ")}: each costs 12 to 55 ms`);
  }
  await Deno.writeTextFile(output, header({ version, denoVersion: Deno.version.deno, denoPath }) + script);
  await Deno.chmod(output, 0o755);
}

// The build's own helpers: running programs and tasks, the staged copy of the sources, the atomic replacement.
// deno-lint-ignore-file no-console
import { folderOf } from "../path.ts";

const decoder = new TextDecoder();

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. Throws when it cannot be started. */
export async function run(program: string, args: string[], options: Deno.CommandOptions = {}): Promise<Ran> {
  const output = await new Deno.Command(program, { args, stdout: "piped", stderr: "piped", ...options })
    .output();
  return {
    code: output.code,
    stdout: decoder.decode(output.stdout),
    stderr: decoder.decode(output.stderr),
  };
}

/** Absolute path of the checkout. */
export function checkout(): string {
  const here = import.meta.dirname;
  if (!here) throw new Error("The build has to run from files on this machine");
  return here.slice(0, -"/src/build".length);
}

/** The whole text of anything thrown: often what a program said, over several lines. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Runs a task of deno.json; what it throws is said under its name, and the exit code is 1 then. */
export async function runTask(name: string, task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    console.error(`${name}: ${errorText(error)}`);
    Deno.exit(1);
  }
}

/** The path behind `--output`, else `usual`. Throws for anything else that a task is called with. */
export function wantedOutput(args: string[], usual: string): string {
  if (args.length === 0) return usual;
  if (args.length === 2 && args[0] === "--output") return args[1];
  throw new Error('Unknown arguments. There is only: --output "PATH"');
}

async function copyTree(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const entry of Deno.readDir(from)) {
    if (entry.isDirectory) await copyTree(`${from}/${entry.name}`, `${to}/${entry.name}`);
    else await Deno.copyFile(`${from}/${entry.name}`, `${to}/${entry.name}`);
  }
}

/** A copy of the sources in a fresh folder, with another build_info.ts. The caller removes it. */
export async function stage(buildInfo: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "tmuxclaude-build-" });
  for (const name of ["deno.json", "deno.lock", "main.ts"]) {
    await Deno.copyFile(`${checkout()}/${name}`, `${folder}/${name}`);
  }
  await copyTree(`${checkout()}/src`, `${folder}/src`);
  await Deno.writeTextFile(`${folder}/src/build_info.ts`, buildInfo);
  return folder;
}

/** Puts a finished program where it belongs, in one step: a reader sees the old one or the new one. */
export async function replace(from: string, to: string): Promise<void> {
  const folder = folderOf(to);
  await Deno.mkdir(folder, { recursive: true });
  const beside = `${to}.${crypto.randomUUID()}`;
  await Deno.copyFile(from, beside);
  await Deno.chmod(beside, 0o755);
  await Deno.rename(beside, to);
}

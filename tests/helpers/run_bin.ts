// Runs the program under test. TMUXCLAUDE_BIN names it; unset it is the built file, and the word `source` means
// main.ts run by this Deno, so that coverage counts.

export interface RunResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** The whole environment; usually `scratch.env` or `server.paneEnv(pane)`. */
  env: Record<string, string>;
  stdin?: string;
  cwd?: string;
}

/** The command line of the program under test. From source it begins with assignments for `env`. */
export function programUnderTest(): string[] {
  const named = Deno.env.get("TMUXCLAUDE_BIN") ?? "";
  if (named === "source") {
    return [...sourceVariables(), Deno.execPath(), "run", "-A", "--quiet", ...sourceFiles()];
  }
  return [named === "" ? repositoryPath("dist/tmuxclaude") : Deno.realPathSync(named)];
}

/** Runs tmuxclaude to its end. */
export async function runBin(args: string[], options: RunOptions): Promise<RunResult> {
  const command = programUnderTest();
  const [program, ...before] = command.length === 1 ? command : ["env", ...command];
  const child = new Deno.Command(program, {
    args: [...before, ...args],
    env: options.env,
    clearEnv: true,
    cwd: options.cwd,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const [, output] = await Promise.all([feed(child.stdin, options.stdin ?? ""), child.output()]);
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code: output.code, stdout: decode(output.stdout), stderr: decode(output.stderr) };
}

/** A child may close its input before it has read everything; that is its right. */
async function feed(input: WritableStream<Uint8Array>, text: string): Promise<void> {
  try {
    const writer = input.getWriter();
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

function sourceFiles(): string[] {
  return ["--config", repositoryPath("deno.json"), repositoryPath("main.ts")];
}

/** The scratch HOME has no Deno cache, so the caller's is named; likewise the folder for coverage, if any. */
function sourceVariables(): string[] {
  const cache = Deno.env.get("DENO_DIR") ??
    `${Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`}/deno`;
  const coverage = Deno.env.get("DENO_COVERAGE_DIR");
  return [`DENO_DIR=${cache}`, ...(coverage ? [`DENO_COVERAGE_DIR=${coverage}`] : [])];
}

function repositoryPath(path: string): string {
  return decodeURIComponent(new URL(`../../${path}`, import.meta.url).pathname);
}

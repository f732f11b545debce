// `deno task coverage`: which lines of src/ the tests reach, the child processes they start counted. It runs them on the
// sources, slowly, and fails where a folder of pure decisions is not reached whole or all of src/ not to nine tenths.
// Options: FILTER… (only those test files), --from FOLDER (profiles that are there already: no test is run).
// deno-lint-ignore-file no-console
import { PURE } from "../helpers/pure_folders.ts";
import { keepDistinct } from "./profiles.ts";
import { type Covered, parseSummary, shortfalls } from "./summary.ts";

const FOLDER = "dist/coverage";
/** Per cent of lines. */
const LEAST = { pure: 100, all: 90 };

async function main(args: string[]): Promise<number> {
  const from = args[0] === "--from" ? args[1] : `${FOLDER}/raw`;
  if (args[0] !== "--from") await runTests(from, args);
  const { kept, all } = await keepDistinct(from, `${FOLDER}/kept`);
  console.log(`${all} profiles, ${kept} of them distinct`);
  const covered = parseSummary(await summaryOf(`${FOLDER}/kept`));
  const missing = shortfalls(covered, PURE, LEAST);
  console.log([...covered.map(toText), ...missing].join("\n"));
  return missing.length === 0 ? 0 : 1;
}

/** What fails is told by the run itself; a failure of a test costs no profile. */
async function runTests(profiles: string, filters: string[]): Promise<void> {
  await Deno.remove(FOLDER, { recursive: true }).catch(() => {});
  await Deno.mkdir(profiles, { recursive: true });
  const env = { TMUXCLAUDE_BIN: "source", DENO_COVERAGE_DIR: await Deno.realPath(profiles) };
  await new Deno.Command("sh", { args: ["tests/run.sh", "--only-tests", ...filters], env }).spawn().status;
}

async function summaryOf(folder: string): Promise<string> {
  const args = ["coverage", folder, `--include=${new URL("../../src/", import.meta.url)}`];
  // Where tests/run.sh lets Deno keep what it made of the sources.
  const caches = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`;
  const env = { NO_COLOR: "1", DENO_DIR: Deno.env.get("DENO_DIR") ?? `${caches}/tmuxclaude` };
  const { stdout, stderr, code } = await new Deno.Command(Deno.execPath(), { args, env }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

function toText({ path, lines }: Covered): string {
  return `${lines.toFixed(1).padStart(6)} %  ${path}`;
}

Deno.exit(await main(Deno.args));

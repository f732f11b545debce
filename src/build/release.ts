// `deno task release`: makes the files of a release in dist/release. What cannot be made on this machine is left out
// and said so.
// deno-lint-ignore-file no-console
import { findRuntime } from "./compile.ts";
import { projectVersion } from "./facts.ts";
import { checkout, run, runTask, wantedOutput } from "./files.ts";
import { licenses } from "./licenses.ts";
import { make } from "./make.ts";
import { writeManPage } from "./man.ts";

const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
];
const COMPLETIONS = { bash: "tmuxclaude.bash", zsh: "_tmuxclaude", fish: "tmuxclaude.fish" };

async function main(): Promise<void> {
  const folder = wantedOutput(Deno.args, `${checkout()}/dist/release`);
  const version = await projectVersion();
  await checkVersions(version);
  await emptyFolder(folder);
  const program = `${folder}/tmuxclaude`;
  await makeOneFile(version, program);
  for (const target of TARGETS) await makeCompiled(version, target, `${program}-${target}`);
  await writeInstaller(`${folder}/install.sh`, await sha256(program));
  await writeCompletions(program, folder);
  await writeManPage(`${folder}/tmuxclaude.1`);
  await Deno.writeTextFile(`${folder}/LICENSES.txt`, await licenses());
  const names = await writeChecksums(folder);
  console.error(`Made release ${version} in ${folder}: ${names.join(", ")}`);
}

/** What an earlier release left goes; nothing else does. */
async function emptyFolder(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const names = await Array.fromAsync(Deno.readDir(folder), (entry) => entry.name);
  if (names.length > 0 && !names.includes("SHA256SUMS")) {
    throw new Error(`"${folder}" holds something else: name a folder that is empty or not there`);
  }
  for (const name of names) await Deno.remove(`${folder}/${name}`);
}

/** One version everywhere, and something said about it. */
async function checkVersions(version: string): Promise<void> {
  const texts = {
    "install.sh": `\nVERSION=${version}\n`,
    "src/build_info.ts": `version: "${version}"`,
    "CHANGELOG.md": `\n## ${version}\n`,
  };
  for (const [file, text] of Object.entries(texts)) {
    const there = (await Deno.readTextFile(`${checkout()}/${file}`)).includes(text);
    if (!there) throw new Error(`deno.json says ${version}, but ${file} has no line "${text.trim()}"`);
  }
}

async function makeOneFile(version: string, output: string): Promise<void> {
  const wanted = { kind: "one-file", version, target: Deno.build.target, denoPath: "" } as const;
  const fault = await make(wanted, output);
  if (fault) throw new Error(`The one-file build does not work: ${fault}`);
}

async function makeCompiled(version: string, target: string, output: string): Promise<void> {
  const runtime = await findRuntime(target);
  const fault = runtime === null
    ? "its runtime is not on this machine (TMUXCLAUDE_COMPILE=1 downloads it)"
    : await make({ kind: "compiled", version, target, denoPath: "" }, output);
  if (fault === null) return;
  await Deno.remove(output).catch(() => {});
  console.error(`Left out the executable for ${target}: ${fault.split("\n")[0]}`);
}

/** The installer of this release takes this one program and no other. */
async function writeInstaller(path: string, checksum: string): Promise<void> {
  const text = await Deno.readTextFile(`${checkout()}/install.sh`);
  if (!text.includes("\nSHA256='' ")) throw new Error("install.sh has no SHA256='' to fill in");
  await Deno.writeTextFile(path, text.replace("\nSHA256='' ", `\nSHA256='${checksum}' `));
  await Deno.chmod(path, 0o755);
}

async function writeCompletions(program: string, folder: string): Promise<void> {
  for (const [shell, name] of Object.entries(COMPLETIONS)) {
    const ran = await run(program, ["completions", shell], { env: { TMUXCLAUDE_DENO: Deno.execPath() } });
    if (ran.code !== 0) throw new Error(`Cannot make completions for ${shell}: ${ran.stderr.trim()}`);
    await Deno.writeTextFile(`${folder}/${name}`, ran.stdout);
  }
}

async function sha256(path: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", await Deno.readFile(path))).toHex();
}

/** SHA256SUMS, as `sha256sum --check` reads it. Returns the names of all files. */
async function writeChecksums(folder: string): Promise<string[]> {
  const names = (await Array.fromAsync(Deno.readDir(folder), (entry) => entry.name)).sort();
  const lines = await Promise.all(
    names.map(async (name) => `${await sha256(`${folder}/${name}`)}  ${name}\n`),
  );
  await Deno.writeTextFile(`${folder}/SHA256SUMS`, lines.join(""));
  return [...names, "SHA256SUMS"];
}

if (import.meta.main) await runTask("release", main);

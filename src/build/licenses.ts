// The licences of what is in a built program: our own, and those of the packages that are bundled into it.
import { checkout, run } from "./files.ts";

/** One text of all of them. Throws when a package is not in Deno's cache, or its licence cannot be told. */
export async function licenses(): Promise<string> {
  const { imports } = JSON.parse(await Deno.readTextFile(`${checkout()}/deno.json`));
  const own = await Deno.readTextFile(`${checkout()}/LICENSE`);
  const parts = await Promise.all(Object.values<string>(imports).map(packageLicense));
  return [`tmuxclaude\n\n${own}`, ...parts].join(`\n${"-".repeat(80)}\n\n`);
}

async function packageLicense(specifier: string): Promise<string> {
  const [, name, version] = /^npm:(.+)@(.+)$/.exec(specifier)!;
  const folder = await packageFolder(name, version);
  const { license } = JSON.parse(await Deno.readTextFile(`${folder}/package.json`));
  const text = await Deno.readTextFile(`${folder}/LICENSE`).catch(() => wellKnown(name, license));
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

/** For packages that come without the text. */
async function wellKnown(name: string, license: string): Promise<string> {
  if (license === "Apache-2.0") return await Deno.readTextFile(`${checkout()}/docs/apache-2.0.txt`);
  throw new Error(`${name} has no LICENSE file, and there is no text for "${license}"`);
}

/** Deno keeps packages below a folder for each registry. */
async function packageFolder(name: string, version: string): Promise<string> {
  const { npmCache } = JSON.parse((await run(Deno.execPath(), ["info", "--json"])).stdout);
  for await (const registry of Deno.readDir(npmCache)) {
    const folder = `${npmCache}/${registry.name}/${name}/${version}`;
    if (await Deno.stat(`${folder}/package.json`).then(() => true, () => false)) return folder;
  }
  throw new Error(`${name} ${version} is not in Deno's cache: run deno task build first`);
}

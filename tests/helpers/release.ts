// Releases made from copies of this checkout, and a place on this machine to download them from.
import { buildEnvironment } from "./programs.ts";

const ROOT = decodeURIComponent(new URL("../..", import.meta.url).pathname);
const PARTS = ["deno.json", "deno.lock", "main.ts", "install.sh", "CHANGELOG.md", "LICENSE", "docs", "src"];

/** Makes the files of a release in a folder; with `version` from a copy of the sources that says so. */
export async function makeRelease(folder: string, version?: string): Promise<{ said: string }> {
  const source = version === undefined ? ROOT : `${folder}.source/`;
  if (version !== undefined) await copyAs(source, version);
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--config",
      `${source}deno.json`,
      `${source}src/build/release.ts`,
      "--output",
      folder,
    ],
    env: buildEnvironment(),
  });
  const { code, stderr } = await child.output();
  const said = new TextDecoder().decode(stderr);
  if (code !== 0) throw new Error(`The release could not be made: ${said}`);
  return { said };
}

async function copyAs(target: string, version: string): Promise<void> {
  await Deno.mkdir(target, { recursive: true });
  const args = ["-R", ...PARTS.map((name) => `${ROOT}${name}`), target];
  const { success } = await new Deno.Command("cp", { args }).output();
  if (!success) throw new Error("The sources could not be copied");
  const now: string = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`)).version;
  for (const name of ["deno.json", "install.sh", "CHANGELOG.md", "src/build_info.ts"]) {
    const text = await Deno.readTextFile(`${target}${name}`);
    await Deno.writeTextFile(`${target}${name}`, text.replace(now, version));
  }
}

/** A download that breaks off is meant to. */
function onError(): Response {
  return new Response("broken", { status: 500 });
}

export interface Downloads extends AsyncDisposable {
  url: string;
  /** Names that were asked for. */
  asked: string[];
}

/** Serves a folder on loopback; `change` may put something else in place of a file. */
export function serveFolder(
  folder: string,
  change: (name: string, bytes: Uint8Array<ArrayBuffer>) => BodyInit = (_, bytes) => bytes,
): Downloads {
  const asked: string[] = [];
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {}, onError },
    async (request) => {
      const name = new URL(request.url).pathname.slice(1);
      asked.push(name);
      const bytes = await Deno.readFile(`${folder}/${name}`).catch(() => null);
      return bytes === null
        ? new Response("no such file", { status: 404 })
        : new Response(change(name, bytes));
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    asked,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

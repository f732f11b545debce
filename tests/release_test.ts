// A release, rehearsed on this machine: its files are made, served on loopback, and installed by `curl … | sh`.
import { deepStrictEqual, doesNotMatch, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { until, untilText } from "./helpers/poll.ts";
import { hasProgram, linkProgramsWithout } from "./helpers/programs.ts";
import { type Downloads, makeRelease, serveFolder } from "./helpers/release.ts";
import type { RunResult } from "./helpers/run_bin.ts";
import { makeScratch, type Scratch } from "./helpers/scratch.ts";
import { startServer } from "./helpers/tmux_server.ts";

const ROOT = decodeURIComponent(new URL("..", import.meta.url).pathname);
const NOW: string = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`)).version;
const OLD = "0.0.9";
const SETTINGS = '{ "model": "opus" }\n';
const CONF = "set -g mouse on\n";

/** Made once for all tests of this file. */
const store = await Deno.makeTempDir({ prefix: "tmuxclaude-releases-" });
globalThis.addEventListener("unload", () => Deno.removeSync(store, { recursive: true }));
const made = new Map<string, Promise<{ said: string }>>();

async function releaseFolder(version: string): Promise<string> {
  const folder = `${store}/${version}`;
  if (!made.has(version)) made.set(version, makeRelease(folder, version === NOW ? undefined : version));
  await made.get(version);
  return folder;
}

/** A person's HOME before the first install. */
async function freshHome(): Promise<Scratch> {
  const scratch = await makeScratch();
  await Deno.remove(`${scratch.bin}/tmuxclaude`);
  delete scratch.env.TMUXCLAUDE_CACHE_DIR; // tests share compiled code; a person does not
  await Deno.writeTextFile(`${scratch.config}/settings.json`, SETTINGS);
  await Deno.writeTextFile(`${scratch.home}/.tmux.conf`, CONF);
  return scratch;
}

async function sh(script: string, env: Record<string, string>): Promise<RunResult> {
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", script],
    env,
    clearEnv: true,
    cwd: env.HOME,
    stdin: "null",
  });
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** What stands in the README, with the address of this machine: `curl … | sh`. */
function pipeLine({ url }: Downloads, ...args: string[]): string {
  const options = args.length === 0 ? "" : ` -s -- ${args.join(" ")}`;
  return `curl -fsSL ${url}/install.sh | TMUXCLAUDE_RELEASE_URL=${url} sh${options}`;
}

/** A Deno is given, so that 40 MB need not be fetched each time. */
function installEnv(scratch: Scratch): Record<string, string> {
  return { ...scratch.env, TMUXCLAUDE_DENO: Deno.execPath() };
}

function programOf(scratch: Scratch): string {
  return `${scratch.home}/.local/bin/tmuxclaude`;
}

/** Runs the installed program as Claude's hook would have it: no Deno named, nothing of use on PATH. */
async function installed(scratch: Scratch, args: string): Promise<RunResult> {
  return await sh(`'${programOf(scratch)}' ${args}`, { HOME: scratch.home, PATH: "/nonexistent" });
}

async function assertInstalled(scratch: Scratch, version: string): Promise<void> {
  const { code, stdout } = await installed(scratch, "--version");
  ok(code === 0 && stdout.startsWith(`tmuxclaude ${version} (`), stdout);
}

async function digest(path: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", await Deno.readFile(path))).toHex();
}

/** Every file below a folder with its digest; folders without files are not counted. */
async function files(folder: string, prefix = ""): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) Object.assign(found, await files(`${folder}/${name}`, `${prefix}${name}/`));
    else found[`${prefix}${name}`] = await digest(`${folder}/${name}`);
  }
  return found;
}

Deno.test("a release has all its files, with right checksums and nothing of the machine it was made on", async () => {
  const folder = await releaseFolder(NOW);
  const { said } = await made.get(NOW)!;
  const names = (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
  const always = ["LICENSES.txt", "SHA256SUMS", "_tmuxclaude", "install.sh", "tmuxclaude", "tmuxclaude.1"];
  for (const name of [...always, "tmuxclaude.bash", "tmuxclaude.fish"]) ok(names.includes(name), name);
  for (const target of ["x86_64-unknown-linux-gnu", "aarch64-apple-darwin"]) {
    ok(
      names.includes(`tmuxclaude-${target}`) || said.includes(`Left out the executable for ${target}: `),
      said,
    );
  }
  const check = await sh(`cd '${folder}' && sha256sum --check --strict SHA256SUMS`, {
    PATH: Deno.env.get("PATH")!,
  });
  deepStrictEqual([check.code, check.stdout.split("\n").length], [0, names.length]);
  for (const name of always) {
    const text = await Deno.readTextFile(`${folder}/${name}`);
    for (const path of [ROOT, Deno.execPath(), store]) ok(!text.includes(path), `${name} names ${path}`);
  }
  match(
    await Deno.readTextFile(`${folder}/LICENSES.txt`),
    /Apache License[^]*MIT License|MIT License[^]*Apache License/,
  );
});

Deno.test("curl | sh installs, sets up, is found without PATH, and goes again without a trace", async () => {
  await using downloads = serveFolder(await releaseFolder(NOW));
  await using scratch = await freshHome();
  const env = installEnv(scratch);
  const before = await files(scratch.home);
  const first = await sh(pipeLine(downloads, "--yes"), env);
  strictEqual(first.code, 0, first.stderr);
  match(
    first.stdout,
    /^Downloading .*\nInstalled: .*\nNext: .*\nUndo: curl .*install\.sh \| sh -s -- --uninstall\n$/,
  );
  await assertInstalled(scratch, NOW);
  match(await Deno.readTextFile(`${scratch.config}/settings.json`), /\.local\/bin\/tmuxclaude' hook/);
  match(await Deno.readTextFile(`${scratch.home}/.tmux.conf`), /share\/tmuxclaude\/tmux\.conf/);
  strictEqual((await sh(`PATH="${scratch.home}/.local/bin:$PATH"; tmuxclaude doctor`, env)).code, 0);
  const placed = await Deno.stat(programOf(scratch));
  const again = await sh(pipeLine(downloads, "--yes"), env);
  match(again.stdout, /Already there, unchanged/);
  strictEqual((await Deno.stat(programOf(scratch))).ino, placed.ino);
  const undone = await sh(pipeLine(downloads, "--uninstall", "--purge", "--yes"), env);
  strictEqual(undone.code, 0, undone.stderr);
  deepStrictEqual(await files(scratch.home), before);
});

Deno.test("upgrade and downgrade change the program at once, while hooks run", async () => {
  await using older = serveFolder(await releaseFolder(OLD));
  await using newer = serveFolder(await releaseFolder(NOW));
  await using scratch = await freshHome();
  const env = installEnv(scratch);
  strictEqual((await sh(pipeLine(older, "--yes"), env)).code, 0);
  await assertInstalled(scratch, OLD);
  const settings = await Deno.readTextFile(`${scratch.config}/settings.json`);

  for (const [downloads, version] of [[newer, NOW], [older, OLD]] as const) {
    let going = true;
    const hooks = hookAgainAndAgain(scratch, () => going);
    const ran = await sh(pipeLine(downloads, "--yes"), env);
    going = false;
    strictEqual(ran.code, 0, ran.stderr);
    const results = await hooks;
    ok(results.length > 2);
    for (const result of results) deepStrictEqual(result, { code: 0, stdout: "", stderr: "" });
    await assertInstalled(scratch, version);
  }
  strictEqual(await Deno.readTextFile(`${scratch.config}/settings.json`), settings);
});

/** The command in settings.json, as Claude runs it, two at a time. */
async function hookAgainAndAgain(scratch: Scratch, isGoing: () => boolean): Promise<RunResult[]> {
  const settings = JSON.parse(await Deno.readTextFile(`${scratch.config}/settings.json`));
  const { command } = settings.hooks.SessionStart[0].hooks[0];
  const event = JSON.stringify({
    session_id: crypto.randomUUID(),
    hook_event_name: "SessionStart",
    cwd: "/",
  });
  const env = {
    HOME: scratch.home,
    PATH: "/usr/bin:/bin",
    TMUX: `${scratch.root}/none,1,0`,
    TMUX_PANE: "%0",
  };
  const results: RunResult[] = [];
  const loop = async () => {
    while (isGoing()) results.push(await sh(`printf '%s' '${event}' | { ${command}; }`, env));
  };
  await Promise.all([loop(), loop()]);
  return results;
}

Deno.test("a download that is damaged, cut off, missing or not to be reached changes nothing", async () => {
  const folder = await releaseFolder(NOW);
  await using scratch = await freshHome();
  const env = installEnv(scratch);
  const before = await files(scratch.home);
  const changes: [string, (bytes: Uint8Array<ArrayBuffer>) => BodyInit, RegExp][] = [
    [
      "damaged",
      (bytes) => bytes.map((byte, index) => index === 5000 ? byte ^ 1 : byte),
      /Refusing the downloaded program/,
    ],
    ["an error page", () => "<html>not found</html>", /Refusing the downloaded program/],
    ["too short", (bytes) => bytes.slice(0, -1), /Refusing the downloaded program/],
    ["cut off", (bytes) => brokenOff(bytes), /Cannot download/],
  ];
  for (const [what, change, message] of changes) {
    await using downloads = serveFolder(
      folder,
      (name, bytes) => name === "tmuxclaude" ? change(bytes) : bytes,
    );
    const ran = await sh(pipeLine(downloads, "--yes"), env);
    deepStrictEqual([ran.code, ran.stdout.includes("Installed")], [1, false], what);
    match(ran.stderr, message, what);
    match(ran.stderr, /\nNext: /, what);
    deepStrictEqual(await files(scratch.home), before, what);
  }
  await using downloads = serveFolder(folder);
  const script = await Deno.readTextFile(`${folder}/install.sh`);
  await Deno.writeTextFile(`${scratch.root}/kept.sh`, script);
  const away = { ...env, TMUXCLAUDE_RELEASE_URL: `${downloads.url}/gone` };
  for (const url of [away.TMUXCLAUDE_RELEASE_URL, "http://127.0.0.1:9"]) {
    const ran = await sh(`sh -s -- --yes <'${scratch.root}/kept.sh'`, {
      ...away,
      TMUXCLAUDE_RELEASE_URL: url,
    });
    match(ran.stderr, /Cannot download [^]*Next: check the network/);
    strictEqual(ran.code, 1);
  }
  deepStrictEqual(await files(scratch.home), before);
});

/** A response that ends in the middle, as when the connection is lost. */
function brokenOff(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(bytes.slice(0, 10_000)),
    pull(controller) {
      controller.error(new Error("the connection is lost"));
    },
  });
}

Deno.test("a failed upgrade leaves the program that was there", async () => {
  await using older = serveFolder(await releaseFolder(OLD));
  await using damaged = serveFolder(
    await releaseFolder(NOW),
    (name, bytes) => name === "tmuxclaude" ? bytes.slice(1) : bytes,
  );
  await using scratch = await freshHome();
  strictEqual((await sh(pipeLine(older, "--yes"), installEnv(scratch))).code, 0);
  const before = await files(scratch.home);
  strictEqual((await sh(pipeLine(damaged, "--yes"), installEnv(scratch))).code, 1);
  deepStrictEqual(await files(scratch.home), before);
  await assertInstalled(scratch, OLD);
});

Deno.test("an install.sh that is cut off anywhere does nothing when piped", async () => {
  const folder = await releaseFolder(NOW);
  await using scratch = await freshHome();
  const before = await files(scratch.home);
  const { length } = await Deno.readTextFile(`${folder}/install.sh`);
  const lengths = [
    ...Array.from({ length: 20 }, (_, part) => Math.floor(length * part / 20)),
    length - 2,
    length - 6,
  ];
  for (const kept of lengths) {
    await using downloads = serveFolder(
      folder,
      (name, bytes) => name === "install.sh" ? bytes.slice(0, kept) : bytes,
    );
    const { stdout } = await sh(pipeLine(downloads, "--yes"), installEnv(scratch));
    deepStrictEqual([stdout, downloads.asked], ["", ["install.sh"]], `cut at ${kept}`);
  }
  deepStrictEqual(await files(scratch.home), before);
});

Deno.test("in a pipe the question is asked on the terminal, and no means no", async () => {
  await using downloads = serveFolder(await releaseFolder(NOW));
  await using scratch = await freshHome();
  await using server = await startServer({ scratch });
  const pane = await server.newSession();
  for (const [answer, code, changed] of [["n", 1, false], ["y", 0, true]] as const) {
    await server.sendLine(pane, `clear; ${pipeLine(downloads)}; echo "ended: $?"`);
    await untilText(
      "the question",
      () => server.captureAll(pane),
      /Make these changes\? \[Y\/n\] *$/,
      60_000,
    );
    await server.sendLine(pane, answer);
    const shown = await untilText("the end", () => server.captureAll(pane), /^ended: \d/m, 60_000);
    match(shown, new RegExp(`^ended: ${code}`, "m"));
    const settings = await Deno.readTextFile(`${scratch.config}/settings.json`);
    strictEqual(settings !== SETTINGS, changed);
  }
  await until("the program", () => Deno.stat(programOf(scratch)));
});

Deno.test({ name: "wget does where curl is missing", ignore: !hasProgram("wget") }, async () => {
  const folder = await releaseFolder(NOW);
  await using downloads = serveFolder(folder);
  await using scratch = await freshHome();
  const programs = `${scratch.root}/programs`;
  await linkProgramsWithout(programs, ["curl", "deno"]);
  const env = { ...installEnv(scratch), PATH: programs, TMUXCLAUDE_RELEASE_URL: downloads.url };
  const ran = await sh(`wget -qO- ${downloads.url}/install.sh | sh -s -- --yes`, env);
  strictEqual(ran.code, 0, ran.stderr);
  await assertInstalled(scratch, NOW);
});

Deno.test("without a Deno and without npm it says what to do, and changes nothing", async () => {
  await using downloads = serveFolder(await releaseFolder(NOW));
  await using scratch = await freshHome();
  const programs = `${scratch.root}/programs`;
  await linkProgramsWithout(programs, ["deno", "npm", "node"]);
  const env = { ...scratch.env, PATH: programs, TMUXCLAUDE_DENO: "" };
  const before = await files(scratch.home);
  const ran = await sh(pipeLine(downloads, "--yes"), env);
  strictEqual(ran.code, 1);
  match(ran.stderr, /npm is not on PATH\nNext: install Node with npm, or get Deno/);
  deepStrictEqual(await files(scratch.home), before);
});

/** Where the program looks, whatever PATH is. */
const FIXED_PLACES = ["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin", "/bin"];

Deno.test({
  name:
    "when the Deno that was given goes away, the hook is silent, the rest says what to do, and that helps",
  ignore: FIXED_PLACES.some((place) => hasProgram("deno", place)),
}, async () => {
  await using downloads = serveFolder(await releaseFolder(NOW));
  await using scratch = await freshHome();
  const given = `${scratch.root}/given deno`;
  await Deno.symlink(Deno.execPath(), given);
  const env = { ...scratch.env, TMUXCLAUDE_DENO: given };
  strictEqual((await sh(pipeLine(downloads, "--yes"), env)).code, 0);
  await Deno.remove(given);
  const { code, stderr } = await installed(scratch, "list");
  notStrictEqual(code, 0);
  match(stderr, /no Deno was found.*\nRun install\.sh again/);
  deepStrictEqual(await installed(scratch, "hook </dev/null"), { code: 0, stdout: "", stderr: "" });
  strictEqual((await sh(pipeLine(downloads, "--yes"), installEnv(scratch))).code, 0);
  await assertInstalled(scratch, NOW);
});

Deno.test("the demo runs from a download, and installs nothing but says so", async () => {
  await using downloads = serveFolder(await releaseFolder(NOW));
  await using scratch = await freshHome();
  await Deno.mkdir(`${scratch.root}/tmp`);
  const env = { ...installEnv(scratch), TMPDIR: `${scratch.root}/tmp` };
  const before = await files(scratch.home);
  const ran = await sh(pipeLine(downloads, "--demo"), env);
  strictEqual(ran.code, 0, ran.stderr);
  match(ran.stdout, /Every pane has its own conversation again/);
  doesNotMatch(ran.stdout, /Installed/);
  const after = await files(scratch.home);
  for (const path of Object.keys(after)) ok(path in before || path.startsWith(".cache/tmuxclaude/"), path);
});

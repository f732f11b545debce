// The built program as a file, and install.sh: whether they work on machines that are not ours.
import assert from "node:assert/strict";
import { escapeNonAscii } from "../src/build/ascii.ts";
import { header } from "../src/build/header.ts";
import { findNodeImports } from "../src/build/node_imports.ts";
import { buildEnvironment, hasProgram } from "./helpers/programs.ts";
import { makeScratch, type Scratch } from "./helpers/scratch.ts";
import { programUnderTest, type RunResult } from "./helpers/run_bin.ts";

const ROOT = decodeURIComponent(new URL("..", import.meta.url).pathname);
const VERSION: string = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`)).version;
const INSTALLER = await Deno.readTextFile(`${ROOT}install.sh`);
const BIN = programUnderTest()[0];
const BUILT = programUnderTest().length === 1;
const TEXT = BUILT ? await Deno.readTextFile(BIN) : "";
/** What only holds for the file with the sh header. */
const ONE_FILE = TEXT.startsWith("#!/bin/sh\n");

interface Where {
  env: Record<string, string>;
  cwd?: string;
  stdin?: string;
}

async function run(program: string, args: string[], where: Where): Promise<RunResult> {
  const child = new Deno.Command(program, {
    args,
    env: where.env,
    clearEnv: true,
    cwd: where.cwd ?? "/",
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(where.stdin ?? "")).catch(() => {});
  await writer.close().catch(() => {});
  const output = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code: output.code, stdout: text(output.stdout), stderr: text(output.stderr) };
}

/** A test in a scratch world whose HOME has a blank and a quote in its name. */
function test(name: string, when: boolean, body: (scratch: Scratch, home: string) => Promise<void>): void {
  Deno.test({
    name,
    ignore: !when,
    fn: async () => {
      await using scratch = await makeScratch();
      await body(scratch, await scratch.folder(`it's "home" é`));
    },
  });
}

async function writeScript(path: string, text: string): Promise<string> {
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  await Deno.writeTextFile(path, text);
  await Deno.chmod(path, 0o755);
  return path;
}

/** Every path below a folder with its size: equal lists mean that nothing was written. */
async function tree(folder: string, prefix = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    found.push(`${prefix}${entry.name} ${entry.isFile ? (await Deno.stat(path)).size : ""}`);
    if (entry.isDirectory) found.push(...await tree(path, `${prefix}${entry.name}/`));
  }
  return found.sort();
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

function assertVersion(ran: RunResult): void {
  assert.match(
    ran.stdout,
    new RegExp(`^tmuxclaude ${VERSION.replaceAll(".", "\\.")} \\(.*\\)\n$`),
    ran.stderr,
  );
  assert.equal(ran.code, 0);
}

// The artefact.

test(
  "the program runs through links, from any directory, with a poor PATH",
  BUILT,
  async ({ root }, home) => {
    const links = `${root}/a folder of links`;
    await Deno.mkdir(links);
    await Deno.symlink(BIN, `${links}/first`);
    await Deno.symlink("first", `${links}/second`);
    const env = { HOME: home, PATH: "/nonexistent" };
    assertVersion(await run(`${links}/second`, ["--version"], { env }));
    assertVersion(await run("./second", ["--version"], { env, cwd: links }));
    assertVersion(
      await run("/bin/sh", ["-c", '"$0" --version', "../a folder of links/second"], { env, cwd: links }),
    );
  },
);

Deno.test("what the bundler leaves in other characters means the same when it is escaped", () => {
  for (
    const script of [
      "/^[❯→λ]$/u.test('❯')",
      "/^❯$/.test('\u276f')",
      "/^😀$/u.test('😀')",
      "'é 日本 👩‍👩‍👧' === 'é 日本 👩‍👩‍👧'",
    ]
  ) {
    const escaped = escapeNonAscii(script);
    assert.match(escaped, /^[ -~]+$/);
    assert.equal((0, eval)(escaped), true, escaped);
  }
});

test("the JavaScript of the program is ASCII", ONE_FILE, () => {
  assert.equal(escapeNonAscii(TEXT.slice(TEXT.indexOf("*/;"))), TEXT.slice(TEXT.indexOf("*/;")));
  return Promise.resolve();
});

test("the program runs without HOME and PATH", BUILT, async () => {
  assertVersion(await run(BIN, ["--version"], { env: {} }));
});

test("the program leaves the user's own Deno cache alone", ONE_FILE, async (_, home) => {
  assertVersion(await run(BIN, ["--version"], { env: { HOME: home, PATH: "/nonexistent" } }));
  assert.deepEqual(await Array.fromAsync(Deno.readDir(`${home}/.cache`), (entry) => entry.name), [
    "tmuxclaude",
  ]);
});

test("the program runs in a folder that is gone", BUILT, async ({ root }, home) => {
  await Deno.mkdir(`${root}/gone`);
  const line = 'cd "$1/gone" && rmdir "$1/gone" && exec "$0" --version';
  assertVersion(
    await run("/bin/sh", ["-c", line, BIN, root], { env: { HOME: home, PATH: "/usr/bin:/bin" } }),
  );
});

test("the files of a project around it do not reach the program", BUILT, async ({ root }, home) => {
  for (const name of ["deno.json", "package.json", ".npmrc", "deno.lock", "import_map.json", ".env"]) {
    await Deno.writeTextFile(`${root}/${name}`, "{broken");
  }
  await Deno.copyFile(BIN, `${root}/copy`);
  assertVersion(await run(BIN, ["--version"], { env: { HOME: home, PATH: "/nonexistent" }, cwd: root }));
  assertVersion(
    await run(`${root}/copy`, ["--version"], { env: { HOME: home, PATH: "/nonexistent" }, cwd: root }),
  );
});

test("--version --json says which build it is, how large and how fast", BUILT, async (_, home) => {
  const ran = await run(BIN, ["--version", "--json"], { env: { HOME: home, PATH: "/nonexistent" } });
  const facts = JSON.parse(ran.stdout);
  assert.deepEqual([facts.schema, facts.version, facts.path], [1, VERSION, BIN]);
  assert.equal(facts.kind, ONE_FILE ? "one-file" : "compiled");
  assert.equal(facts.size, (await Deno.stat(BIN)).size);
  assert.ok(facts.start_ms > 0 && facts.start_ms < 5000, String(facts.start_ms));
});

test("the hook outside tmux starts no Deno, and inside tmux it does", ONE_FILE, async ({ root }, home) => {
  const mark = `${root}/deno was started`;
  const deno = await writeScript(`${root}/marking deno`, `#!/bin/sh\n: >'${mark}'\n`);
  const env = { HOME: home, PATH: "/usr/bin:/bin", TMUXCLAUDE_DENO: deno };
  const outside = await run(BIN, ["hook"], { env, stdin: "{}" });
  assert.deepEqual(outside, { code: 0, stdout: "", stderr: "" });
  assert.equal(await exists(mark), false);
  for (const [name, value] of [["TMUX", "/tmp/x,1,0"], ["TMUX_PANE", "%1"]]) {
    await run(BIN, ["hook"], { env: { ...env, [name]: value }, stdin: "{}" });
    assert.equal(await exists(mark), true);
    await Deno.remove(mark);
  }
});

for (const shell of ["dash", "bash --posix", "bash", "busybox sh", "zsh --emulate sh"]) {
  const [program, ...options] = shell.split(" ");
  const there = hasProgram(program);
  test(`the header works under ${shell}`, ONE_FILE && there, async (scratch, home) => {
    const env = { ...scratch.env, HOME: home };
    const version = await run(program, [...options, BIN, "--version"], { env });
    assertVersion(version);
    assert.equal(version.stderr, "");
    assert.deepEqual(await run(program, [...options, BIN, "hook"], { env }), {
      code: 0,
      stdout: "",
      stderr: "",
    });
  });
  test(`install.sh works under ${shell}`, there, async (scratch, home) => {
    const env = { ...scratch.env, HOME: home };
    const ran = await run(program, [...options, `${ROOT}install.sh`, "--dry-run"], { env });
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(ran.stdout, /^Would put the program at .*it's "home" é\/\.local\/bin\/tmuxclaude$/m);
    assert.deepEqual(await tree(home), []);
  });
}

/** A program with the header of a machine where no Deno was baked in, and that looks in no fixed place. */
async function writeHomeless(path: string): Promise<string> {
  const text = header({ version: VERSION, denoVersion: Deno.version.deno, denoPath: "" });
  return await writeScript(
    path,
    text.replace("/usr/local/bin:/opt/homebrew/bin:", "") + 'console.log("ran", Deno.args);\n',
  );
}

test("without any Deno the hook is silent and the rest says what to do", true, async ({ root }, home) => {
  const program = await writeHomeless(`${root}/program`);
  const env = { HOME: home, PATH: "/nonexistent", TMUX: "/tmp/x,1,0" };
  assert.deepEqual(await run(program, ["hook"], { env }), { code: 0, stdout: "", stderr: "" });
  const list = await run(program, ["list"], { env });
  assert.deepEqual([list.code, list.stdout], [127, ""]);
  assert.match(list.stderr, /no Deno was found.*\nRun install\.sh again/);
});

test("a deno on PATH that is a script is passed over for a real one", true, async ({ root }, home) => {
  const program = await writeHomeless(`${root}/program`);
  await writeScript(`${root}/npm/deno`, `#!/usr/bin/env node\nthrow 1\n`);
  await Deno.mkdir(`${root}/real`);
  await Deno.symlink(Deno.execPath(), `${root}/real/deno`);
  const found = await run(program, ["a b", "*"], { env: { HOME: home, PATH: `${root}/npm:${root}/real` } });
  assert.deepEqual(found, { code: 0, stdout: 'ran [ "a b", "*" ]\n', stderr: "" });
  assert.equal((await run(program, ["x"], { env: { HOME: home, PATH: `${root}/npm` } })).code, 127);
});

test(
  "the header takes Deno from our own folder and quotes the path it was built with",
  true,
  async ({ root }, home) => {
    const program = await writeHomeless(`${root}/program`);
    await Deno.mkdir(`${home}/.local/share/tmuxclaude/deno-${Deno.version.deno}`, { recursive: true });
    await Deno.symlink(Deno.execPath(), `${home}/.local/share/tmuxclaude/deno-${Deno.version.deno}/deno`);
    assert.equal((await run(program, [], { env: { HOME: home, PATH: "/nonexistent" } })).stdout, "ran []\n");
    const facts = { version: VERSION, denoVersion: Deno.version.deno };
    const odd = await writeScript(`${home}/o'd $(d) \`e\`/deno`, "#!/bin/sh\necho odd\n");
    const quoted = await writeScript(`${root}/quoted`, header({ ...facts, denoPath: odd }));
    assert.equal((await run(quoted, [], { env: {} })).stdout, "odd\n");
    assert.match(header({ ...facts, denoPath: "/a*/deno" }), / '' /);
  },
);

test("nothing runs before Deno is found: the header has no command substitution and no pipe", true, () => {
  const text = header({ version: VERSION, denoVersion: "1", denoPath: "/x" });
  assert.doesNotMatch(text.replace(/"hook -h" \| "hook --help"/, ""), /\$\(|`|[^|]\|[^|]/);
  return Promise.resolve();
});

test("the built file wakes nothing of Deno's Node layer", ONE_FILE, () => {
  assert.deepEqual(findNodeImports(TEXT), []);
  assert.deepEqual(
    findNodeImports('import{a as b}from"node:fs";require("node:path");import("node:os")').length,
    3,
  );
  const before = String.raw`(?:^|[=(,;!&|?:{}[\n]|\b(?:typeof|return|await|void|in|of) )`;
  const global = new RegExp(`${before}(?:process\\??[.[]|Buffer[.(]|setImmediate\\()`, "g");
  assert.deepEqual([...TEXT.matchAll(global)].map((found) => TEXT.slice(found.index, found.index + 40)), []);
  assert.match("a=process.env", global);
  return Promise.resolve();
});

test("a runtime that does not run is dropped for the one-file build, and said so", true, async (scratch) => {
  const ran = await run(Deno.execPath(), [
    "run",
    "-A",
    `${ROOT}src/build/build.ts`,
    "--output",
    `${scratch.root}/out`,
  ], {
    env: { ...scratch.env, ...buildEnvironment(), DENORT_BIN: "/bin/true" },
  });
  assert.equal(ran.code, 0, ran.stderr);
  assert.match(ran.stderr, /dropped it for the one-file build: --version ended with/);
  assertVersion(await run(`${scratch.root}/out`, ["--version"], { env: scratch.env }));
});

// install.sh.

Deno.test("install.sh, deno.json and the build name the same versions", () => {
  assert.match(INSTALLER, new RegExp(`^VERSION=${VERSION}$`, "m"));
  assert.match(INSTALLER, new RegExp(`^DENO_VERSION=${Deno.version.deno}$`, "m"));
  assert.match(INSTALLER, /^SHA256='' /m, "the repository's copy carries no checksum");
  assert.match(INSTALLER, /\nmain "\$@"\n$/);
  assert.ok(INSTALLER.split("\n").length <= 270);
});

test("install.sh cut off anywhere does nothing", true, async (scratch, home) => {
  const folder = await scratch.folder("cut");
  for (const name of ["deno.json", "main.ts", "src"]) {
    await Deno.symlink(`${ROOT}${name}`, `${folder}/${name}`);
  }
  const steps = Array.from({ length: 20 }, (_, i) => Math.floor(INSTALLER.length * i / 20));
  const lastBytes = Array.from({ length: 14 }, (_, i) => INSTALLER.length - 2 - i);
  for (const length of [...steps, ...lastBytes]) {
    const cut = INSTALLER.slice(0, length);
    await Deno.writeTextFile(`${folder}/install.sh`, cut);
    const env = { ...scratch.env, HOME: home };
    const asFile = await run("sh", [`${folder}/install.sh`, "--no-modify"], { env });
    const piped = await run("sh", ["-s", "--", "--no-modify"], { env, stdin: cut });
    assert.deepEqual([asFile.stdout, piped.stdout], ["", ""], `cut at ${length}`);
    assert.deepEqual(await tree(home), [], `cut at ${length}`);
  }
});

test("install.sh builds, installs, and changes nothing the second time", true, async (scratch, home) => {
  const env = { ...scratch.env, ...buildEnvironment(), HOME: home };
  const first = await run("sh", [`${ROOT}install.sh`, "--no-modify"], { env });
  assert.equal(first.code, 0, first.stderr);
  const program = `${home}/.local/bin/tmuxclaude`;
  assertVersion(await run(program, ["--version"], { env }));
  assert.match(first.stdout, /^Installed: .*\nNext: .*\nUndo: .*\n$/m);
  const hint = /^.*(export PATH=.*)$/m.exec(first.stderr)?.[1] ?? "";
  assertVersion(
    await run("sh", ["-c", `${hint}; tmuxclaude --version`], { env: { ...env, PATH: "/usr/bin:/bin" } }),
  );
  const before = await Deno.stat(program);
  const second = await run("sh", [`${ROOT}install.sh`, "--no-modify"], { env });
  assert.match(second.stdout, /Already there, unchanged/);
  assert.equal((await Deno.stat(program)).ino, before.ino);
});

test("install.sh --quiet says only what a person has to do something about", true, async (scratch, home) => {
  const env = { ...scratch.env, ...buildEnvironment(), HOME: home };
  const ran = await run("sh", [`${ROOT}install.sh`, "--quiet", "--yes"], { env });
  assert.deepEqual([ran.code, ran.stdout], [0, ""], ran.stderr);
  assert.match(ran.stderr, /^install\.sh: .* is not on PATH\. Add this line .*\n$/);
  const undone = await run("sh", [`${ROOT}install.sh`, "--quiet", "--yes", "--uninstall"], { env });
  assert.deepEqual([undone.code, undone.stdout, undone.stderr], [0, "", ""]);
});

test(
  "install.sh --uninstall names what it removes, not a folder of another name for the cache",
  true,
  async (scratch, home) => {
    const cache = await scratch.folder("shared with others");
    const env = { ...scratch.env, HOME: home, TMUXCLAUDE_CACHE_DIR: cache };
    const old = `${home}/.local/share/tmuxclaude/deno-0.0.1`;
    await Deno.mkdir(old, { recursive: true });
    const says = async (...more: string[]) => {
      const { stdout } = await run("sh", [`${ROOT}install.sh`, "--uninstall", ...more], { env });
      return stdout.split("\n").slice(1, -1);
    };
    assert.deepEqual(await says("--dry-run"), [`Would remove ${old}`]);
    assert.deepEqual(await says(), [`Removed ${old}`]);
    assert.deepEqual(await says(), ["Nothing is left to remove"]);
    assert.ok((await Deno.stat(cache)).isDirectory);
  },
);

test("install.sh --dry-run changes nothing", true, async (scratch, home) => {
  const env = { ...scratch.env, HOME: home };
  delete (env as Record<string, string>).TMUXCLAUDE_DENO;
  for (
    const args of [["--dry-run"], ["--dry-run", "--demo"], ["--dry-run", "--uninstall"], [
      "--dry-run",
      "--print-deno",
    ]]
  ) {
    const ran = await run("sh", [`${ROOT}install.sh`, ...args], { env });
    assert.equal(ran.code, 0, ran.stderr);
    assert.deepEqual(await tree(home), []);
  }
});

test("install.sh says what is wrong", true, async (scratch, home) => {
  const env: Record<string, string> = { ...scratch.env, HOME: home };
  const installer = `${ROOT}install.sh`;
  await Deno.mkdir(`${home}/bin/tmuxclaude`, { recursive: true });
  const cases: [string[], Record<string, string>, number, RegExp][] = [
    [["--what"], env, 2, /Unknown option "--what"\nNext: sh install\.sh --help/],
    [["--bin-dir"], env, 2, /--bin-dir needs a directory/],
    [[], { PATH: env.PATH }, 1, /HOME is not set/],
    [[], { ...env, TMUXCLAUDE_DENO: "/bin/true" }, 1, /it is not Deno 2/],
    [
      ["--no-modify", "--bin-dir", `${home}/bin`],
      { ...env, ...buildEnvironment() },
      1,
      /bin\/tmuxclaude" is a directory/,
    ],
  ];
  for (const [args, environment, code, message] of cases) {
    const ran = await run("sh", [installer, ...args], { env: environment });
    assert.match(ran.stderr, message);
    assert.deepEqual([ran.code, ran.stdout.includes("Installed")], [code, false]);
  }
});

test(
  "install.sh --print-deno passes over npm's wrapper and prints a real Deno",
  true,
  async (scratch, home) => {
    const { root } = scratch;
    const says = `echo 'deno ${Deno.version.deno} (stable)'`;
    await writeScript(`${root}/npm/deno`, `#!/bin/sh\n${says}\n`);
    await Deno.mkdir(`${root}/real`);
    await Deno.symlink(Deno.execPath(), `${root}/real/deno`);
    const env = { HOME: home, PATH: `${root}/npm:${root}/real:/usr/bin:/bin` };
    const ran = await run("sh", [`${ROOT}install.sh`, "--print-deno"], { env });
    assert.deepEqual([ran.code, ran.stdout], [0, `${root}/real/deno\n`], ran.stderr);
    assert.deepEqual(await tree(home), []);
  },
);

test("install.sh refuses a package of Deno with another checksum", true, async (scratch, home) => {
  const npm =
    '#!/bin/sh\nmkdir package\nprintf "#!/bin/sh\\necho bad >$HOME/ran" >package/deno\nchmod +x package/deno\n' +
    "for p in linux-x64-glibc linux-arm64-glibc darwin-x64 darwin-arm64; do tar -czf deno-$p-${2##*@}.tgz package; done\n";
  await writeScript(`${scratch.root}/fake/npm`, npm.replace("${2##*@}", "${3##*@}"));
  const env = { HOME: home, PATH: `${scratch.root}/fake:/usr/bin:/bin` };
  const ran = await run("sh", [`${ROOT}install.sh`, "--print-deno"], { env });
  assert.deepEqual([ran.code, ran.stdout], [1, ""]);
  assert.match(ran.stderr, /Refusing the package of Deno: its sha512 is "[0-9a-f]{128}", not/);
  const left = (await tree(home)).filter((path) => !path.endsWith(" "));
  assert.deepEqual(left, []);
});

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** Pipes install.sh into sh as a download would, with a checksum in it and a server on this machine. */
async function pipe(
  scratch: Scratch,
  home: string,
  checksum: string,
  served: Uint8Array<ArrayBuffer>,
): Promise<RunResult> {
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () => new Response(served),
  );
  const script = INSTALLER.replace("SHA256=''", `SHA256='${checksum}'`);
  const env = {
    ...scratch.env,
    HOME: home,
    TMUXCLAUDE_RELEASE_URL: `http://127.0.0.1:${server.addr.port}/v1`,
  };
  return await run("sh", ["-s", "--", "--no-modify"], { env, stdin: script });
}

test(
  "install.sh piped installs the released file only when its checksum is right",
  BUILT,
  async (scratch, home) => {
    const released = await Deno.readFile(BIN);
    const right = await sha256(released);
    const refused: [string, Uint8Array<ArrayBuffer>, RegExp][] = [
      ["", released, /has no checksum/],
      [
        right.replace(/^./, (digit) => digit === "0" ? "1" : "0"),
        released,
        /Refusing the downloaded program: its sha256 is/,
      ],
      [right, released.slice(0, released.length / 2), /Refusing the downloaded program/],
      [right, new Uint8Array(), /Refusing the downloaded program/],
    ];
    for (const [checksum, served, message] of refused) {
      const ran = await pipe(scratch, home, checksum, served);
      assert.match(ran.stderr, message);
      assert.equal(ran.code, 1);
      assert.deepEqual(await tree(home), []);
    }
    const ran = await pipe(scratch, home, right, released);
    assert.equal(ran.code, 0, ran.stderr);
    assertVersion(
      await run(`${home}/.local/bin/tmuxclaude`, ["--version"], { env: { ...scratch.env, HOME: home } }),
    );
  },
);

test("install.sh piped downloads over https only", true, async (scratch, home) => {
  const script = INSTALLER.replace("SHA256=''", `SHA256='${"0".repeat(64)}'`);
  const addresses = [
    "http://example.org/x",
    "http://localhost.example.org/x",
    "http://127.0.0.1:1@example.org",
    "file:///etc",
  ];
  for (const address of addresses) {
    const env = { ...scratch.env, HOME: home, TMUXCLAUDE_RELEASE_URL: address };
    const ran = await run("sh", ["-s", "--", "--no-modify"], { env, stdin: script });
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /Refusing to download from/, address);
    assert.deepEqual(await tree(home), []);
  }
});

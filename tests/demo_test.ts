// The demo is the first thing a newcomer runs: it proves the program, touches nothing, and is honest when it fails.
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { until } from "./helpers/poll.ts";
import { makeScratch, type Scratch } from "./helpers/scratch.ts";

interface Played {
  code: number;
  stdout: string;
  stderr: string;
}

/** A TMPDIR of its own shows what the demo leaves behind. */
async function makeStage(): Promise<
  { scratch: Scratch; tmp: string; env: Record<string, string> } & AsyncDisposable
> {
  const scratch = await makeScratch();
  const tmp = `${scratch.root}/tmp`;
  await Deno.mkdir(tmp);
  const cache = Deno.env.get("TMUXCLAUDE_CACHE_DIR") ?? `${scratch.root}/cache`;
  const env = { ...scratch.env, TMPDIR: tmp, TMUXCLAUDE_CACHE_DIR: cache };
  return { scratch, tmp, env, [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose]() };
}

function start(program: string, env: Record<string, string>, args: string[] = []): Deno.ChildProcess {
  const io = { stdin: "null", stdout: "piped", stderr: "piped" } as const;
  return new Deno.Command(program, { args: ["demo", ...args], env, clearEnv: true, ...io }).spawn();
}

async function finish(child: Deno.ChildProcess): Promise<Played> {
  const { code, stdout, stderr } = await child.output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}

async function leftovers(folder: string): Promise<string[]> {
  const names = (await Array.fromAsync(Deno.readDir(folder))).map((entry) => entry.name);
  return names.filter((name) => name.startsWith("tmuxclaude-demo-"));
}

/** Processes whose command line or environment names the folder. */
async function processesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    const argv = /^\d+$/.test(name) ? await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "") : "";
    if (argv.includes(folder)) found.push(argv.replaceAll("\0", " "));
  }
  return found;
}

async function treeOf(folder: string, prefix = ""): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    names.push(prefix + entry.name);
    if (entry.isDirectory) names.push(...await treeOf(`${folder}/${entry.name}`, `${prefix}${entry.name}/`));
  }
  return names.sort();
}

Deno.test("the demo plays the whole story and leaves nothing, whatever the user has set", async () => {
  await using stage = await makeStage();
  const before = await treeOf(stage.scratch.home);
  const hostile = {
    TMUX: "/nonexistent/socket,1,0",
    TMUX_PANE: "%7",
    CLAUDE_CONFIG_DIR: "/nonexistent/claude",
    TMUXCLAUDE_STATE_DIR: `${stage.scratch.root}/state`,
    XDG_STATE_HOME: `${stage.scratch.root}/xdg`,
    LC_ALL: "C",
    LANG: "C",
    SHELL: "/bin/false",
    ENV: "/nonexistent/start-file",
  };
  const played = await finish(start(stage.scratch.program, { ...stage.env, ...hostile }));
  strictEqual(played.code, 0, played.stdout + played.stderr);
  strictEqual(played.stderr, "");
  deepStrictEqual(played.stdout.match(/^\d+\. /gm), ["1. ", "2. ", "3. ", "4. ", "5. ", "6. ", "7. ", "8. "]);
  const typed = played.stdout.match(/claude --resume [0-9a-f-]{36}$/gm) ?? [];
  strictEqual(new Set(typed).size, 4);
  match(played.stdout, /Every pane has its own conversation again\. \d+\.\d s, each step was checked\.\n$/);
  deepStrictEqual(await leftovers(stage.tmp), []);
  deepStrictEqual(await processesIn(stage.tmp), []);
  deepStrictEqual(await treeOf(stage.scratch.home), before);
  deepStrictEqual(await stage.scratch.claudeStarts(), []);
});

Deno.test("the demo keeps its folder when asked, but no process", async () => {
  await using stage = await makeStage();
  const played = await finish(start(stage.scratch.program, stage.env, ["--keep"]));
  strictEqual(played.code, 0, played.stdout + played.stderr);
  const [kept] = await leftovers(stage.tmp);
  ok(played.stdout.endsWith(`Kept: ${stage.tmp}/${kept}\n`), played.stdout);
  const journal = await Deno.readTextFile(`${stage.tmp}/${kept}/home/.local/state/tmuxclaude/journal.jsonl`);
  strictEqual(journal.match(/"event":"revive"/g)?.length, 4);
  deepStrictEqual(await processesIn(stage.tmp), []);
});

Deno.test("a demo that fails says what failed, ends with 1 and cleans up", async () => {
  await using stage = await makeStage();
  // A tmux on which nothing can be stamped.
  const real = (await Deno.realPath("/usr/bin/tmux").catch(() => "")) || "tmux";
  const script =
    `#!/bin/sh\ncase $* in *@tmuxclaude_session*) case $* in *set-option*) exit 0 ;; esac ;; esac\nexec ${real} "$@"\n`;
  await Deno.writeTextFile(`${stage.scratch.bin}/tmux`, script, { mode: 0o755 });
  const played = await finish(start(stage.scratch.program, stage.env));
  strictEqual(played.code, 1, played.stdout);
  match(
    played.stderr,
    /^tmuxclaude: The demo failed: the hook left pane %0 without a conversation\.\n {2}Look /,
  );
  ok(!played.stdout.includes("each step was checked"));
  deepStrictEqual(await leftovers(stage.tmp), []);
  deepStrictEqual(await processesIn(stage.tmp), []);
});

Deno.test("Ctrl-C in the middle of the demo ends with 130 and cleans up", async () => {
  await using stage = await makeStage();
  const child = start(stage.scratch.program, stage.env);
  await until("the demo's tmux server", async () => (await processesIn(stage.tmp)).length > 0);
  child.kill("SIGINT");
  const played = await finish(child);
  strictEqual(played.code, 130, played.stdout + played.stderr);
  match(played.stderr, /interrupted, and cleaned up/);
  deepStrictEqual(await leftovers(stage.tmp), []);
  deepStrictEqual(await processesIn(stage.tmp), []);
});

Deno.test("a TMPDIR too long for a tmux socket is told, with the way out", async () => {
  await using stage = await makeStage();
  const tmp = `${stage.tmp}/${"long".repeat(25)}`;
  await Deno.mkdir(tmp);
  const played = await finish(start(stage.scratch.program, { ...stage.env, TMPDIR: tmp }));
  strictEqual(played.code, 1);
  match(played.stderr, /too long a path for a tmux socket[^]*TMPDIR=\/tmp tmuxclaude demo/);
  deepStrictEqual(await leftovers(tmp), []);
});

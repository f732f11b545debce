// The README is checked against the program: its commands are run, its versions and codes compared.
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ExitCode } from "../src/errors.ts";
import { exitClaude, prompt, startClaude } from "./helpers/panes.ts";
import { runBin } from "./helpers/run_bin.ts";
import { makeScratch } from "./helpers/scratch.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

const ROOT = decodeURIComponent(new URL("..", import.meta.url).pathname);
const README = await Deno.readTextFile(`${ROOT}README.md`);

/** Lines of the blocks marked as sh, without their comments. */
function commandLines(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map((found) => found[1]);
  const lines = blocks.flatMap((block) => block.split("\n"));
  return lines.map((line) => line.replace(/\s+#.*$/, "").trim()).filter((line) => line !== "");
}

/** What is not run as it stands, and what is run instead; null: nothing. */
const INSTEAD: Record<string, string | null> = {
  "sh install.sh": "sh install.sh --dry-run",
  "sh install.sh --demo": "sh install.sh --demo --dry-run",
  "sh tests/run.sh": null, // it is what runs this test
};

/** A health check may well find something on a server that was made for a test. */
const ALSO_FINE: Record<string, number[]> = {
  "tmuxclaude doctor": [0, 1],
  "tmuxclaude doctor --report": [0, 1],
};

/** A server after a crash, with four panes that held conversations at its last save. */
async function crashedServer(): Promise<TmuxServer> {
  const server = await startServer();
  await server.scratch.registerHooks();
  const open = async () => {
    const first = await server.newSession({ session: "work" });
    return [
      first,
      await server.newWindow(first),
      await server.newWindow(first),
      await server.newWindow(first),
    ];
  };
  const panes = await open();
  for (const pane of panes) {
    await startClaude(server, pane);
    await prompt(server, pane, "hello");
  }
  await exitClaude(server, panes[1]);
  strictEqual((await runBin(["manifest"], { env: await server.paneEnv(panes[0]) })).code, 0);
  await server.kill9();
  await server.restart();
  deepStrictEqual(await open(), ["%0", "%1", "%2", "%3"]);
  return server;
}

Deno.test("every command of the README can be run as it stands there", async () => {
  await using server = await crashedServer();
  await Deno.mkdir(`${server.scratch.root}/tmp`);
  const env = { ...await server.paneEnv("%0"), TMPDIR: `${server.scratch.root}/tmp`, NO_COLOR: "1" };
  const ran: string[] = [];
  for (const line of commandLines(README)) {
    const command = line in INSTEAD ? INSTEAD[line] : line;
    if (command === null) continue;
    const args = ["-c", command];
    const child = new Deno.Command("sh", { args, env, clearEnv: true, cwd: ROOT, stdin: "null" });
    const { code, stdout, stderr } = await child.output();
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    ok((ALSO_FINE[line] ?? [0]).includes(code), `${command} ended with ${code}:\n${said}`);
    ok(said.trim() !== "" || /restore|revive/.test(line), `${command} said nothing`);
    ran.push(line);
  }
  ok(ran.length >= 15, `only these were run: ${ran.join("; ")}`);
  for (const verb of ["list", "revive", "restore", "doctor", "install", "demo"]) {
    ok(ran.some((line) => line.startsWith(`tmuxclaude ${verb}`)), `no example of ${verb}`);
  }
});

Deno.test("the README names the commands that are there, and the two commands of a fresh machine", async () => {
  await using scratch = await makeScratch();
  const there = /^There: ([^]*?)\.$/m.exec(README)![1].replaceAll(/\s*\([^)]*\)/g, "").split(/,\s*/);
  ok(there.length > 8);
  for (const command of there.filter((name) => name !== "hook")) {
    const { code, stdout } = await runBin([command, "--help"], { env: scratch.env });
    ok(code === 0 && stdout.startsWith("USAGE"), `there is no command ${command}`);
  }
  deepStrictEqual(commandLines(README).slice(0, 2), ["sh install.sh --demo", "sh tests/run.sh"]);
  ok(README.split("\n").length < 300);
});

Deno.test("the README gives the exit codes and versions that the sources have", async () => {
  const codes = [...README.matchAll(/^\| (\d+) +\| /gm)].map((found) => Number(found[1]));
  deepStrictEqual(codes, Object.values(ExitCode));
  const { imports } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  for (const specifier of Object.values<string>(imports)) {
    const [, name, version] = /^npm:(.+)@(.+)$/.exec(specifier)!;
    ok(README.includes(`\`${name}\` ${version}`), `${name} ${version}`);
  }
  const installer = await Deno.readTextFile(`${ROOT}install.sh`);
  ok(README.includes(`Deno ${/^DENO_VERSION=(\S+)$/m.exec(installer)![1]}, pinned`));
});

Deno.test("the README's code blocks are closed and its local paths exist", async () => {
  strictEqual((README.match(/^```/gm) ?? []).length % 2, 0);
  for (const [, path] of README.matchAll(/`((?:src|tests)\/[\w/.]+)`/g)) {
    ok(await Deno.stat(`${ROOT}${path}`).then(() => true, () => false), `there is no ${path}`);
  }
});

// The README is checked against the program: its commands are run, its tables compared with those of the sources.
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { EXIT_CODES } from "../src/cli/exit_codes.ts";
import { routes } from "../src/cli/routes.ts";
import { TMUX_OPTIONS, VARIABLES } from "../src/cli/settings.ts";
import { exitClaude, prompt, startClaude } from "./helpers/panes.ts";
import { runBin } from "./helpers/run_bin.ts";
import { makeScratch } from "./helpers/scratch.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

const ROOT = decodeURIComponent(new URL("..", import.meta.url).pathname);
const README = await Deno.readTextFile(`${ROOT}README.md`);
const COMMANDS = routes.getAllEntries().filter(({ hidden }) => !hidden).map(({ name }) => name.original);

function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "gm"))].map((found) => found[1]);
}

/** Lines of the blocks marked as sh, without their comments. */
function commandLines(text: string): string[] {
  const lines = blocks(text, "sh").flatMap((block) => block.split("\n"));
  return lines.map((line) => line.replace(/\s+#.*$/, "").trim()).filter((line) => line !== "");
}

/** The cells of a table's rows, by its first heading, without marks of code. */
function table(heading: string): string[][] {
  const [, rows] = new RegExp(`^\\| ${heading} +\\|.*\n\\|[ -|]+\n((?:\\|.*\n)+)`, "m").exec(README)!;
  return rows.trim().split("\n").map((row) => {
    const cells = row.replaceAll("\\|", "\0").split("|").slice(1, -1);
    return cells.map((cell) => cell.trim().replaceAll("\0", "|"));
  });
}

function codeWords(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map((found) => found[1].replace(/=.*/, ""));
}

/** What is not run as it stands, and what is run instead; null: nothing. */
const INSTEAD: Record<string, string | null> = {
  "sh install.sh": "sh install.sh --dry-run",
  "sh install.sh --demo": "sh install.sh --demo --dry-run",
  "sh install.sh --uninstall": "sh install.sh --uninstall --dry-run",
  "sh install.sh --uninstall --purge": "sh install.sh --uninstall --purge --dry-run",
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
  for (const command of COMMANDS) {
    ok(ran.some((line) => line.startsWith(`tmuxclaude ${command} `)), `no example of ${command}`);
  }
});

Deno.test("every line for tmux.conf in the README is taken by tmux, and the status line shows counts", async () => {
  await using server = await startServer();
  const pane = await server.newSession();
  const env = await server.paneEnv(pane);
  strictEqual((await runBin(["install", "--yes"], { env })).code, 0);
  const conf = `${server.scratch.root}/readme.conf`;
  await Deno.writeTextFile(conf, blocks(README, "tmux").join("\n"));
  strictEqual(await server.run("source-file", conf), "");
  await server.scratch.registerHooks();
  await startClaude(server, pane);
  const status = await server.paneFormat(pane, "#{E:status-right}");
  ok(/^▶1 \d\d:\d\d$/.test(status), status);
});

Deno.test("the README begins with the two commands of a fresh machine, and is short", () => {
  deepStrictEqual(commandLines(README).slice(0, 2), ["sh install.sh --demo", "sh tests/run.sh"]);
  ok(README.split("\n").length < 300);
});

Deno.test("the README gives the exit codes, settings, rungs and versions that the sources have", async () => {
  deepStrictEqual(table("code"), EXIT_CODES.map(([code, meaning]) => [String(code), meaning]));
  const options: string[] = TMUX_OPTIONS.map(({ name }) => name);
  for (const option of table("tmux option").flatMap(([name]) => codeWords(name))) {
    ok(options.includes(option), `nothing reads ${option}`);
  }
  for (const name of options) ok(README.includes(name), `${name} is not in the README`);
  const variables: string[] = VARIABLES.map(({ name }) => name);
  for (const variable of table("variable").flatMap(([names]) => codeWords(names))) {
    ok(variables.includes(variable), `nothing reads ${variable}`);
  }
  const offer = await Deno.readTextFile(`${ROOT}src/ladder/offer.ts`);
  const rungs = /type Rung = (.*);/.exec(offer)![1].split(" | ").map((rung) => rung.slice(1, -1));
  deepStrictEqual(table("rung").flatMap(([name]) => codeWords(name)), rungs);
  const { imports } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  for (const specifier of Object.values<string>(imports)) {
    const [, name, version] = /^npm:(.+)@(.+)$/.exec(specifier)!;
    ok(README.includes(`\`${name}\` ${version}`), `${name} ${version}`);
  }
  const installer = await Deno.readTextFile(`${ROOT}install.sh`);
  ok(README.includes(`Deno ${/^DENO_VERSION=(\S+)$/m.exec(installer)![1]}, pinned`));
});

/** All TypeScript below a folder. */
async function sources(folder: string): Promise<string> {
  let text = "";
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory) text += await sources(`${folder}/${entry.name}`);
    else if (entry.name.endsWith(".ts")) text += await Deno.readTextFile(`${folder}/${entry.name}`);
  }
  return text;
}

Deno.test("messages that the README explains are the program's own", async () => {
  const all = await sources(`${ROOT}src`);
  const quoted = table("you see").flatMap(([seen]) => [...seen.matchAll(/"([^"]+)"/g)].map((one) => one[1]));
  ok(quoted.length >= 2);
  for (const message of quoted) {
    ok(all.includes(message.replace(/^… /, " ").replace(/ …$/, "")), `no source says: ${message}`);
  }
});

Deno.test("the README's code blocks are closed; its files, links and sections exist", async () => {
  strictEqual((README.match(/^```/gm) ?? []).length % 2, 0);
  const paths = [...README.matchAll(/`((?:src|tests)\/[\w/.]+)`/g), ...README.matchAll(/\]\(([\w./]+)\)/g)];
  for (const [, path] of paths) {
    ok(await Deno.stat(`${ROOT}${path}`).then(() => true, () => false), `there is no ${path}`);
  }
  const sections = [...README.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title.toLowerCase());
  for (const [, anchor] of README.matchAll(/\]\(#([\w-]+)\)/g)) {
    ok(sections.some((title) => title.replaceAll(/[^\w -]/g, "").replaceAll(" ", "-") === anchor), anchor);
  }
});

Deno.test("help shows examples before flags for every command, in lines that fit", async () => {
  await using scratch = await makeScratch();
  for (const command of COMMANDS) {
    const { code, stdout } = await runBin(["help", command], { env: scratch.env });
    strictEqual(code, 0);
    if (command !== "completions") ok(stdout.indexOf("EXAMPLES") < stdout.indexOf("\nFLAGS"), stdout);
    const text = stdout.slice(stdout.indexOf("--help"), stdout.indexOf("\nFLAGS"));
    for (const line of text.split("\n")) ok(line.length <= 118, line);
  }
});

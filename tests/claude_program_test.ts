// Which processes are Claude, and for whom they work.
import assert from "node:assert/strict";
import {
  isClaude,
  isForkOf,
  kindOf,
  launches,
  type ProcessFacts,
  scriptIndex,
  versionOf,
} from "../src/claude/program.ts";
import { type Row, toProcess } from "./helpers/process_table.ts";

interface Case {
  name: string;
  argv: string[];
  executable?: string | null;
}

const CLAUDES: Case[] = [
  { name: "claude", argv: ["claude"] },
  { name: "claude", argv: ["claude                                   "] },
  { name: "claude", argv: [] },
  { name: "claude", argv: ["claude", "--resume", "x"], executable: null },
  { name: "MainThread", argv: ["claude", "", "", ""], executable: "/usr/bin/node" },
  { name: "sh", argv: ["/bin/sh", "/home/u/bin/claude", "--model", "opus"], executable: "/usr/bin/dash" },
  { name: "bash", argv: ["-bash", "./claude"] },
  { name: "zsh", argv: ["zsh", "-f", "/opt/claude"] },
  { name: "zsh-5.9", argv: ["/usr/bin/zsh-5.9", "/opt/claude"] },
  { name: "yash", argv: ["yash", "/opt/claude"] },
  { name: "oksh", argv: ["/bin/oksh", "/opt/claude"] },
  { name: "busybox", argv: ["busybox", "sh", "/opt/claude"] },
  { name: "node", argv: ["node", "/usr/bin/claude"] },
  { name: "node", argv: ["node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"] },
  { name: "node", argv: ["node", "--inspect", "-r", "x.js", "/x/@anthropic-ai/claude-code/cli.js", "-c"] },
  { name: "node", argv: ["/usr/bin/node20", "--max-old-space-size=9", "/x/claude-code/dist/cli.mjs"] },
  { name: "node", argv: ["node", "/x/claude-code/cli-wrapper.cjs"] },
  { name: "node", argv: ["node", "/x/node_modules/.pnpm/claude-code@2.0.76/cli.js"] },
  { name: "bun", argv: ["bun", "run", "/opt/claude"] },
  { name: "deno", argv: ["deno", "run", "-A", "/opt/claude"] },
  { name: "python3", argv: ["python3.11", "/home/u/bin/claude"] },
  { name: "2.1.34", argv: ["2.1.34"], executable: "/home/u/.local/share/claude/versions/2.1.34" },
  { name: "2.1.226", argv: ["/x/2.1.226"], executable: "/opt/claude-code/2.1.226" },
  { name: "node", argv: ["whatever"], executable: "/home/u/.local/share/claude/versions/2.1.34" },
  { name: "cl", argv: ["/usr/local/bin/claude"], executable: "/usr/local/bin/cl" },
];

const OTHERS: Case[] = [
  { name: "7z", argv: ["7z", "a", "claude"] },
  { name: "2to3", argv: ["2to3", "claude"] },
  { name: "vim", argv: ["vim", "claude"] },
  { name: "tail", argv: ["tail", "-f", "claude"] },
  { name: "bash", argv: ["bash", "-c", "claude"] },
  { name: "bash", argv: ["bash", "-lc", "claude"] },
  { name: "sh", argv: ["sh", "-ec", "claude"] },
  { name: "zsh", argv: ["zsh", "-c", "claude", "claude"] },
  { name: "bash", argv: ["-bash"] },
  { name: "bash", argv: ["bash", "--rcfile", "claude"] },
  { name: "node", argv: ["node", "-e", "1", "claude"] },
  { name: "node", argv: ["node", "server.js", "claude"] },
  { name: "node", argv: ["node", "/x/other/cli.js"] },
  { name: "node", argv: ["node", "-r", "/opt/claude", "server.js"] },
  { name: "python3", argv: ["python3", "-m", "claude"] },
  { name: "ssh", argv: ["ssh", "claude"] },
  { name: "sudo", argv: ["sudo", "claude"] },
  { name: "grep", argv: ["grep", "-r", "claude", "/"] },
  { name: "claudette", argv: ["claudette"] },
  { name: "tmuxclaude", argv: ["tmuxclaude", "hook"] },
  { name: "2.1.34", argv: ["2.1.34"], executable: "/opt/other/2.1.34" },
  { name: "2.1.34", argv: ["2.1.34"], executable: null },
  { name: "sh", argv: [], executable: null },
];

function decide({ name, argv, executable = null }: Case): boolean {
  return isClaude(toProcess({ pid: 1, name }), argv, executable);
}

Deno.test("Claude is recognised under every name it has", () => {
  for (const row of CLAUDES) assert.equal(decide(row), true, JSON.stringify(row));
});

Deno.test("what only mentions claude is not Claude", () => {
  for (const row of OTHERS) assert.equal(decide(row), false, JSON.stringify(row));
});

Deno.test("the script of an interpreter is the first word that is no option", () => {
  assert.equal(scriptIndex(["bash", "-o", "posix", "x"]), 3);
  assert.equal(scriptIndex(["deno", "run", "-A", "x", "run"]), 3);
  assert.equal(scriptIndex(["bash"]), -1);
  assert.equal(scriptIndex(["ls", "x"]), -1);
});

Deno.test("for whom a Claude works is in its arguments", () => {
  const kinds: [string, ReturnType<typeof kindOf>][] = [
    ["claude", "interactive"],
    ["claude --model opus agents-of-change", "interactive"],
    ["claude --agent reviewer", "interactive"],
    ["claude -p hello", "headless"],
    ["claude --print", "headless"],
    ["claude hello -p", "headless"],
    ["claude -cp", "headless"],
    ["claude mcp serve", "headless"],
    ["claude --permission-mode plan", "interactive"],
    ["claude --agent-id mate@session-1234 --agent-name mate", "teammate"],
    ["claude --agent-name=mate", "teammate"],
    ["claude --bg fix", "background"],
    ["claude bg-pty-host --x", "background"],
    ["claude daemon run", "background"],
    ["claude attach 12", "background"],
    ["node /x/claude-code/cli.js -p", "headless"],
  ];
  for (const [line, kind] of kinds) assert.equal(kindOf(line.split(" ")), kind, line);
});

Deno.test("the version is read from the path of an installed executable", () => {
  assert.equal(versionOf("/home/u/.local/share/claude/versions/2.1.332"), "2.1.332");
  assert.equal(versionOf("/x/claude/versions/2.1.332/claude"), "2.1.332");
  assert.equal(versionOf("/x/claude/versions/latest"), null);
  assert.equal(versionOf("/usr/bin/claude"), null);
  assert.equal(versionOf(null), null);
});

function facts(row: Row): ProcessFacts {
  return { process: toProcess(row), argv: row.argv ?? [], executable: row.executable ?? null };
}

Deno.test("a script or npm launcher called claude only starts Claude; an editor's nested Claude is no launch", () => {
  const script = facts({ pid: 5, argv: ["/bin/sh", "/bin/claude", "-c"], executable: "/bin/dash" });
  const shim = facts({
    pid: 5,
    argv: ["node", "/x/claude-code/cli-wrapper.cjs", "-c"],
    executable: "/bin/node",
  });
  const native = facts({ pid: 5, argv: ["claude"], executable: "/x/claude" });
  const below = facts({ pid: 9, parent: 5, group: 5, argv: ["/x/claude", "-c"], executable: "/x/claude" });
  const apart = facts({ pid: 9, parent: 5, group: 9, terminal: 0, argv: ["/x/claude", "-c"] });
  assert.equal(launches(script, below), true);
  assert.equal(launches(shim, below), true);
  assert.equal(launches(native, below), false);
  assert.equal(launches(script, apart), false);
  assert.equal(launches(shim, { ...below, argv: ["/x/claude", "-p", "x"] }), false);
});

Deno.test("a subshell of a script is a fork of it, not another program", () => {
  const script = facts({ pid: 5, argv: ["/bin/sh", "/bin/claude"], executable: "/bin/dash" });
  const copy = facts({
    pid: 9,
    parent: 5,
    group: 5,
    argv: ["/bin/sh", "/bin/claude"],
    executable: "/bin/dash",
  });
  assert.equal(isForkOf(copy, script), true);
  assert.equal(launches(script, copy), false);
  assert.equal(isForkOf({ ...copy, argv: ["ls"] }, script), false);
});

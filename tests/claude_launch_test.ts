// The arguments that apply again on a resume. How Claude takes its words apart was tried on 2.1.197 and 2.1.332.
import assert from "node:assert/strict";
import { launchArguments, stripInterpreter } from "../src/claude/launch.ts";

const CASES: [string[], string[]][] = [
  [["claude"], []],
  [[], []],
  [["claude", "", "", ""], []],
  [["claude                            "], []],
  [["claude", "fix the bug"], []],
  [["claude", "--model", "opus", "fix the bug"], ["--model=opus"]],
  [["claude", "--model=opus"], ["--model=opus"]],
  [["claude", "--model", "opus", "--model=haiku"], ["--model=haiku"]],
  [["claude", "--dangerously-skip-permissions", "fix it"], ["--dangerously-skip-permissions"]],
  [["claude", "--verbose", "--verbose"], ["--verbose"]],
  [["claude", "--add-dir", "a", "b", "--ide", "hello"], ["--add-dir=a", "--add-dir=b", "--ide"]],
  [["claude", "--add-dir", "a", "--add-dir", "a"], ["--add-dir=a"]],
  [["claude", "--add-dir", "a", "--", "prompt", "--model", "x"], ["--add-dir=a"]],
  [["claude", "--add-dir"], []],
  [["claude", "--allowed-tools", "Bash(git *)", "Edit"], [
    "--allowedTools=Bash(git *)",
    "--allowedTools=Edit",
  ]],
  [["claude", "--allowedTools", "Edit", "--disallowed-tools=Bash"], [
    "--allowedTools=Edit",
    "--disallowedTools=Bash",
  ]],
  [["claude", "--tools", ""], ["--tools="]],
  [["claude", "--mcp-config", "a.json", "b.json", "--strict-mcp-config"], [
    "--mcp-config=a.json",
    "--mcp-config=b.json",
    "--strict-mcp-config",
  ]],
  [["claude", "--plugin-dir", "a", "b", "--plugin-dir", "c"], ["--plugin-dir=a", "--plugin-dir=c"]],
  [["claude", "--chrome", "--no-chrome"], ["--no-chrome"]],
  [["claude", "--no-chrome", "--chrome"], ["--chrome"]],
  [["claude", "--debug"], ["--debug"]],
  [["claude", "--debug", "api,hooks"], ["--debug=api,hooks"]],
  [["claude", "-d", "--verbose"], ["--debug", "--verbose"]],
  [["claude", "-dapi"], ["--debug=api"]],
  [["claude", "--append-system-prompt", "--model x"], ["--append-system-prompt=--model x"]],
  [["claude", "--append-system-prompt", "a=b"], ["--append-system-prompt=a=b"]],
  [["claude", "--settings", '{"a": 1}'], ['--settings={"a": 1}']],
  // What is never replayed, with its values.
  [["claude", "-r", "id", "--model", "x"], ["--model=x"]],
  [["claude", "--resume=id", "--fork-session", "--continue", "-c"], []],
  [["claude", "--session-id", "id", "--verbose"], ["--verbose"]],
  [["claude", "-n", "--verbose"], []],
  [["claude", "--name", "--verbose"], []],
  [["claude", "-nx", "-wtree", "-rid", "--worktree", "x", "--tmux=classic"], []],
  [["claude", "-p", "hello", "--output-format", "--verbose"], []],
  [["claude", "-pc", "--max-turns", "3", "--model", "x"], ["--model=x"]],
  [["claude", "--agent-id", "--ide", "--agent-name", "m", "--team-name", "t"], []],
  [["claude", "--from-pr", "12", "--teleport", "--remote-control", "--cloud", "x", "--bg"], []],
  [["claude", "--prefill", "--verbose", "--file", "a:b"], []],
  [["claude", "--unknown-flag", "--ide=1"], []],
  [["claude", "--constructor", "--__proto__", "--toString=x"], []],
  // Interpreters.
  [["node", "--inspect", "/x/claude-code/cli.js", "--model", "opus"], ["--model=opus"]],
  [["/bin/sh", "/home/u/bin/claude", "--effort", "high"], ["--effort=high"]],
];

Deno.test("launchArguments() keeps what still applies, each once, in a form that cannot swallow its neighbour", () => {
  for (const [argv, kept] of CASES) assert.deepEqual(launchArguments(argv), kept, JSON.stringify(argv));
});

Deno.test("launchArguments() of its own output changes nothing", () => {
  for (const [argv] of CASES) {
    const once = launchArguments(argv);
    assert.deepEqual(launchArguments(once), once, JSON.stringify(argv));
    assert.deepEqual(launchArguments(["claude", "--resume", "id", ...once]), once, JSON.stringify(argv));
  }
});

Deno.test("three resumes with the kept flags and a prompt keep each flag once and never the prompt", () => {
  let argv = ["claude", "--dangerously-skip-permissions", "--model", "opus", "delete everything"];
  for (let round = 0; round < 3; round++) {
    argv = ["claude", "--resume", "id", ...launchArguments(argv), "again"];
  }
  assert.deepEqual(launchArguments(argv), ["--dangerously-skip-permissions", "--model=opus"]);
});

Deno.test("launchArguments() of generated lines keeps only known flags and is stable", () => {
  const words = [
    "--model",
    "--add-dir",
    "--debug",
    "-d",
    "-p",
    "-n",
    "--tools",
    "x",
    "--",
    "--ide",
    "-",
    "--chrome=1",
  ];
  let seed = 3;
  const next = () => words[(seed = (seed * 1103515245 + 12345) % 2147483648) % words.length];
  for (let round = 0; round < 20_000; round++) {
    const kept = launchArguments(["claude", ...Array.from({ length: round % 7 }, next)]);
    assert.deepEqual(launchArguments(kept), kept);
    assert.ok(kept.every((word) => /^--(model|add-dir|debug|tools|ide)(=|$)/.test(word)), kept.join(" "));
  }
});

Deno.test("stripInterpreter() leaves the arguments alone", () => {
  assert.deepEqual(stripInterpreter(["node", "cli.js", "a"]), ["a"]);
  assert.deepEqual(stripInterpreter(["claude", "a", "-b"]), ["a", "-b"]);
  assert.deepEqual(stripInterpreter(["--model=x"]), ["--model=x"]);
  assert.deepEqual(stripInterpreter([]), []);
});

// Whose event is it: every chain of processes that was measured , and the ones that lie.
import assert from "node:assert/strict";
import { chainAbove } from "../src/claude/process.ts";
import { type ChainLink, type Owner, type OwnerFacts, ownerOf } from "../src/identity/owner.ts";
import { processTable, type Row, TTY } from "./helpers/process_table.ts";

const PANE = 100;

function link(pid: number, change: Partial<ChainLink> = {}): ChainLink {
  const base = { started: String(pid), name: "x", session: pid, isClaude: false, readable: true };
  return { pid, terminal: 0, kind: "interactive", ...base, ...change };
}

const shell = link(PANE, { name: "bash", terminal: TTY });
const hookShell = link(400, { name: "sh" });
const claude = link(200, { name: "claude", terminal: TTY, session: PANE, isClaude: true });
const server = link(50, { name: "tmux: server" });

function judge(chain: ChainLink[], facts: Partial<OwnerFacts> = {}): Owner {
  const base = { panePid: PANE, entrypoint: "cli", claudePid: null, agentType: null, attended: "1" };
  return ownerOf({ chain, ...base, ...facts });
}

/** `200 interactive`, or why not. */
function say(owner: Owner): string {
  return owner.own ? `${owner.claude.pid} ${owner.kind}` : owner.because;
}

interface Case {
  what: string;
  chain: ChainLink[];
  facts?: Partial<OwnerFacts>;
  verdict: string | RegExp;
}

const nested = link(300, { name: "claude", session: 290, isClaude: true, kind: "headless" });
const toolShell = link(290, { name: "bash", session: 290 });
const nestedShell = link(410, { name: "sh", session: 410 });
const renamed = link(300, { name: "helper", session: 290 });

const CASES: Case[] = [
  { what: "own", chain: [hookShell, claude, shell, server], verdict: "200 interactive" },
  {
    what: "own, the sh of the hook is gone (exec)",
    chain: [claude, shell, server],
    verdict: "200 interactive",
  },
  {
    what: "own, sh of the hook wraps another shell",
    chain: [link(401, { session: 400 }), hookShell, claude, shell],
    verdict: "200 interactive",
  },
  {
    what: "own in 2.0.76, whose hooks keep the terminal and the kernel session",
    chain: [link(400, { name: "sh", terminal: TTY, session: PANE }), claude, shell],
    facts: { attended: null },
    verdict: "200 interactive",
  },
  {
    what: "nested -p in 2.0.76, which calls itself cli and hides its arguments",
    chain: [link(410, { session: 290 }), { ...nested, kind: "interactive" }, toolShell, claude, shell],
    facts: { attended: null },
    verdict: "its Claude has no terminal",
  },
  {
    what: "own, started by a wrapper that did not exec",
    chain: [hookShell, claude, link(150, { name: "nice", terminal: TTY, session: PANE }), shell, server],
    verdict: "200 interactive",
  },
  {
    what: "own, started by a shell script that did not exec",
    chain: [hookShell, claude, link(150, { name: "sh", terminal: TTY, session: PANE }), shell, server],
    verdict: "200 interactive",
  },
  {
    what: "own, Claude is the pane's own process",
    chain: [hookShell, { ...claude, pid: PANE }, server],
    verdict: "100 interactive",
  },
  {
    what: "own, renamed executable, CLAUDE_PID in the chain",
    chain: [hookShell, { ...claude, isClaude: false }, shell],
    facts: { claudePid: 200 },
    verdict: "200 interactive",
  },
  {
    what: "own, no entrypoint told",
    chain: [hookShell, claude, shell],
    facts: { entrypoint: null },
    verdict: /^200/,
  },
  {
    what: "own, empty entrypoint",
    chain: [hookShell, claude, shell],
    facts: { entrypoint: "" },
    verdict: /^200/,
  },
  {
    what: "own, in a second Claude of the same shell while another is suspended beside it",
    chain: [hookShell, claude, shell],
    verdict: /^200/,
  },
  {
    what: "nested -p in a Bash tool",
    chain: [nestedShell, nested, toolShell, claude, shell, server],
    facts: { entrypoint: "sdk-cli", attended: "0" },
    verdict: "the entrypoint is sdk-cli",
  },
  {
    what: "nested -p that lies about its entrypoint",
    chain: [nestedShell, nested, toolShell, claude, shell],
    verdict: "its Claude has no terminal",
  },
  {
    what: "nested -p that is told the outer CLAUDE_PID",
    chain: [nestedShell, nested, toolShell, claude, shell],
    facts: { claudePid: 200, entrypoint: null },
    verdict: "its Claude has no terminal",
  },
  {
    what: "nested Claude under a name nobody knows, with the outer CLAUDE_PID",
    chain: [nestedShell, renamed, toolShell, claude, shell],
    facts: { claudePid: 200, entrypoint: null },
    verdict: /may be a nested Claude/,
  },
  {
    what: "nested interactive Claude in a terminal of its own",
    chain: [nestedShell, { ...nested, kind: "interactive", terminal: TTY + 1 }, toolShell, claude, shell],
    verdict: "its Claude has another terminal",
  },
  {
    what: "nested interactive Claude on the same terminal (from an editor)",
    chain: [nestedShell, { ...nested, kind: "interactive", terminal: TTY }, claude, shell],
    verdict: "its Claude was started by another Claude",
  },
  {
    what: "nested under the pane's own process",
    chain: [nestedShell, { ...nested, kind: "interactive", terminal: TTY }, { ...claude, pid: PANE }],
    verdict: "its Claude was started by another Claude",
  },
  {
    what: "claude -p typed by the user",
    chain: [hookShell, { ...claude, kind: "headless" }, shell],
    facts: { entrypoint: null },
    verdict: "its Claude is headless",
  },
  {
    what: "teammate by its arguments",
    chain: [hookShell, { ...claude, pid: PANE, kind: "teammate" }, server],
    facts: { agentType: "mate", attended: "0" },
    verdict: "100 teammate",
  },
  {
    what: "teammate by attended 0 on a terminal",
    chain: [hookShell, claude, shell],
    facts: { attended: "0" },
    verdict: "200 teammate",
  },
  {
    what: "teammate by agent_type, nothing else known",
    chain: [hookShell, { ...claude, readable: false }, shell],
    facts: { agentType: "mate", attended: null },
    verdict: "200 teammate",
  },
  {
    what: "the user's own agent (flag or setting) on a version that tells no ATTENDED",
    chain: [hookShell, claude, shell],
    facts: { agentType: "reviewer", attended: null },
    verdict: "200 interactive",
  },
  {
    what: "the user's own agent, attended",
    chain: [hookShell, { ...claude, readable: false }, shell],
    facts: { agentType: "reviewer", attended: "1" },
    verdict: "200 interactive",
  },
  {
    what: "background agent",
    chain: [
      hookShell,
      { ...claude, terminal: 0, kind: "background" },
      link(210, { isClaude: true }),
      link(1),
    ],
    verdict: "the hook does not descend from the pane's process",
  },
  {
    what: "background session that runs below the pane",
    chain: [hookShell, { ...claude, kind: "background" }, shell],
    verdict: "its Claude is background",
  },
  { what: "container", chain: [hookShell, claude, link(1)], verdict: /does not descend/ },
  {
    what: "stale TMUX_PANE",
    chain: [hookShell, claude, link(101, { terminal: TTY }), server],
    verdict: /descend/,
  },
  { what: "no chain", chain: [], verdict: /descend/ },
  {
    what: "a hook run by hand in a shell",
    chain: [link(400, { terminal: TTY, session: PANE }), shell],
    verdict: /no Claude was recognised/,
  },
  {
    what: "CLAUDE_PID that is not in the chain",
    chain: [hookShell, { ...claude, isClaude: false }, shell],
    facts: { claudePid: 999 },
    verdict: /no Claude was recognised/,
  },
  {
    what: "the pane's process is above a Claude beyond the pane",
    chain: [hookShell, shell, server, link(40, { isClaude: true, terminal: TTY })],
    verdict: /no Claude was recognised/,
  },
  {
    what: "pane and Claude without terminals",
    chain: [hookShell, { ...claude, terminal: 0 }, { ...shell, terminal: 0 }],
    verdict: "its Claude has no terminal",
  },
];

for (const { what, chain, facts, verdict } of CASES) {
  Deno.test(`whose event: ${what}`, () => {
    const said = say(judge(chain, facts));
    if (typeof verdict === "string") assert.equal(said, verdict);
    else assert.match(said, verdict);
  });
}

Deno.test("an IDE's or SDK's entrypoint never owns a pane", () => {
  for (const entrypoint of ["sdk-cli", "sdk-ts", "claude-vscode", "mcp", "remote", "CLI"]) {
    assert.equal(judge([hookShell, claude, shell], { entrypoint }).own, false, entrypoint);
  }
});

/** Processes of a pane, the hook last. */
function chainOf(rows: Row[], hook: number): ChainLink[] {
  return chainAbove(processTable(rows), hook, PANE);
}

const SHELL_ROW: Row = { pid: PANE, name: "bash", argv: ["bash"] };

Deno.test("chainAbove() reads the same chain under dash, bash and busybox", () => {
  for (
    const argv of [["/bin/sh", "-c", "x hook"], ["bash", "-c", "x hook"], ["busybox", "sh", "-c", "x hook"]]
  ) {
    const chain = chainOf([
      SHELL_ROW,
      { pid: 200, parent: PANE, session: PANE, name: "claude", argv: ["claude"] },
      { pid: 400, parent: 200, terminal: 0, argv },
      { pid: 401, parent: 400, session: 400, terminal: 0, name: "deno", argv: ["deno", "run"] },
    ], 401);
    assert.deepEqual(chain.map(({ pid }) => pid), [400, 200, PANE]);
    assert.equal(say(judge(chain)), "200 interactive", argv.join(" "));
  }
});

Deno.test("a wrapper script that is itself called claude does not count as an outer Claude", () => {
  const chain = chainOf([
    SHELL_ROW,
    { pid: 150, parent: PANE, session: PANE, name: "claude", argv: ["/bin/sh", "/home/u/bin/claude", "x"] },
    {
      pid: 200,
      parent: 150,
      group: 150,
      session: PANE,
      name: "claude",
      argv: ["/opt/claude", "--model", "x"],
    },
    { pid: 400, parent: 200, terminal: 0 },
    { pid: 401, parent: 400, session: 400, terminal: 0 },
  ], 401);
  assert.equal(say(judge(chain)), "200 interactive");
});

Deno.test("a subshell of a Claude that is a script is not the Claude", () => {
  const argv = ["/bin/sh", "/home/u/bin/claude"];
  const chain = chainOf([
    SHELL_ROW,
    { pid: 150, parent: PANE, session: PANE, name: "claude", argv },
    { pid: 160, parent: 150, group: 150, session: PANE, name: "claude", argv },
    { pid: 400, parent: 160, terminal: 0 },
    { pid: 401, parent: 400, session: 400, terminal: 0 },
  ], 401);
  assert.equal(say(judge(chain)), "150 interactive");
});

Deno.test("a loop in a torn reading of the process table ends", () => {
  const rows: Row[] = [{ pid: 10, parent: 11 }, { pid: 11, parent: 10 }, { pid: 12, parent: 10 }];
  assert.ok(chainAbove(processTable(rows), 12).length <= 64);
});

// Does this hook event come from the pane's own Claude? Pure: a table of process facts in, a verdict out.
// No single variable decides, each of them can leak.
import type { ClaudeProcess } from "../binding.ts";

/** One ancestor of the hook. */
export interface ChainLink {
  pid: number;
  /** Start time in the kernel's unit. */
  started: string;
  name: string;
  /** Device number of its controlling terminal, 0 without one. */
  terminal: number;
  /** Kernel session (setsid). */
  session: number;
  isClaude: boolean;
  /** What its arguments say; means something for a Claude only. */
  kind: ClaudeProcess["kind"];
  /** Its arguments could be read, so `kind` is known. */
  readable: boolean;
}

export interface OwnerFacts {
  /** Ancestors of the hook, nearest first, at least up to the pane's process. */
  chain: ChainLink[];
  /** #{pane_pid} of the pane that TMUX_PANE names. */
  panePid: number;
  /** CLAUDE_CODE_ENTRYPOINT, null when it is not set. */
  entrypoint: string | null;
  /** CLAUDE_PID, null when it is not set. */
  claudePid: number | null;
  /** `agent_type` of the event. */
  agentType: string | null;
  /** CLAUDE_CODE_SESSION_ATTENDED. */
  attended: string | null;
}

export type Owner =
  | { own: true; claude: ChainLink; kind: "interactive" | "teammate" }
  | { own: false; because: string };

/** Whether the event belongs to the pane, and whose it is; else the reason in words. */
export function ownerOf(facts: OwnerFacts): Owner {
  const { chain, panePid, entrypoint } = facts;
  const top = chain.findIndex((link) => link.pid === panePid);
  if (top < 0) return not("the hook does not descend from the pane's process");
  if (entrypoint && entrypoint !== "cli") return not(`the entrypoint is ${entrypoint}`);
  const at = nearestClaude(chain.slice(0, top + 1), facts.claudePid);
  if (at < 0) return not("no Claude was recognised between the hook and the pane");
  const because = objection(chain.slice(0, top + 1), at);
  return because ? not(because) : { own: true, claude: chain[at], kind: kindIn(facts, chain[at]) };
}

function not(because: string): Owner {
  return { own: false, because };
}

/** CLAUDE_PID proves a Claude under another name, but a nearer Claude that is recognised comes first. */
function nearestClaude(links: ChainLink[], claudePid: number | null): number {
  return links.findIndex((link) => link.isClaude || link.pid === claudePid);
}

function objection(links: ChainLink[], at: number): string | null {
  const claude = links[at];
  const pane = links[links.length - 1];
  if (claude.terminal === 0) return "its Claude has no terminal";
  if (claude.terminal !== pane.terminal) return "its Claude has another terminal";
  if (claude.kind === "headless" || claude.kind === "background") return `its Claude is ${claude.kind}`;
  if (links.slice(at + 1).some((link) => link.isClaude)) return "its Claude was started by another Claude";
  if (isBehindAnother(links.slice(0, at), claude)) {
    return "a program that may be a nested Claude is in between";
  }
  return null;
}

/** Claude starts a hook in one kernel session of its own. A second one: a nested Claude that is not recognised. */
function isBehindAnother(between: ChainLink[], claude: ChainLink): boolean {
  const sessions = between.map((link) => link.session).filter((session) => session !== claude.session);
  return new Set(sessions).size > 1;
}

/**
 * Teammates in panes have `--agent-id` and, in newer versions, ATTENDED 0. `agent_type` is no proof beside those: a
 * user's own `--agent` and the `agent` setting fill it too (seen on 2.1.197, which tells no ATTENDED, and 2.1.332).
 */
function kindIn(facts: OwnerFacts, claude: ChainLink): "interactive" | "teammate" {
  if (claude.kind === "teammate" || facts.attended === "0") return "teammate";
  const unexplained = facts.agentType !== null && facts.attended === null && !claude.readable;
  return unexplained ? "teammate" : "interactive";
}

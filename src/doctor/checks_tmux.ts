// Which tmux there is, and what in its version matters.
import { OLDEST_TMUX } from "../install/request.ts";
import { isAtLeast } from "../tmux/format.ts";
import { type Check, fail, hidden, info, ok, skip, warn } from "./check.ts";
import type { Facts } from "./facts.ts";

export const tmuxChecks: Check[] = [
  { id: "tmux.version", group: "tmux", run: version },
  { id: "tmux.server", group: "tmux", run: server },
  { id: "tmux.answers", group: "tmux", run: answers },
  { id: "tmux.inside", group: "tmux", run: inside },
  { id: "tmux.names", group: "tmux", run: sessionNames },
];

async function version({ tmuxVersion }: Facts) {
  const found = await tmuxVersion();
  if (found === null) return fail("tmux is not on PATH", { fix: "Install tmux, or add its folder to PATH" });
  const data = { version: found };
  if (!isAtLeast(found, OLDEST_TMUX)) {
    return fail(`tmux ${found} is too old`, { fix: `Install tmux ${OLDEST_TMUX} or newer`, data });
  }
  if (!isAtLeast(found, "3.4")) {
    return info(
      `tmux ${found}: pasting into a dead pane crashes it (not through tmuxclaude, which looks first)`,
      { data },
    );
  }
  return ok(`tmux ${found}`, data);
}

/** A server outlives an upgrade of tmux: its own version counts. */
async function server({ servers, server, tmuxVersion }: Facts) {
  const { running } = await servers();
  const chosen = await server();
  if (!chosen) {
    const old = running[0];
    if (!old) return info("no tmux server is running: start one to have keys, names and saving checked too");
    return fail(`the running tmux server is ${old.version}, too old`, {
      fix: `Install tmux ${OLDEST_TMUX} or newer, then restart the server (tmux kill-server ends its panes)`,
      data: { version: old.version },
    });
  }
  const more = running.length > 1 ? `, and ${running.length - 1} more` : "";
  const installed = await tmuxVersion();
  const differs = installed !== null && installed !== chosen.version ? ` (installed is ${installed})` : "";
  return ok(`a server runs at ${hidden(chosen.socket)}, tmux ${chosen.version}${differs}${more}`, {
    socket: chosen.socket,
    version: chosen.version,
    servers: running.length,
  });
}

async function answers({ servers }: Facts) {
  const { hung } = await servers();
  if (hung.length === 0) return ok("every server answers");
  return fail(`the tmux server at ${hidden(hung[0])} does not answer`, {
    fix: "See what it is doing (ps, top); nothing can be saved or revived there meanwhile",
    data: { sockets: hung },
  });
}

function inside({ system }: Facts) {
  if (system.env("TMUX")) return ok("run inside tmux", { inside: true });
  return info("run outside tmux: the default server is looked at", { data: { inside: false } });
}

async function sessionNames({ server, serverState }: Facts) {
  const chosen = await server();
  if (!chosen) return skip("no tmux server is running");
  const odd = (await serverState()).sessions.filter((name) => /[.:]/.test(name));
  if (odd.length === 0) return ok("session names can be saved and restored");
  return warn(`tmux-resurrect cannot restore a session named ${hidden(odd[0])}: it has a "." or ":" in it`, {
    fix: "Rename it: tmux rename-session",
    data: { sessions: odd.length },
  });
}

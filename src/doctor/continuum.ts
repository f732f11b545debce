// tmux-continuum: what it needs to save by itself, and how it falls silent.
import { type Finding, info, ok, warn } from "./check.ts";
import type { Facts } from "./facts.ts";
import type { ServerState } from "./server_state.ts";

const INTERVAL_MINUTES = 15;

/** Minutes between two saves, 0 when they are switched off. */
export function intervalOf({ options }: ServerState): number {
  const value = options["@continuum-save-interval"];
  return value === "" ? INTERVAL_MINUTES : Number(value) || 0;
}

/** Whether its job hangs on the status line. */
export function isCarried({ options }: ServerState): boolean {
  return options["status-right"].includes("continuum_save.sh");
}

/** Whether tmux-continuum saves by itself, and if not, why. */
export async function continuum(facts: Facts, state: ServerState): Promise<Finding> {
  const data = { interval_minutes: intervalOf(state), carried: isCarried(state), clients: state.clients };
  if (!isCarried(state)) return silent(facts, data);
  if (data.interval_minutes === 0) {
    return warn("tmux-continuum's saving is switched off (@continuum-save-interval 0)", {
      fix: "set -g @continuum-save-interval 15, or save by hand: prefix + C-s",
      data,
    });
  }
  if (state.options.status === "off") {
    return warn("tmux-continuum saves only while a status line is drawn, and status is off", {
      fix: "set -g status on, or save by hand: prefix + C-s",
      data,
    });
  }
  const { running } = await facts.servers();
  if (running.length > 1) {
    return info(`${running.length} tmux servers run: they share tmux-resurrect's last save`, { data });
  }
  const waits = state.clients === 0 ? "; it saves only while a client is attached, and none is" : "";
  return ok(`tmux-continuum saves every ${data.interval_minutes} minutes${waits}`, data);
}

/** Its job hangs on status-right, which a theme may overwrite, and which it leaves alone while other servers run. */
async function silent(facts: Facts, data: Record<string, unknown>): Promise<Finding> {
  const { system } = facts;
  const home = system.env("HOME") ?? "";
  const config = system.env("XDG_CONFIG_HOME") || `${home}/.config`;
  const folders = [`${home}/.tmux/plugins`, `${config}/tmux/plugins`, `${home}/.local/share/tmux/plugins`];
  const installed = folders.some((folder) => system.files.stat(`${folder}/tmux-continuum/continuum.tmux`));
  if (!installed) {
    return info("tmux-continuum is not loaded: saves are made by hand (prefix + C-s)", {
      fix: "To save by itself: set -g @plugin 'tmux-plugins/tmux-continuum'",
      data,
    });
  }
  const silence = "tmux-continuum is silent: its job is not in status-right, so nothing is saved by itself";
  const others = await otherServers(facts);
  if (others === 0) {
    return warn(silence, {
      fix:
        "Load it after the theme that sets status-right, as the last plugin, then reload your configuration",
      data,
    });
  }
  return warn(`${silence}; it stays so where it is loaded while other tmux servers run (now ${others})`, {
    fix: "End the others and reload your configuration, or save by hand: prefix + C-s",
    data: { ...data, other_servers: others },
  });
}

/** As tmux-continuum counts them: the user's processes whose command line begins with tmux, whatever their socket. */
async function otherServers({ system, survey }: Facts): Promise<number> {
  const { pid: own } = (await survey()).server;
  const { processes } = system;
  return processes.all().filter(({ pid, name }) =>
    pid !== own && name === "tmux: server" && processes.argv(pid)[0]?.startsWith("tmux") &&
    processes.owner(pid) === system.uid
  ).length;
}

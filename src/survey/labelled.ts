// The labels of a binding (team, episode), read from the environment, tmux and the teams file.
import type { Binding, PaneAddress } from "../binding.ts";
import { resolveEpisode } from "../labels/episode.ts";
import { resolveTeam, type TeamTable, toTeamTable } from "../labels/team.ts";
import { teamsFile, variable } from "../labels/variables.ts";
import type { System } from "../system/system.ts";

/** The binding with its team and episode as they are now. An unreadable teams file leaves it unassigned. */
export function labelled(system: System, binding: Binding, pane: PaneAddress & { team: string }): Binding {
  const facts = {
    declared: variable(system.env, "team"),
    option: pane.team || null,
    tmuxSession: pane.tmux_session,
    name: binding.name,
    cwd: binding.cwd,
  };
  return { ...binding, team: resolveTeam(facts, readTeams(system)), episode: episodeOf(system, binding) };
}

function readTeams(system: System): TeamTable {
  const path = teamsFile(system.env);
  if (path === null) return toTeamTable(null);
  try {
    // Reading a pipe would wait for its writer, and Claude for the hook.
    return toTeamTable(system.files.stat(path)?.kind === "file" ? system.files.readText(path) : "");
  } catch {
    return toTeamTable("");
  }
}

function episodeOf(system: System, binding: Binding) {
  const root = variable(system.env, "episodes");
  const roots = root === null ? [] : [root, ...realPath(system, root)];
  return resolveEpisode({
    arguments: binding.arguments,
    cwd: binding.cwd,
    roots,
    declared: variable(system.env, "episode"),
  });
}

function realPath(system: System, path: string): string[] {
  try {
    return [system.files.realPath(path)];
  } catch {
    return [];
  }
}

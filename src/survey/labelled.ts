// The labels of a binding (team, episode), read from the environment, tmux and the teams file.
import type { Binding, PaneAddress } from "../binding.ts";
import { resolveEpisode } from "../labels/episode.ts";
import { resolveTeam, type TeamTable, toTeamTable } from "../labels/team.ts";
import { teamsFile, variable } from "../labels/variables.ts";
import { realPathOf } from "../system/lenient.ts";
import { readPlainText } from "../system/plain_file.ts";
import type { System } from "../system/system.ts";

/**
 * The binding, and its candidate, with team and episode as they are now. An unreadable teams file leaves them
 * unassigned.
 */
export function labelled(system: System, binding: Binding, pane: PaneAddress & { team: string }): Binding {
  const facts = {
    declared: variable(system.env, "team"),
    option: pane.team || null,
    tmuxSession: pane.tmux_session,
    name: binding.name,
    cwd: binding.cwd,
  };
  const candidate = binding.candidate && labelled(system, binding.candidate, pane);
  const team = resolveTeam(facts, readTeams(system));
  return { ...binding, candidate, team, episode: episodeOf(system, binding) };
}

/** A larger file (bytes) is no list of teams: the hook reads it each time. */
const TEAMS_LIMIT = 1024 * 1024;

function readTeams(system: System): TeamTable {
  const path = teamsFile(system.env);
  if (path === null) return toTeamTable(null);
  try {
    return toTeamTable(readPlainText(system, path, TEAMS_LIMIT));
  } catch {
    return toTeamTable("");
  }
}

function episodeOf(system: System, binding: Binding) {
  const root = variable(system.env, "episodes");
  const roots = root === null ? [] : [root, realPathOf(system, root)];
  return resolveEpisode({
    arguments: binding.arguments,
    cwd: binding.cwd,
    roots,
    declared: variable(system.env, "episode"),
  });
}

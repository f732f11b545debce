// Names under which users set our labels: ours first, then the ones of the session-continuity practice (MIADI_…).
// The only table of aliases. Pure: the environment is passed in.

/**
 * By label. The practice's folder for session data is left out: its binding lines are our journal, which must be found
 * also by programs that tmux starts without the variables of a shell.
 */
export const VARIABLES = {
  /** The team of one agent, over every other rule. */
  team: ["TMUXCLAUDE_TEAM", "MIADI_TEAM"],
  /** Path of the teams file. */
  teamsFile: ["TMUXCLAUDE_TEAMS_FILE", "MIADI_TEAMS_FILE"],
  /** A clone that holds the teams file as `teams/teams.json`. */
  kitRoot: ["MIADI_ORCHESTRATION_KIT_ROOT"],
  /** Folder that holds one directory for each episode. */
  episodes: ["TMUXCLAUDE_EPISODES", "MIADI_CHRONICLE_ROOT"],
  /** The episode to fall back on. Exported in every shell, so it counts last. */
  episode: ["TMUXCLAUDE_EPISODE", "MIADI_CHRONICLE_PROD_EPISODE"],
} as const;

/** tmux session options that declare a team, first one wins. */
export const TEAM_OPTIONS = ["@tmuxclaude-team", "@miadi-team"] as const;

/** Reads one variable, undefined when it is not set. */
export type Environment = (name: string) => string | undefined;

/** The first of a label's variables that is set and not blank, trimmed, else null. */
export function variable(env: Environment, label: keyof typeof VARIABLES): string | null {
  for (const name of VARIABLES[label]) {
    const value = env(name)?.trim();
    if (value) return value;
  }
  return null;
}

/** Path of the teams file, null when none is named. */
export function teamsFile(env: Environment): string | null {
  const root = variable(env, "kitRoot");
  return variable(env, "teamsFile") ??
    (root === null ? null : `${root.replace(/\/+$/, "")}/teams/teams.json`);
}

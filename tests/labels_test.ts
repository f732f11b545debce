// Teams and episodes, in the order that the session-continuity practice gives.
import assert from "node:assert/strict";
import { type EpisodeFacts, resolveEpisode } from "../src/labels/episode.ts";
import { resolveTeam, type TeamFacts, toTeamTable } from "../src/labels/team.ts";
import { teamsFile, variable } from "../src/labels/variables.ts";

const TEAMS = JSON.stringify({
  version: 1,
  about: "ignored",
  teams: [
    { id: "T1", sessions: ["gaia-disk"], folders: ["/work"], name_patterns: ["^gaia-"], human_lead: "x" },
    { id: "T2", sessions: ["kafka"], folders: ["/work/deep/"], name_patterns: ["eda-broker"] },
    { id: "T3", sessions: ["mino-01"], folders: [], name_patterns: ["^mino-", "*globbed"] },
  ],
});

function teamOf(facts: Partial<TeamFacts>, text: string | null = TEAMS): string {
  const none = { declared: null, option: null, tmuxSession: null, name: null, cwd: null };
  const { id, source } = resolveTeam({ ...none, ...facts }, toTeamTable(text));
  return `${id} ${source}`;
}

Deno.test("a team is declared, else found by session, longest folder, name pattern, else unassigned", () => {
  const cases: [Partial<TeamFacts>, string][] = [
    [{ declared: "T9", option: "T8", tmuxSession: "kafka" }, "T9 declared"],
    [{ declared: " ", option: " T8 ", tmuxSession: "kafka" }, "T8 declared"],
    [{ tmuxSession: "gaia-disk", cwd: "/elsewhere" }, "T1 session"],
    [{ tmuxSession: "other", name: "mino-01" }, "T3 session"],
    [{ tmuxSession: "kafka", cwd: "/work/x" }, "T2 session"],
    [{ cwd: "/work" }, "T1 folder"],
    [{ cwd: "/work/deep" }, "T2 folder"],
    [{ cwd: "/work/deep/x", tmuxSession: "gaia-new" }, "T2 folder"],
    [{ cwd: "/workshop" }, "unassigned no rule matched"],
    [{ tmuxSession: "new-eda-broker-lab" }, "T2 name"],
    [{ name: "gaia-new" }, "T1 name"],
    [{ name: "my globbed" }, "T3 name"],
    [{ tmuxSession: "", name: "" }, "unassigned no rule matched"],
  ];
  for (const [facts, team] of cases) assert.equal(teamOf(facts), team, JSON.stringify(facts));
});

Deno.test("a teams file that is missing or damaged leaves the team unassigned and says why", () => {
  assert.equal(teamOf({ cwd: "/work" }, null), "unassigned no teams file");
  for (const text of ["", "{", "null", "7", '{"teams": {}}', '"x"']) {
    assert.equal(teamOf({ cwd: "/work" }, text), "unassigned unreadable teams file", text);
  }
  assert.equal(teamOf({ declared: "T1" }, "{"), "T1 declared");
});

Deno.test("entries of another shape are left out, the others count", () => {
  const text = JSON.stringify({
    teams: [null, 7, [], {}, { id: "" }, { id: 5, folders: ["/work"] }, {
      id: "A",
      folders: "/work",
      sessions: [1],
    }, {
      id: "B",
      folders: ["", "/", 7, "/work"],
      name_patterns: ["(", "x".repeat(300)],
    }],
  });
  assert.equal(teamOf({ cwd: "/work" }, text), "B folder");
  assert.equal(teamOf({ cwd: "/other", name: "(" }, text), "B name");
  assert.equal(teamOf({ cwd: "/other", name: "constructor" }, text), "unassigned no rule matched");
  assert.equal(
    teamOf({ cwd: "/work" }, "\uFEFF" + JSON.stringify([{ id: "C", folders: ["/work"] }])),
    "C folder",
  );
});

const A = "2026-06-28-episode-103-film-preprod";
const B = "2026-09-27-episode-548-before-choosing";

function episodeOf(facts: Partial<EpisodeFacts>): string | null {
  const base = { arguments: [], cwd: "/elsewhere", roots: ["/c", "/real/c/"], declared: null };
  const label = resolveEpisode({ ...base, ...facts });
  return label && `${label.id} ${label.source}`;
}

Deno.test("an episode is found by --add-dir, then by the folder, then it is the declared one", () => {
  const cases: [Partial<EpisodeFacts>, string | null][] = [
    [{ arguments: [`--add-dir=/c/${A}`] }, `${A} add-dir`],
    [{ arguments: ["--add-dir=/tmp", "--model=x", `--add-dir=/c/${B}/chapters/`] }, `${B} add-dir`],
    [{ arguments: [`--add-dir=/c/${A}`], cwd: `/c/${B}` }, `${A} add-dir`],
    [{ arguments: [`--add-dir=../${A}`], cwd: `/c/${B}` }, `${A} add-dir`],
    [{ arguments: ["--add-dir=/c/../x"], cwd: "/y" }, null],
    [{ cwd: `/c/${B}/chapters` }, `${B} cwd`],
    [{ cwd: `/real/c/${B}` }, `${B} cwd`],
    [{ cwd: "/c/_staging/x" }, null],
    [{ cwd: `/c/_staging/${A}` }, null],
    [{ cwd: "/c" }, null],
    [{ cwd: "/c/2026-09-27-episode-548" }, null],
    [{ cwd: `/cc/${A}` }, null],
    [{ declared: A }, `${A} declared`],
    [{ declared: `/c/${A}/` }, `${A} declared`],
    [{ declared: A, cwd: `/c/${B}` }, `${B} cwd`],
    [{ declared: A, cwd: `/c/${B}`, roots: [] }, `${A} declared`],
    [{ declared: " " }, null],
    [{ declared: "/" }, null],
    [{ roots: ["", "/"], cwd: `/${A}` }, null],
    [{}, null],
  ];
  for (const [facts, episode] of cases) assert.equal(episodeOf(facts), episode, JSON.stringify(facts));
});

Deno.test("each label has our variable and the practice's own name for it", () => {
  const env = (values: Record<string, string>) => (name: string) => values[name];
  assert.equal(variable(env({ TMUXCLAUDE_TEAM: "A", MIADI_TEAM: "B" }), "team"), "A");
  assert.equal(variable(env({ TMUXCLAUDE_TEAM: " ", MIADI_TEAM: " B " }), "team"), "B");
  assert.equal(variable(env({}), "team"), null);
  assert.equal(variable(env({ MIADI_CHRONICLE_ROOT: "/c" }), "episodes"), "/c");
  assert.equal(variable(env({ MIADI_CHRONICLE_PROD_EPISODE: "x" }), "episode"), "x");
  assert.equal(teamsFile(env({ MIADI_ORCHESTRATION_KIT_ROOT: "/kit/" })), "/kit/teams/teams.json");
  assert.equal(teamsFile(env({ MIADI_TEAMS_FILE: "/t", MIADI_ORCHESTRATION_KIT_ROOT: "/kit" })), "/t");
  assert.equal(teamsFile(env({})), null);
});

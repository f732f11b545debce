// Which team a conversation belongs to. Pure: facts and the teams file's text in, a label with its rule out.
//
// The teams file: {"teams": [{"id": "T1", "sessions": ["name", …], "folders": ["/abs/path", …],
// "name_patterns": ["^regular expression", …]}, …]}. Names are those of the tmux session and of the conversation.
// Other keys are ignored, and so is an entry that has another shape.
import { type Label, UNASSIGNED } from "../binding.ts";
import { toRecord, toText, toTexts } from "../from_disk.ts";

export interface Team {
  id: string;
  sessions: string[];
  folders: string[];
  patterns: RegExp[];
}

export interface TeamTable {
  teams: Team[];
  /** What an unassigned label gives as its source. */
  otherwise: "no rule matched" | "no teams file" | "unreadable teams file";
}

export interface TeamFacts {
  /** The variable in Claude's environment. */
  declared: string | null;
  /** The tmux session option. */
  option: string | null;
  tmuxSession: string | null;
  /** Name of the conversation. */
  name: string | null;
  cwd: string | null;
}

/** Longest name and pattern that are matched: a user's pattern may backtrack. */
const LIMIT = 200;

/** The table in the text of a teams file; null text: there is none. Never throws. */
export function toTeamTable(text: string | null): TeamTable {
  if (text === null) return { teams: [], otherwise: "no teams file" };
  const value = parse(text);
  const list = Array.isArray(value) ? value : toRecord(value)?.teams;
  if (!Array.isArray(list)) return { teams: [], otherwise: "unreadable teams file" };
  return { teams: list.map(toTeam).filter((team) => team !== null), otherwise: "no rule matched" };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return null;
  }
}

function toTeam(value: unknown): Team | null {
  const found = toRecord(value);
  const id = toText(found?.id)?.trim();
  if (!found || !id) return null;
  return {
    id,
    sessions: filled(toTexts(found.sessions)),
    folders: filled(toTexts(found.folders).map((folder) => folder.replace(/\/+$/, ""))),
    patterns: filled(toTexts(found.name_patterns)).map(toPattern).filter((pattern) => pattern !== null),
  };
}

function filled(texts: string[]): string[] {
  return texts.filter((text) => text !== "");
}

/** A regular expression. What is none (`*-kafka`) is read as the glob that it looks like. */
function toPattern(text: string): RegExp | null {
  if (text.length > LIMIT) return null;
  try {
    return new RegExp(text);
  } catch {
    const escaped = text.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");
    return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`);
  }
}

/** The team: declared, then session names, then the longest folder, then name patterns, else `unassigned`. */
export function resolveTeam(facts: TeamFacts, table: TeamTable): Label {
  const declared = facts.declared?.trim() || facts.option?.trim();
  if (declared) return { id: declared, source: "declared" };
  const names = [facts.tmuxSession, facts.name].filter((name) => name !== null && name !== "") as string[];
  return bySession(names, table) ?? byFolder(facts.cwd, table) ?? byPattern(names, table) ??
    { ...UNASSIGNED, source: table.otherwise };
}

function bySession(names: string[], { teams }: TeamTable): Label | null {
  const team = teams.find(({ sessions }) => sessions.some((session) => names.includes(session)));
  return team ? { id: team.id, source: "session" } : null;
}

function byFolder(cwd: string | null, { teams }: TeamTable): Label | null {
  if (!cwd) return null;
  const all = teams.flatMap(({ id, folders }) => folders.map((folder) => ({ id, folder })));
  const within = all.filter(({ folder }) => cwd === folder || cwd.startsWith(`${folder}/`));
  within.sort((a, b) => b.folder.length - a.folder.length);
  return within.length > 0 ? { id: within[0].id, source: "folder" } : null;
}

function byPattern(names: string[], { teams }: TeamTable): Label | null {
  const short = names.map((name) => name.slice(0, LIMIT));
  const team = teams.find(({ patterns }) =>
    patterns.some((pattern) => short.some((name) => pattern.test(name)))
  );
  return team ? { id: team.id, source: "name" } : null;
}

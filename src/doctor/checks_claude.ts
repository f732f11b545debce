// Which Claude there is, where it keeps its files, and how long it keeps them.
import { findOnPath } from "../install/program.ts";
import { folderOf } from "../path.ts";
import { type Check, type Finding, hidden, info, ok, warn } from "./check.ts";
import { type Facts, LIMIT_MS, places } from "./facts.ts";
import { counted } from "../counted.ts";

export const claudeChecks: Check[] = [
  { id: "claude.version", group: "claude", run: version },
  { id: "claude.config", group: "claude", run: config },
  { id: "claude.titles", group: "claude", run: titles },
  { id: "claude.retention", group: "claude", run: retention },
];

async function version({ system }: Facts): Promise<Finding> {
  const path = findOnPath(system, "claude");
  if (!path) {
    return warn("claude is not on PATH here", { fix: "Install Claude Code, or add its folder to PATH" });
  }
  const found = await askVersion({ system }, path);
  if (found === null) return info(`claude is at ${hidden(path)}, but tells no version`, { data: { path } });
  const data = { path, version: found };
  if (/^[01]\.|^2\.0\./.test(found)) {
    return info(`Claude Code ${found}: names wait for 2.1, everything else works`, { data });
  }
  return ok(`Claude Code ${found} at ${hidden(path)}`, data);
}

async function askVersion({ system }: Pick<Facts, "system">, path: string): Promise<string | null> {
  try {
    const ran = await system.run(path, ["--version"], { limitMs: LIMIT_MS });
    return /\d+\.\d+\.\d+/.exec(ran.stdout)?.[0] ?? null;
  } catch {
    return null;
  }
}

/** Of every account: the variable's or the default, those that install was told of, or those that --config-dir names. */
function config({ system, settings }: Facts): Finding {
  const folders = settings().map(({ path }) => folderOf(path));
  const usual = places(system).claude;
  const given = system.env("CLAUDE_CONFIG_DIR") !== undefined && folders.includes(usual);
  const data = { config_dir: folders[0], from_variable: given };
  const shown = (folder: string) =>
    hidden(folder) + (given && folder === usual ? " (from CLAUDE_CONFIG_DIR)" : "");
  const gone = folders.find((folder) => system.files.stat(folder)?.kind !== "directory");
  if (gone !== undefined) {
    return warn(`Claude's folder ${shown(gone)} is not there`, {
      fix: "Start Claude once with it, or correct CLAUDE_CONFIG_DIR, --config-dir or its name",
      data,
    });
  }
  return ok(`Claude's folder is ${folders.map(shown).join(", ")}`, data);
}

function titles(facts: Facts): Finding {
  const values = facts.settings().flatMap(({ read }) => "settings" in read ? [read.settings] : []);
  if (facts.system.env("CLAUDE_CODE_DISABLE_TERMINAL_TITLE") === "1") {
    return info(
      "Claude sets no terminal titles (CLAUDE_CODE_DISABLE_TERMINAL_TITLE): windows cannot show them",
    );
  }
  if (values.some((settings) => settings.terminalTitleFromRename === false)) {
    return info(
      "a name given to a conversation does not show in the title (terminalTitleFromRename is false)",
    );
  }
  return ok("Claude shows its conversations' names as titles");
}

const DAY_MS = 86_400_000;
/** Claude's own default. */
const KEPT_DAYS = 30;
const SOON_DAYS = 7;

/** Claude deletes transcripts by their age: what is bound to a pane may be gone next week. */
async function retention(facts: Facts): Promise<Finding> {
  const days = keptDays(facts);
  const now = facts.system.now();
  const ages = (await boundTranscripts(facts)).map((modified) => (now - modified) / DAY_MS);
  const soon = ages.filter((age) => age > days - SOON_DAYS && age <= days + 1).length;
  const data = { cleanup_period_days: days, bound: ages.length, deleted_within_a_week: soon };
  if (soon === 0) return ok(`Claude keeps conversations for ${days} days`, data);
  const which = counted(soon, "bound conversation");
  return warn(`Claude deletes ${which} within a week (after ${days} days without use)`, {
    fix: 'Set "cleanupPeriodDays": 365 in settings.json, or open them once',
    data,
  });
}

function keptDays(facts: Facts): number {
  for (const { read } of facts.settings()) {
    const value = "settings" in read ? read.settings.cleanupPeriodDays : undefined;
    if (typeof value === "number" && value > 0) return value;
  }
  return KEPT_DAYS;
}

/** When the transcripts of the conversations that panes hold were last written (ms), each once. */
async function boundTranscripts({ system, server, survey }: Facts): Promise<number[]> {
  if (!await server()) return [];
  const { panes, transcript } = await survey();
  const paths = panes.map(({ binding }) => binding && transcript(binding.session_id, binding).path);
  return [...new Set(paths)].map((path) => path && system.files.stat(path)?.modified)
    .filter((time) => typeof time === "number");
}

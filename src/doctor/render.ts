// The findings as text, as JSON, and as a report to paste: three drawings of one list. Pure.
import { printable } from "../cli/width.ts";
import { withTilde } from "../path.ts";
import { type Checked, type Level, reveal } from "./check.ts";

export interface Style {
  color: boolean;
  /** Marks beyond ASCII may be used. */
  unicode: boolean;
}

const MARKS: Record<Level, { unicode: string; ascii: string; color: string }> = {
  ok: { unicode: "✓", ascii: "ok  ", color: "32" },
  info: { unicode: "·", ascii: "info", color: "36" },
  warn: { unicode: "!", ascii: "warn", color: "33" },
  fail: { unicode: "✗", ascii: "FAIL", color: "31" },
  skip: { unicode: "-", ascii: "skip", color: "2" },
};

/** One line for each check, an arrow line with the next step where there is one, the sum at the end. */
export function renderText(
  checks: Checked[],
  style: Style,
  show: (part: string) => string = (part) => part,
): string {
  const width = Math.max(...checks.map((check) => check.id.length));
  const shown = (text: string) => printable(reveal(text, show));
  const lines = checks.flatMap((check) => {
    const text = `${mark(check.level, style)} ${check.id.padEnd(width)}  ${shown(check.message)}`;
    const arrow = style.unicode ? "→" : "->";
    return check.fix ? [text, `  ${arrow} ${shown(check.fix)}`] : [text];
  });
  return [...lines, "", summary(checks, shown), ""].join("\n");
}

function mark(level: Level, { color, unicode }: Style): string {
  const { unicode: sign, ascii, color: code } = MARKS[level];
  const text = unicode ? sign : ascii;
  return color ? `\x1b[${code}m${text}\x1b[0m` : text;
}

/** Counts, and the one next step that matters most: the first failure's, else the first warning's. */
function summary(checks: Checked[], shown: (text: string) => string): string {
  const count = (level: Level) => checks.filter((check) => check.level === level).length;
  const counts = `${count("ok")} ok, ${count("info")} for your information, ${count("warn")} to look at, ${
    count("fail")
  } broken, ${count("skip")} skipped`;
  const first = checks.find((check) => check.level === "fail") ??
    checks.find((check) => check.level === "warn");
  return first?.fix ? `${counts}. Next: ${shown(first.fix)}` : `${counts}. All is well.`;
}

/** The same list for scripts. Ids are stable. */
export function toJson(checks: Checked[], isOk: boolean): Record<string, unknown> {
  const plain = (text: string | null) => text && reveal(text, (part) => part);
  return {
    ok: isOk,
    checks: checks.map(({ id, group, level, message, fix, data }) => ({
      id,
      group,
      level,
      message: plain(message),
      fix: plain(fix),
      data,
    })),
  };
}

/** What stands for this person and this machine. */
export interface Private {
  home: string;
  user: string;
  host: string;
}

/** Text for a public place: names and folders as short hashes, home as ~, user and host left out. */
export function renderReport(checks: Checked[], who: Private, hash: (text: string) => string): string {
  const text = renderText(
    checks,
    { color: false, unicode: false },
    (part) => shownPart(part, who.home, hash),
  );
  return [[who.home, "~"], [who.user, "USER"], [who.host, "HOST"]]
    .filter(([word]) => word.length > 1)
    .reduce((result, [word, instead]) => result.replaceAll(word, instead), text);
}

/** Names of folders and files that are the same on everybody's machine. */
const USUAL = new RegExp(
  "^(~|\\.?(usr|opt|etc|tmp|var|homebrew|local|bin|lib|share|state|config|cache|nvm|npm-global|claude|claude-code|tmux|" +
    "tmuxclaude|plugins|resurrect|servers|snapshots|pending)|\\.?tmux\\.conf|settings\\.json|install\\.json|" +
    "manifest\\.json|(journal|failures)\\.jsonl|tmux-\\d+|default)?$",
);

/** A path of usual names says nothing about anybody and stays. */
function shownPart(part: string, home: string, hash: (text: string) => string): string {
  const short = withTilde(part, home);
  const isUsual = /^[~/]/.test(short) && short.split("/").every((name) => USUAL.test(name));
  return isUsual ? short : `<${hash(part)}>`;
}

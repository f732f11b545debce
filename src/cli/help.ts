// The text above the flags in `tmuxclaude help COMMAND`: examples first. Pure.
import { type SettingName, settingsNamed } from "./settings.ts";

export interface Help {
  /** Command lines behind the program's name, each with what it is for. */
  examples: readonly (readonly [line: string, purpose: string])[];
  /** What it does and who calls it; lines of at most 110 characters. */
  description: string;
  /** What it reads beside flags. */
  settings?: readonly SettingName[];
}

/** Examples, prose, settings. */
export function describe({ examples, description, settings = [] }: Help): string {
  const lines = examples.map(([line, purpose]) => [`tmuxclaude ${line}`.trim(), purpose]);
  const named = settingsNamed(settings).map(({ name, meaning }) => [name, meaning]);
  return [section("EXAMPLES", lines), description, section("SETTINGS", named)]
    .filter((part) => part !== "").join("\n\n");
}

function section(title: string, rows: string[][]): string {
  if (rows.length === 0) return "";
  const width = Math.max(...rows.map(([first]) => first.length));
  return [title, ...rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`.trimEnd())].join(
    "\n",
  );
}

// What a restore does with each row, by policy. Pure.
import type { Match } from "./match.ts";

export type Policy = "lazy" | "type" | "run";

/** The policy asked for: the flag, else the tmux option, else lazy. Null for a value that is none. */
export function policyOf(flag: string | undefined, option: string): Policy | null {
  const value = flag ?? (option || "lazy");
  return value === "lazy" || value === "type" || value === "run" ? value : null;
}

/** `stamp`: nothing is typed. `type`: typed without Enter. `launch`: typed with Enter, then verified. */
export type Action = "stamp" | "type" | "launch";

/** What happens in a matched pane. What the user had ended, or what is not exact, is never launched. */
export function actionFor(match: Match, policy: Policy): Action {
  if (policy === "lazy") return "stamp";
  const launched = policy === "run" && match.running && match.binding.restored_from !== "journal";
  return launched ? "launch" : "type";
}

/** Most recently active first: those the user will look for first. */
export function byActivity(matches: Match[]): Match[] {
  return matches.toSorted((a, b) =>
    b.row.activity - a.row.activity || (a.binding.at < b.binding.at ? 1 : -1)
  );
}

/** Memory that must stay available: 16 GiB, or a quarter of the machine's when that is less. Bytes. */
export function defaultFloor(totalMemory: number | null): number {
  const most = 16 * 1024 ** 3;
  return totalMemory === null ? most : Math.min(most, totalMemory / 4);
}

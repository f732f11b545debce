// What differs between versions of Claude Code, as far as names are concerned. Pure; measured on 2.0.76, 2.1.197
// and 2.1.332.

function numbers(version: string): number[] {
  const found = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(version);
  return found ? found.slice(1).map((part) => Number(part ?? 0)) : [];
}

/** Whether a version is at least the wanted one. False for one that is unknown or cannot be read. */
export function versionAtLeast(version: string | null, wanted: string): boolean {
  const has = numbers(version ?? "");
  const want = numbers(wanted);
  if (has.length === 0) return false;
  const index = has.findIndex((part, place) => part !== want[place]);
  return index < 0 || has[index] > want[index];
}

/** Whether its hooks may answer with a sessionTitle. Absent in 2.0.76, there in every 2.1 that was tried. */
export function knowsSessionTitle(version: string | null): boolean {
  return versionAtLeast(version, "2.1.0");
}

/** Whether it keeps names apart among all that run on a machine: 2.1.332 does, 2.1.197 not; in between unknown. */
export function deduplicatesNames(version: string | null): boolean {
  return versionAtLeast(version, "2.1.198");
}

/** The first characters an input box can have: 2.1 draws `❯`, 2.0.76 `>`. Both when the version is unknown. */
export function boxMarks(version: string | null): string[] {
  if (version === null || numbers(version).length === 0) return ["❯", ">"];
  return versionAtLeast(version, "2.1.0") ? ["❯"] : [">"];
}

/**
 * The same, asked by a hook of its own environment, which costs nothing: 2.1 gives its hooks this variable, 2.0.76
 * does not (its hooks know no version).
 */
export function hookTakesTitle(env: (name: string) => string | undefined): boolean {
  return (env("CLAUDE_CODE_SESSION_ID") ?? "") !== "";
}

// Where Claude keeps its files.

/**
 * Claude's folder: CLAUDE_CONFIG_DIR (blanks around it and a `~` as users write them, claude-code#16103), else
 * `<home>/.claude`. A relative value counts from `base` (the folder Claude was started in), else from home.
 */
export function configDir(value: string | null | undefined, home: string, base = home): string {
  const given = (value ?? "").trim().replace(/(?<=.)\/+$/, "");
  if (given === "") return `${home}/.claude`;
  if (given === "~") return home;
  if (given.startsWith("~/")) return home + given.slice(1);
  return given.startsWith("/") ? given : `${base}/${given.replace(/^(\.\/)+/, "")}`;
}

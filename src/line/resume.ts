// The line that brings a conversation back, in the words of the shell that will run it. Pure.
import type { SessionId } from "../binding.ts";
import { quote, type Shell } from "./quote.ts";

export interface LineFacts {
  id: SessionId;
  /** Absolute folder to resume in. */
  cwd: string;
  /** Folder the shell is in. */
  here: string;
  /** CLAUDE_CONFIG_DIR of the conversation, null when it had none. */
  configDir: string | null;
  /** CLAUDE_CONFIG_DIR as the shell has it, null when it has none. */
  hereConfigDir: string | null;
  /** Launch flags that still apply. */
  arguments: string[];
  shell: Shell;
  /** `resume` (default); `fresh`: a new conversation; `start`: one with this id, which must own no transcript. */
  form?: "resume" | "fresh" | "start";
  /** The shell's locale is not UTF-8: type ASCII only. */
  ascii?: boolean;
}

/** `claude --resume <id>` when nothing else is needed, else with the folder, the config dir and the flags. */
export function resumeLine(facts: LineFacts): string {
  const word = (text: string) => quote(text, facts.shell, { ascii: facts.ascii });
  return changeFolder(facts, word) + configuration(facts, word) + command(facts).map(word).join(" ");
}

type Word = (text: string) => string;

function command(facts: LineFacts): string[] {
  const flag = { resume: ["--resume", facts.id], fresh: [], start: ["--session-id", facts.id] };
  return ["claude", ...flag[facts.form ?? "resume"], ...facts.arguments];
}

function changeFolder(facts: LineFacts, word: Word): string {
  const folder = withoutSlash(facts.cwd);
  if (folder === withoutSlash(facts.here)) return "";
  // A relative folder could be a flag, or be found through CDPATH.
  const cd = `cd ${word(folder.startsWith("/") ? folder : `./${folder}`)}`;
  // nushell stops at an error anyway, and has no "&&" (its book, coming_from_bash).
  return cd + (facts.shell === "nu" ? "; " : " && ");
}

const withoutSlash = (folder: string) => folder.replace(/(?<=.)\/+$/s, "");

function configuration(facts: LineFacts, word: Word): string {
  const wanted = facts.configDir || null;
  if (wanted === (facts.hereConfigDir || null)) return "";
  // fish knows VAR=value since 3.1, nushell since 0.27 at least (its tests, with_env.rs).
  if (wanted !== null) return `CLAUDE_CONFIG_DIR=${word(wanted)} `;
  return `${facts.shell === "nu" ? "^env" : "env"} -u CLAUDE_CONFIG_DIR `;
}

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
  return changeFolder(facts, word) + environment(facts, word) + claudeWords(facts).map(word).join(" ");
}

type Word = (text: string) => string;

function claudeWords(facts: LineFacts): string[] {
  const flag = { resume: ["--resume", facts.id], fresh: [], start: ["--session-id", facts.id] };
  return ["claude", ...flag[facts.form ?? "resume"], ...facts.arguments];
}

/** The folder when the shell is elsewhere. A relative one could be a flag, or be found through CDPATH. */
function otherFolder(facts: LineFacts): string | null {
  const folder = withoutSlash(facts.cwd);
  if (folder === withoutSlash(facts.here)) return null;
  return folder.startsWith("/") ? folder : `./${folder}`;
}

const withoutSlash = (folder: string) => folder.replace(/(?<=.)\/+$/s, "");

/** nushell's cd drops control characters, and other newlines (seen on 0.115): there env(1) changes the folder. */
function isForEnv(facts: LineFacts, folder: string): boolean {
  return facts.shell === "nu" && /\p{Cc}/u.test(folder);
}

function changeFolder(facts: LineFacts, word: Word): string {
  const folder = otherFolder(facts);
  if (folder === null || isForEnv(facts, folder)) return "";
  // nushell stops at an error anyway, and has no "&&".
  return `cd ${word(folder)}${facts.shell === "nu" ? "; " : " && "}`;
}

function environment(facts: LineFacts, word: Word): string {
  const folder = otherFolder(facts);
  const [wanted, here] = [facts.configDir || null, facts.hereConfigDir || null];
  const options = folder !== null && isForEnv(facts, folder) ? ["-C", folder] : [];
  if (wanted === null && here !== null) options.push("-u", "CLAUDE_CONFIG_DIR");
  const set = wanted === null || wanted === here ? null : wanted;
  // fish knows VAR=value since 3.1. nushell keeps escapes in it as they are (seen on 0.115).
  const isShort = options.length === 0 && !(facts.shell === "nu" && /^".*\\/.test(word(set ?? "")));
  if (set !== null && isShort) return `CLAUDE_CONFIG_DIR=${word(set)} `;
  if (set !== null) options.push(`CLAUDE_CONFIG_DIR=${set}`);
  const env = facts.shell === "nu" ? "^env" : "env";
  return options.length === 0 ? "" : `${env} ${options.map(word).join(" ")} `;
}

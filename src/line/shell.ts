// Which shell a program is, and whether its arguments make it show a prompt. Pure.
import type { Shell } from "./quote.ts";

const SHELLS: Record<string, Shell> = {
  sh: "posix",
  dash: "posix",
  ash: "posix",
  ksh: "posix",
  ksh93: "posix",
  mksh: "posix",
  oksh: "posix",
  yash: "posix",
  bash: "bash",
  zsh: "zsh",
  fish: "fish",
  nu: "nu",
};

/** Names of programs that are shells; busybox is one when it is called to be. */
export const SHELL_NAMES: readonly string[] = [...Object.keys(SHELLS), "busybox"];

/** The rules for a program's name: `zsh`, `-zsh` (a login shell), `/bin/bash`, `zsh-5.9`. Null: no shell we know. */
export function shellOf(name: string): Shell | null {
  const base = programName(name).replace(/-\d[\d.]*$/, "");
  return Object.hasOwn(SHELLS, base) ? SHELLS[base] : null;
}

/** `/bin/zsh` and `-zsh` as `zsh`. */
export function programName(name: string): string {
  return name.replace(/^.*\//s, "").replace(/^-/, "");
}

interface Flags {
  /** Flags that take the next argument as their value. */
  valued: string[];
  /** Flags after which the shell runs a command or answers, and ends without a prompt. */
  ending: string[];
  /** Letters with a value, also within a cluster (`-eo pipefail`). */
  valuedLetters: string;
  endingLetters: string;
}

const POSIX: Flags = {
  valued: ["--rcfile", "--init-file", "--emulate"],
  ending: ["--version", "--help", "--dump-strings", "--dump-po-strings"],
  valuedLetters: "oO",
  endingLetters: "cnD",
};

const FLAGS: Record<Shell, Flags> = {
  posix: POSIX,
  bash: POSIX,
  zsh: { ...POSIX, valuedLetters: "o", endingLetters: "cn" },
  fish: {
    valued: [
      "--init-command",
      "--debug",
      "--debug-output",
      "--features",
      "--profile",
      "--profile-startup",
      "--debug-stack-frames",
    ],
    ending: ["--command", "--no-execute", "--version", "--help", "--print-rusage-self"],
    valuedLetters: "CdDfop",
    endingLetters: "cnvh",
  },
  nu: {
    valued: [
      "--config",
      "--env-config",
      "--plugin-config",
      "--plugins",
      "--execute",
      "--include-path",
      "--table-mode",
      "--threads",
      "--error-style",
      "--log-level",
      "--log-target",
      "--log-include",
      "--log-exclude",
    ],
    ending: ["--commands", "--version", "--help", "--testbin", "--lsp", "--mcp"],
    valuedLetters: "eImt",
    endingLetters: "cvh",
  },
};

/**
 * Whether these are the arguments of a shell that shows a prompt: no script, no `-c` (also not `-ic`, which reads
 * the start files and then runs its command). Values of flags are skipped.
 */
export function isInteractiveShell(argv: string[]): boolean {
  const words = programName(argv[0] ?? "") === "busybox" ? argv.slice(1) : argv;
  const shell = shellOf(words[0] ?? "");
  if (shell === null) return false;
  const flags = FLAGS[shell];
  for (let index = 1; index < words.length; index++) {
    const kind = flagKind(words[index], flags);
    if (kind === "ending") return false;
    if (kind === "stdin" || kind === "none") return kind === "stdin" || isEnd(words, index);
    if (kind === "valued") index++;
  }
  return true;
}

/** `--` and `-` end the flags: what follows would be a script. */
function isEnd(words: string[], index: number): boolean {
  return (words[index] === "--" || words[index] === "-") && index === words.length - 1;
}

function flagKind(word: string, flags: Flags): "ending" | "valued" | "stdin" | "plain" | "none" {
  if (word.startsWith("--") && word.length > 2) {
    const name = word.split("=")[0];
    if (flags.ending.includes(name)) return "ending";
    return flags.valued.includes(word) ? "valued" : "plain";
  }
  if (!/^[-+]./.test(word) || word === "--") return "none";
  const letters = [...word.slice(1)];
  if (word[0] === "-" && letters.some((letter) => flags.endingLetters.includes(letter))) return "ending";
  if (flags.valuedLetters.includes(letters.at(-1)!)) return "valued";
  return word[0] === "-" && letters.includes("s") && flags.valuedLetters.includes("o") ? "stdin" : "plain";
}

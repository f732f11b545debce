// `tmuxclaude completions bash|zsh|fish`: a few lines for the shell, which ask this program what may stand next.
import { ExitCode } from "../errors.ts";
import type { System } from "../system/system.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type CompletionShell = (typeof SHELLS)[number];

export interface CompletionsFlags {
  shell: CompletionShell;
}

/** Prints the lines for one shell. */
export function run(system: System, { shell }: CompletionsFlags): Promise<number> {
  system.stdout(SCRIPTS[shell]);
  return Promise.resolve(ExitCode.done);
}

// Flags with a value that names a file fall back on the shell's own completion of files.
const BASH = `# tmuxclaude completions bash > ~/.local/share/bash-completion/completions/tmuxclaude
_tmuxclaude() {
  local line cur=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS= read -r line; do
    line=\${line%%$'\\t'*}
    [[ $line == "$cur"* ]] && COMPREPLY+=("$line")
  done < <(tmuxclaude complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _tmuxclaude tmuxclaude
`;

const ZSH = `#compdef tmuxclaude
# tmuxclaude completions zsh > a folder of $fpath, as _tmuxclaude; or: source <(tmuxclaude completions zsh)
_tmuxclaude() {
  local -a proposals
  local word brief
  while IFS=$'\\t' read -r word brief; do
    proposals+=("\${word//:/\\\\:}:$brief")
  done < <(tmuxclaude complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#proposals )); then _describe tmuxclaude proposals; else _files; fi
}
if [[ $funcstack[1] == _tmuxclaude ]]; then _tmuxclaude "$@"; else compdef _tmuxclaude tmuxclaude; fi
`;

const FISH = `# tmuxclaude completions fish > ~/.config/fish/completions/tmuxclaude.fish
function __tmuxclaude_complete
    set -l before (commandline -opc)
    set -l found (tmuxclaude complete -- $before[2..] (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c tmuxclaude -f -a '(__tmuxclaude_complete)'
`;

const SCRIPTS: Record<CompletionShell, string> = { bash: BASH, zsh: ZSH, fish: FISH };

// The first lines of the one-file program: a JavaScript comment that is a POSIX sh script. Pure: text in, text out.

/** What the header needs to know about the build. */
export interface HeaderFacts {
  version: string;
  denoVersion: string;
  /** Absolute path of the Deno to try first, or "" for none (a file made for other machines). */
  denoPath: string;
}

/**
 * The header, ending in a newline: put JavaScript behind it. It starts no process before it hands over to Deno.
 *
 * `":" /*` is a string and the start of a comment for JavaScript, and the do-nothing command for sh. The comment
 * closes with a semicolon, so that what follows is never taken for a call of that string.
 */
export function header(facts: HeaderFacts): string {
  const script = SCRIPT
    .replaceAll("@VERSION@", facts.version)
    .replaceAll("@DENO_VERSION@", facts.denoVersion)
    .replace("@DENO_PATH@", () => quoteForHeader(facts.denoPath));
  const closing = script.indexOf("*/");
  if (closing !== script.lastIndexOf("*/")) throw new Error(`The header would end early, at ${closing}`);
  return script;
}

/** A path as one sh word; nothing for a path that would end the comment or the line. */
function quoteForHeader(path: string): string {
  if (path.includes("*/") || /[\n\r\0]/.test(path)) return "''";
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

// -A: Deno 2.9 refuses /proc to anything less. The --no-* flags keep files of the current folder out of it.
// cd: Deno does not start in a folder that is gone, and Claude may well run in one.
// --v8-flags: the hook fills V8's first megabyte, and the collection that follows takes 1 to 4 ms of Claude's time.
// The search on PATH passes over scripts: npm's `deno` is one, runs on Node and takes ten times as long.
const SCRIPT = `#!/bin/sh
":" /* tmuxclaude @VERSION@. Lines up to the end of this comment are for sh, which finds Deno and hands over.
case "\${1-} \${2-}" in
"hook -h" | "hook --help") ;;
"hook "*) [ -n "\${TMUX-}\${TMUX_PANE-}" ] || exit 0 ;;
esac
case $0 in /*) self=$0 ;; *) self=\${PWD-.}/$0 ;; esac
cd "\${PWD:-/}" 2>/dev/null || cd /
PATH="\${PATH:+$PATH:}/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin"
case \${XDG_CACHE_HOME-} in /*) cache=$XDG_CACHE_HOME/tmuxclaude ;; *) cache=\${HOME:+$HOME/.cache/tmuxclaude} ;; esac
case \${XDG_DATA_HOME-} in /*) data=$XDG_DATA_HOME/tmuxclaude ;; *) data=\${HOME-}/.local/share/tmuxclaude ;; esac
case \${TMUXCLAUDE_CACHE_DIR-} in /*) cache=$TMUXCLAUDE_CACHE_DIR ;; esac
[ -z "$cache" ] || DENO_DIR=$cache
DENO_NO_UPDATE_CHECK=1
export PATH DENO_DIR DENO_NO_UPDATE_CHECK
deno=
for d in "\${TMUXCLAUDE_DENO-}" @DENO_PATH@ "$data/deno-@DENO_VERSION@/deno"; do
  [ -f "$d" ] && [ -x "$d" ] && { deno=$d; break; }
done
if [ -z "$deno" ]; then
  set -f
  IFS=:
  for p in $PATH "\${HOME-}/.deno/bin"; do
    d=$p/deno
    [ -f "$d" ] && [ -x "$d" ] || continue
    line=
    IFS= read -r line 2>/dev/null <"$d"
    case $line in "#!"*) ;; *) deno=$d; break ;; esac
  done
fi
if [ -z "$deno" ]; then
  [ "\${1-}" = hook ] && exit 0
  echo "tmuxclaude: Cannot start: no Deno was found on this machine, and this program runs on it." >&2
  echo "Run install.sh again (it fetches Deno @DENO_VERSION@), or set TMUXCLAUDE_DENO to the path of one." >&2
  exit 127
fi
exec "$deno" run -A --v8-flags=--min-semi-space-size=4 --no-config --no-lock --no-npm --no-remote --no-prompt --ext=js "$self" "$@"
*/;
`;

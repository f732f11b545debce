#!/bin/sh
# Prints the claude programs to test, one path a line. CLAUDE_BIN names them (several: separated by colons); without it
# the versions of CLAUDE_VERSIONS are installed with npm into a cache folder of our own, about 250 MB each, once.
set -eu

VERSIONS=${CLAUDE_VERSIONS:-2.1.332 2.1.197}

die() { # WHAT NEXT
  printf 'tests/live/claudes.sh: %s\nNext: %s\n' "$1" "$2" >&2
  exit 1
}

named() { # PATHS
  old_ifs=$IFS IFS=:
  for program in $1; do
    if ! [ -f "$program" ] || ! [ -x "$program" ]; then
      die "Cannot test $program: it is no program" "CLAUDE_BIN=/path/to/claude sh tests/run.sh --live"
    fi
    printf '%s\n' "$program"
  done
  IFS=$old_ifs
}

platform() {
  case $(uname -s)-$(uname -m) in
  Linux-x86_64) echo linux-x64 ;;
  Linux-aarch64) echo linux-arm64 ;;
  Darwin-x86_64) echo darwin-x64 ;;
  Darwin-arm64) echo darwin-arm64 ;;
  *) die "Cannot install Claude Code on $(uname -s) $(uname -m)" "CLAUDE_BIN=/path/to/claude sh tests/run.sh --live" ;;
  esac
}

installed() { # VERSION
  package=@anthropic-ai/claude-code-$PLATFORM
  folder=$CACHE/$1
  program=$folder/node_modules/$package/claude
  [ -x "$program" ] || fetch "$1"
  [ -x "$program" ] || die "Cannot test Claude Code $1: the package has no program" "look into $folder"
  printf '%s\n' "$program"
}

fetch() { # VERSION; into a folder beside its place, so that half a download is never taken for the program
  command -v npm >/dev/null 2>&1 ||
    die "Cannot install Claude Code $1: npm is not on PATH" "CLAUDE_BIN=/path/to/claude sh tests/run.sh --live"
  part=$folder.part.$$
  trap 'rm -rf "$part"' EXIT
  mkdir -p "$part"
  printf 'Installing Claude Code %s with npm into %s\n' "$1" "$folder" >&2
  npm install --prefix "$part" --no-audit --no-fund --no-save --loglevel=error "$package@$1" >&2 </dev/null ||
    die "Cannot install Claude Code $1: npm failed, see above" "CLAUDE_VERSIONS='...' sh tests/run.sh --live"
  rm -rf "$folder"
  mv "$part" "$folder"
}

main() {
  if [ -n "${CLAUDE_BIN:-}" ]; then
    named "$CLAUDE_BIN"
  else
    PLATFORM=$(platform)
    case ${XDG_CACHE_HOME:-} in /*) CACHE=$XDG_CACHE_HOME/tmuxclaude/claude ;; *) CACHE=$HOME/.cache/tmuxclaude/claude ;; esac
    for version in $VERSIONS; do installed "$version"; done
  fi
}

main "$@"

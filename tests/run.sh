#!/bin/sh
# Runs every check of the project and ends with one line: N passed, N failed. Each gate (format, lint, types, shell
# scripts, build, compile) counts as one, each test of Deno as one. It installs nothing but the pinned Deno.
# Usage: sh tests/run.sh [--only-tests] [--live] [FILTER…]   a FILTER is a part of the path of test files
# --live runs tests/live instead, on the real Claude Code (CLAUDE_BIN, else each of CLAUDE_VERSIONS, see
# tests/live/claudes.sh) and on the checkouts of the real plugins that RESURRECT_DIR and CONTINUUM_DIR name.
# TMUXCLAUDE_BIN names the program to test: default dist/tmuxclaude, which is built first; "source" is main.ts.
set -u

passed=0 failed=0 skipped=0 failures='' only_tests='' live=''

die() { # WHAT NEXT CODE
  printf 'tests/run.sh: %s\nNext: %s\n' "$1" "$2" >&2
  exit "$3"
}

note_failure() {
  failed=$((failed + 1))
  failures="$failures
  $1"
}

gate() { # NAME COMMAND…
  name=$1
  shift
  printf '\n== %s\n' "$name"
  if "$@"; then passed=$((passed + 1)); else note_failure "$name"; fi
}

prepare() {
  cd "$(dirname -- "$0")/.." || exit 1
  command -v tmux >/dev/null 2>&1 ||
    die "Cannot test: tmux is not on PATH, and the tests run real tmux servers" "apt-get install tmux" 1
  deno=$(sh install.sh --print-deno) || die "Cannot test: there is no Deno, see above" "sh install.sh --print-deno" 1
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/tmuxclaude-tests.XXXXXX") || exit 1
  trap 'rm -rf "$scratch"' EXIT
  trap 'exit 130' INT TERM
}

# A test must not see what the person at the keyboard has set: it went red for others who did (and green for us).
clean_environment() {
  DENO_DIR=${DENO_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/tmuxclaude} program=${TMUXCLAUDE_BIN:-$PWD/dist/tmuxclaude}
  unset TMUX TMUX_PANE CLAUDE_CONFIG_DIR RUST_BACKTRACE
  for variable in $(env | sed -nE 's/^((XDG|TMUXCLAUDE)_[A-Z_]*)=.*/\1/p'); do unset "$variable"; done
  NO_COLOR=1 DENO_NO_UPDATE_CHECK=1 DENO_JOBS=${DENO_JOBS:-2} DENO_TLS_CA_STORE=${DENO_TLS_CA_STORE:-mozilla,system}
  TMUXCLAUDE_BIN=$program TMUXCLAUDE_CACHE_DIR=$scratch/cache
  export DENO_DIR NO_COLOR DENO_NO_UPDATE_CHECK DENO_JOBS DENO_TLS_CA_STORE TMUXCLAUDE_BIN TMUXCLAUDE_CACHE_DIR
}

shell_files() { # *.sh, and files without an ending whose first line names a shell
  find . \( -name .git -o -name dist \) -prune -o -type f \( -name '*.sh' -o ! -name '*.*' \) -print |
    while read -r file; do
      case $(dd if="$file" bs=100 count=1 2>/dev/null | head -n 1) in '#!'*sh*) printf '%s\n' "$file" ;; esac
    done
}

build() { gate "build (deno task build)" "$deno" task --quiet build; }

gates() {
  if [ -n "$live" ]; then build && return; fi
  gate "format (deno fmt --check)" "$deno" fmt --check
  gate "lint (deno lint)" "$deno" lint --quiet
  gate "types (deno check)" "$deno" check --quiet
  if command -v shellcheck >/dev/null 2>&1; then
    # shellcheck disable=SC2046 # the repository has no file names with spaces
    gate "shell scripts (shellcheck)" shellcheck $(shell_files)
  else
    printf '\n== shell scripts: SKIPPED, shellcheck is not on PATH (apt-get install shellcheck)\n'
    skipped=$((skipped + 1))
  fi
  build
  gate "compile check (deno task compile-check)" "$deno" task --quiet compile-check
}

all_test_files() {
  if [ -n "$live" ]; then find tests/live -name '*_test.ts'; else find tests -name '*_test.ts' ! -path 'tests/live/*'; fi
}

test_files() { # FILTER…
  all_test_files | sort | while read -r file; do
    [ $# -eq 0 ] && printf '%s\n' "$file" && continue
    for filter in "$@"; do
      case $file in *"$filter"*) printf '%s\n' "$file" && break ;; esac
    done
  done
}

# Deno closes with: ok | 4 passed (3 steps) | 0 failed | 1 ignored (647ms)
count_tests() {
  line=$(sed -nE 's/^(ok|FAILED) \| ([0-9]+) passed( \([0-9]+ steps?\))? \| ([0-9]+) failed.*$/\2 \4/p' "$1" | tail -n 1)
  ignored=$(sed -nE 's/^(ok|FAILED) \| .* \| ([0-9]+) ignored.*$/\2/p' "$1" | tail -n 1)
  if [ -z "$line" ]; then note_failure "tests: Deno gave no counts" && return; fi
  [ "${line% *}" -gt 0 ] || [ "${line#* }" -gt 0 ] || note_failure "tests: not one was run"
  passed=$((passed + ${line% *})) failed=$((failed + ${line#* })) skipped=$((skipped + ${ignored:-0}))
  [ "${line#* }" -eq 0 ] || failures="$failures
  tests, see above"
}

run_tests() {
  files=$(test_files "$@")
  [ -n "$files" ] || { note_failure "tests: no file matches $*" && return; }
  [ -x "$program" ] || [ "$program" = source ] || { note_failure "tests: there is no $program, run: deno task build" && return; }
  if [ "$program" = source ]; then what=main.ts; else what=$("$program" --version) || what=$program; fi
  printf '\n== tests on %s\n' "$what"
  if [ -n "$live" ]; then run_live; else run_deno --parallel; fi
}

# One at a time: each Claude wants 300 MB and much of a processor.
run_live() {
  plugins=$(plugin tmux-resurrect "${RESURRECT_DIR:-}")$(plugin tmux-continuum "${CONTINUUM_DIR:-}")
  while read -r claude; do
    version=$(HOME=$scratch "$claude" --version </dev/null) || version="that gives no version"
    printf '\n== live tests on Claude Code %s, %s%s\n' "${version% (*}" "$(tmux -V)" "$plugins"
    LIVE_CLAUDE=$claude run_deno </dev/null
    files=$(printf '%s\n' "$files" | grep -v hundred_test) || break # it needs no Claude: once is enough
  done <"$scratch/claudes"
}

plugin() { # NAME FOLDER
  if [ -n "$2" ]; then
    printf ', %s %s' "$1" "$(git -C "$2" rev-parse --short HEAD 2>/dev/null || echo 'of unknown revision')"
  else printf ', no %s (its tests are skipped)' "$1"; fi
}

live_programs() { # a name that leads nowhere is a mistake, none at all a choice
  [ -z "${RESURRECT_DIR:-}" ] || [ -f "$RESURRECT_DIR/resurrect.tmux" ] ||
    die "Cannot test: there is no tmux-resurrect in $RESURRECT_DIR" "name a checkout of it in RESURRECT_DIR" 2
  [ -z "${CONTINUUM_DIR:-}" ] || [ -f "$CONTINUUM_DIR/continuum.tmux" ] ||
    die "Cannot test: there is no tmux-continuum in $CONTINUUM_DIR" "name a checkout of it in CONTINUUM_DIR" 2
  sh tests/live/claudes.sh >"$scratch/claudes" || exit 1
}

run_deno() { # [OPTION]
  # shellcheck disable=SC2086 # one word a file
  { "$deno" test -A --no-check "$@" $files 2>&1; echo $? >"$scratch/code"; } | tee "$scratch/log"
  before=$failed
  count_tests "$scratch/log"
  [ "$(cat "$scratch/code")" = 0 ] || [ "$failed" -gt "$before" ] || note_failure "tests: Deno ended with an error"
}

main() {
  while [ $# -gt 0 ]; do
    case $1 in
    --only-tests) only_tests=1 ;;
    --live) live=1 ;;
    -*) die "Unknown option \"$1\"" "sh tests/run.sh [--only-tests] [--live] [FILTER…]" 2 ;;
    *) break ;;
    esac
    shift
  done
  prepare
  [ -z "$live" ] || live_programs
  clean_environment
  [ -n "$only_tests" ] || gates
  run_tests "$@"
  [ -z "$failures" ] || printf '\nFailed:%s\n' "$failures"
  printf '\n%s passed, %s failed%s\n' "$passed" "$failed" "$([ "$skipped" -eq 0 ] || echo ", $skipped skipped")"
  [ "$failed" -eq 0 ]
}

main "$@"

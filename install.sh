#!/bin/sh
# Installs tmuxclaude for the user who runs it. In a checkout it builds; piped from a download it fetches the released
# program and goes on only if its sha256 is the one below. It writes into the bin directory, into
# ~/.local/share/tmuxclaude (Deno, if no right one is here) and ~/.cache/tmuxclaude, then runs `tmuxclaude install`,
# which shows what it changes. No sudo. `--dry-run` tells all of it and changes nothing, `--uninstall` takes it back.
set -eu

VERSION=0.1.0
SHA256='' # of the released program; a release fills it in
RELEASE_URL=${TMUXCLAUDE_RELEASE_URL:-https://github.com/tmuxclaude/tmuxclaude/releases/download/v$VERSION}
DENO_VERSION=2.9.6
OTHER_DENO="get Deno $DENO_VERSION from your system, then run: TMUXCLAUDE_DENO=/path/to/deno sh install.sh"
GIVEN=$# # main compares: a download cut off inside the last line calls it without its arguments

usage() {
  cat <<'TEXT'
Usage: sh install.sh [OPTIONS]

  --bin-dir DIR   put the program there (default: $XDG_BIN_HOME, else ~/.local/bin)
  --no-modify     the program only: leave Claude's settings and tmux.conf alone
  --yes           answer yes to the questions of `tmuxclaude install`
  --dry-run       say what would be done, change nothing
  --uninstall     take everything back; with --purge the records of conversations, too
  --demo          build into a scratch folder and show the whole story; installs nothing
  --print-deno    print the path of the Deno it uses, fetching it if needed
  --quiet         only warnings and errors
  --version, --help
  TMUXCLAUDE_DENO, TMUXCLAUDE_RELEASE_URL   in the environment: a Deno to use, where the released program is
TEXT
}

say() { [ -n "$QUIET" ] || printf '%s\n' "$*"; }
quietly() { # COMMAND… what it says is shown only when it fails
  said=$("$@" 2>&1) || { code=$? && printf '%s\n' "$said" >&2 && return "$code"; }
}
warn() { printf 'install.sh: %s\n' "$*" >&2; }
die() { # WHAT-AND-WHY NEXT [CODE]
  warn "$1"
  printf 'Next: %s\n' "$2" >&2
  exit "${3:-1}"
}
has() { command -v "$1" >/dev/null 2>&1; }
quote() { printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"; }
cleanup() { rm -rf ${SCRATCH:+"$SCRATCH"} ${FETCH:+"$FETCH"}; }

parse() {
  ACTION=install BIN_DIR=${XDG_BIN_HOME:-} DRY='' MODIFY=1 YES='' QUIET='' PURGE='' SCRATCH='' FETCH=''
  while [ $# -gt 0 ]; do
    case $1 in
    --demo | --print-deno | --uninstall | --version | --help) ACTION=${1#--} ;;
    --bin-dir) [ $# -gt 1 ] || die "--bin-dir needs a directory" "sh install.sh --bin-dir ~/bin" 2 && shift && BIN_DIR=$1 ;;
    --bin-dir=*) BIN_DIR=${1#*=} ;;
    --dry-run) DRY=--dry-run ;;
    --no-modify) MODIFY='' ;;
    --purge) PURGE=--purge ;;
    --yes | -y) YES=--yes ;;
    --quiet | -q) QUIET=1 ;;
    *) die "Unknown option \"$1\"" "sh install.sh --help" 2 ;;
    esac
    shift
  done
}

places() {
  [ -n "${HOME:-}" ] || die "Cannot install: HOME is not set, so there is no place for it" "HOME=/home/you sh install.sh"
  case ${XDG_DATA_HOME:-} in /*) DATA=$XDG_DATA_HOME/tmuxclaude ;; *) DATA=$HOME/.local/share/tmuxclaude ;; esac
  case ${XDG_CACHE_HOME:-} in /*) CACHE=$XDG_CACHE_HOME/tmuxclaude ;; *) CACHE=$HOME/.cache/tmuxclaude ;; esac
  case ${TMUXCLAUDE_CACHE_DIR:-} in /*) CACHE=$TMUXCLAUDE_CACHE_DIR ;; esac
  OWN_DENO=$DATA/deno-$DENO_VERSION/deno
  case $BIN_DIR in '') BIN_DIR=$HOME/.local/bin ;; /*) ;; *) BIN_DIR=$PWD/$BIN_DIR ;; esac
  PROGRAM=$BIN_DIR/tmuxclaude
  case $0 in *install.sh) SOURCE=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) ;; *) SOURCE='' ;; esac
  if ! [ -f "$SOURCE/deno.json" ] || ! [ -f "$SOURCE/main.ts" ]; then SOURCE=''; fi
}
right_version() { # a Deno of another version may read the lock file or the sources differently
  case $("$1" --version 2>/dev/null </dev/null) in "deno $DENO_VERSION "*) return 0 ;; *) return 1 ;; esac
}
real_binary() { # npm's `deno` is a script on Node when install scripts were blocked: ten times slower
  [ -x "$1" ] && [ "$(dd if="$1" bs=2 count=1 2>/dev/null)" != '#!' ]
}
deno_on_path() {
  old_ifs=$IFS IFS=: found=''
  for directory in $PATH; do
    if [ -z "$found" ] && real_binary "$directory/deno" && right_version "$directory/deno"; then found=$directory/deno; fi
  done
  IFS=$old_ifs
  case $found in /*) DENO=$found ;; *) return 1 ;; esac
}

find_deno() { # sets DENO
  case ${TMUXCLAUDE_DENO:-} in '' | /*) DENO=${TMUXCLAUDE_DENO:-} ;; *) DENO=$PWD/$TMUXCLAUDE_DENO ;; esac
  if [ -n "$DENO" ]; then
    right_version "$DENO" && return
    die "Cannot use TMUXCLAUDE_DENO=\"$DENO\": it is not Deno $DENO_VERSION" "unset TMUXCLAUDE_DENO; sh install.sh"
  fi
  DENO=$OWN_DENO
  if [ -x "$DENO" ] && right_version "$DENO"; then return; fi
  if deno_on_path; then return; fi
  DENO=$OWN_DENO
  [ -n "$DRY" ] && say "Would fetch Deno $DENO_VERSION (40 MB) with npm to $DENO" && return
  fetch_deno
}

platform() { # sets PLATFORM and the sha512 of its package, as the registry gives it for dist.integrity (there in base64)
  machine=$(uname -m)
  [ "$(uname -s)" = Darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || :)" = 1 ] && machine=arm64
  case $(uname -s)-$machine in
  Linux-x86_64) PLATFORM=linux-x64-glibc SHA512=de67784ca2c2bb3b0b0e67cea02e4a37b34065ac525643209bae2f83a7e80f4d090400c2a584b6ff942a5dfce09cfe59433de22cff6f05026d120735d7a380a1 ;;
  Linux-aarch64 | Linux-arm64) PLATFORM=linux-arm64-glibc SHA512=a68aa1a07f41de7625a2280430f4f9b7c1d8fb005e8ae79ad409f943b7ea809ccfd126265aca12fe852758efe9122038a1fcc8072d4496dfe29f9f312adc44a1 ;;
  Darwin-x86_64) PLATFORM=darwin-x64 SHA512=b4f8b70963d17635b531a5a5bd68ce444ec0b2ce52003756763d411754353c47738bee6efe60b9621999ce788c88fafcd4fa5a15eaa35da2c0b1f6fc945b19d1 ;;
  Darwin-arm64) PLATFORM=darwin-arm64 SHA512=57cb8ed40a25ae5ff2bdd31be653ad82d8a0b3c62e6418eb3ab82f895322624434b30ca615fce469ed7065a9385e2db8b7bbdfeddfde88c6ffeebca38d59beb6 ;;
  *) die "Cannot fetch Deno for $(uname -s) on $machine: there is no package of it" "$OTHER_DENO" ;;
  esac
}
digest() { # 256|512 FILE; prints nothing, which matches nothing, when it cannot
  if has openssl; then openssl dgst "-sha$1" -r <"$2" | cut -d ' ' -f 1
  elif has "sha$1sum"; then "sha$1sum" <"$2" | cut -d ' ' -f 1
  elif has shasum; then shasum -a "$1" <"$2" | cut -d ' ' -f 1
  else warn "No openssl, sha$1sum or shasum here: nothing can be verified"; fi
}
verify_digest() { # 256|512 FILE WANTED WHAT
  actual=$(digest "$1" "$2")
  [ "$actual" = "$3" ] || die "Refusing $4: its sha$1 is \"$actual\", not \"$3\"" "try again; if it stays so, report it"
}

fetch_deno() {
  has npm || die "Cannot fetch Deno $DENO_VERSION: npm is not on PATH" "install Node with npm, or $OTHER_DENO"
  platform
  say "Fetching Deno $DENO_VERSION (40 MB) with npm to $OWN_DENO"
  mkdir -p "${OWN_DENO%/*}"
  FETCH=$(mktemp -d "$DATA/.fetch.XXXXXX")
  (cd "$FETCH" && npm_config_cache="$FETCH/npm" npm_config_update_notifier=false \
    npm pack --loglevel=error "@deno/$PLATFORM@$DENO_VERSION" >/dev/null </dev/null) ||
    die "Cannot fetch Deno $DENO_VERSION: npm failed, see above" "check the network and npm's settings, then try again"
  package=$FETCH/deno-$PLATFORM-$DENO_VERSION.tgz
  verify_digest 512 "$package" "$SHA512" "the package of Deno"
  tar -xzf "$package" -C "$FETCH" package/deno
  chmod 755 "$FETCH/package/deno"
  right_version "$FETCH/package/deno" || die "Deno $DENO_VERSION does not run here: it needs glibc (not musl, not a very old one)" "$OTHER_DENO"
  mv -f "$FETCH/package/deno" "$OWN_DENO"
  rm -rf "$FETCH"
}

build() { # FILE
  say "Building from $SOURCE"
  ${QUIET:+quietly} run_build "$1" ||
    die "Cannot build, see above" "check the network (it fetches npm packages), then try again"
}
run_build() ( # FILE; mozilla,system: npm trusts the machine's own certificates (a company's proxy), so Deno has to, too
  cd "$SOURCE" && DENO_DIR=${DENO_DIR:-$CACHE} DENO_NO_UPDATE_CHECK=1 DENO_TLS_CA_STORE=${DENO_TLS_CA_STORE:-mozilla,system} \
    "$DENO" run -A --quiet src/build/build.ts --output "$1" </dev/null >&2
)

download() { # FILE
  [ -n "$SHA256" ] || die "Refusing to download: this copy of install.sh has no checksum, so nothing could be verified" \
    "use the install.sh of a release, or clone the repository and run: sh install.sh"
  case $RELEASE_URL in
  *@*) die "Refusing to download from \"$RELEASE_URL\": a user name in an address hides the host" "set TMUXCLAUDE_RELEASE_URL to an https address" ;;
  https://*) only='=https' ;;
  http://127.0.0.1[:/]* | http://localhost[:/]* | 'http://[::1]'[:/]*) only='=http' ;;
  *) die "Refusing to download from \"$RELEASE_URL\": it is not https" "set TMUXCLAUDE_RELEASE_URL to an https address" ;;
  esac
  say "Downloading $RELEASE_URL/tmuxclaude"
  if has curl; then curl --proto "$only" --tlsv1.2 -fsSL --retry 3 -o "$1" "$RELEASE_URL/tmuxclaude"
  elif has wget; then wget -q -O "$1" "$RELEASE_URL/tmuxclaude"
  else die "Cannot download: neither curl nor wget is on PATH" "install curl"; fi ||
    die "Cannot download $RELEASE_URL/tmuxclaude" "check the network, then run this again"
  verify_digest 256 "$1" "$SHA256" "the downloaded program"
  chmod 755 "$1"
}
obtain() { # sets NEW
  SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/tmuxclaude-install.XXXXXX")
  NEW=$SCRATCH/tmuxclaude
  if [ -n "$SOURCE" ]; then build "$NEW"; else download "$NEW"; fi
}
verify_program() { # FILE: it has to give its version, and to swallow a hook event without a word
  said=$(TMUXCLAUDE_DENO=$DENO "$1" --version </dev/null) || said="exit code $?"
  case $said in "tmuxclaude $VERSION "*) ;; *) die "The new program does not work: --version gave \"$said\"" "report it" ;; esac
  said=$(printf '{"hook_event_name":"SessionStart"}' | TMUX="$SCRATCH/none,1,0" TMUX_PANE=%0 TMUXCLAUDE_DENO=$DENO \
    TMUXCLAUDE_STATE_DIR="$SCRATCH/state" "$1" hook) || said="exit code $?"
  [ -z "$said" ] || die "The new program does not work: hook gave \"$said\"" "report it"
}

place() { # FILE
  if [ -d "$PROGRAM" ]; then die "Cannot install: \"$PROGRAM\" is a directory" "sh install.sh --bin-dir DIR"; fi
  if cmp -s "$1" "$PROGRAM"; then say "Already there, unchanged: $PROGRAM" && return; fi
  new=$BIN_DIR/.tmuxclaude.$$
  { mkdir -p "$BIN_DIR" && cp "$1" "$new" && chmod 755 "$new" && mv -f "$new" "$PROGRAM"; } ||
    die "Cannot write \"$PROGRAM\", see above" "sh install.sh --bin-dir DIR"
}
keep_deno() { # a build has the path of its Deno in it; a released program looks here, whatever PATH Claude has
  [ -n "$SOURCE" ] || [ "$DENO" = "$OWN_DENO" ] || { mkdir -p "${OWN_DENO%/*}" && ln -sf "$DENO" "$OWN_DENO"; }
  for old in "$DATA"/deno-*; do [ "$old" = "${OWN_DENO%/*}" ] || rm -rf "$old"; done
}
path_hint() { # sets NAME, by which a person can call it
  NAME=tmuxclaude
  [ "$(command -v tmuxclaude)" = "$PROGRAM" ] || NAME=$(quote "$PROGRAM")
  case :$PATH: in
  *":$BIN_DIR:"*) [ "$(command -v tmuxclaude)" = "$PROGRAM" ] || warn "Another tmuxclaude comes first on PATH: $(command -v tmuxclaude)" ;;
  *) warn "$BIN_DIR is not on PATH. Add this line to your shell's start file: export PATH=$(quote "$BIN_DIR"):\"\$PATH\"" ;;
  esac
}
program() { # ARGUMENTS… in a pipe its questions go to the terminal, if there is one
  if [ -z "$SOURCE" ] && (: </dev/tty) 2>/dev/null; then "$PROGRAM" "$@" ${YES:+"$YES"} ${DRY:+"$DRY"} </dev/tty
  else "$PROGRAM" "$@" ${YES:+"$YES"} ${DRY:+"$DRY"}; fi
}
configure() {
  [ -n "$MODIFY" ] || return 0
  code=0
  ${QUIET:+${YES:+quietly}} program install || code=$? # without --yes the changes are shown before the question
  case $code in 0) ;; 5) warn "Some of it is left to do by hand, see above" ;;
  *) die "The program is at $PROGRAM, but it is not set up, see above" "$(quote "$PROGRAM") install" "$code" ;;
  esac
}

install() {
  find_deno
  [ -z "$DRY" ] || { plan && return; }
  obtain
  verify_program "$NEW"
  place "$NEW"
  keep_deno
  configure
  path_hint
  say "Installed: $PROGRAM ($(TMUXCLAUDE_DENO=$DENO "$PROGRAM" --version))"
  say "Next: $([ -n "$MODIFY" ] && echo "start Claude in a tmux pane; $NAME doctor checks that all is well" || echo "$NAME install")"
  say "Undo: $([ -n "$SOURCE" ] && echo "sh $(quote "$SOURCE/install.sh") --uninstall" || echo "curl -fsSL $RELEASE_URL/install.sh | sh -s -- --uninstall")"
}
plan() {
  if [ -n "$SOURCE" ]; then say "Would build from $SOURCE with $DENO"; else say "Would download $RELEASE_URL/tmuxclaude"; fi
  say "Would put the program at $PROGRAM"
  [ -n "$MODIFY" ] || return 0
  if [ -x "$PROGRAM" ]; then configure; else say "Would run: $(quote "$PROGRAM") install"; fi
}

demo() {
  find_deno
  [ -z "$DRY" ] || { say "Would build into a scratch folder and run: tmuxclaude demo" && return; }
  obtain
  TMUXCLAUDE_DENO=$DENO "$NEW" demo
}
uninstall() {
  code=0 # after a 5 an entry of ours is left by hand; it does nothing when the program is gone
  if [ -x "$PROGRAM" ]; then ${QUIET:+${YES:+quietly}} program uninstall ${PURGE:+"$PURGE"} || code=$?; else say "No program at $PROGRAM"; fi
  case $code in 0 | 5) ;; *) exit "$code" ;; esac
  case $CACHE in */tmuxclaude) ;; *) CACHE='' ;; esac # what has another name may hold more than ours
  gone=$(for path in "$PROGRAM" "$DATA"/deno-* ${CACHE:+"$CACHE"}; do [ ! -e "$path" ] || printf '%s' ", $path"; done)
  if [ -z "$gone" ]; then say "Nothing is left to remove" && return; fi
  if [ -n "$DRY" ]; then say "Would remove ${gone#, }" && return; fi
  rm -rf "$PROGRAM" "$DATA"/deno-* ${CACHE:+"$CACHE"}
  rmdir "$DATA" 2>/dev/null || :
  say "Removed ${gone#, }"
}
print_deno() {
  find_deno >&2
  printf '%s\n' "$DENO"
}

main() {
  [ "$#" -eq "$GIVEN" ] || die "This copy of install.sh is cut off" "get it again"
  parse "$@"
  case $ACTION in help) usage && return ;; version) printf 'tmuxclaude %s\n' "$VERSION" && return ;; esac
  trap cleanup EXIT
  trap 'exit 130' INT TERM
  places
  if [ "$ACTION" = print-deno ]; then print_deno; else "$ACTION"; fi
}

main "$@"

#!/bin/sh
# A stand-in for Claude Code, for the demo and the tests: it keeps the same files, runs the same hooks and
# draws the same input box and titles as the versions it knows (STANDIN_VERSION: 2.1.332, 2.1.197, 2.0.76),
# but answers every prompt with an echo. Install it as an executable called `claude`, first on PATH.
# It must stay one process: this shell is "the Claude process" that owns the terminal.
#
# STANDIN_LOG       a JSON line of arguments, folder and config dir for every start; what hooks printed goes
#                   to $STANDIN_LOG.hooks, what a permission dialog received to $STANDIN_LOG.dialog
# STANDIN_GHOST     suggestion shown dim in the empty input box
# STANDIN_AI_TITLE  title that the model "finds" after the first prompt
# STANDIN_REPLY     what it answers, instead of an echo
# Prompts: "MOCK_SLOW n" is busy for n seconds, "MOCK_DIALOG" asks for a permission, "MOCK_NESTED cmd" runs
# cmd as a Bash tool would.

version=${STANDIN_VERSION:-2.1.332}
case $version in
  2.0.*) generation=0 ;;
  2.1.197) generation=1 ;;
  *) generation=2 ;;
esac
config=${CLAUDE_CONFIG_DIR:-$HOME/.claude}
newline='
'

is_newest() { [ "$generation" -ge 2 ]; }
is_2_1() { [ "$generation" -ge 1 ]; }

json_quote() { # TEXT -> $json
  case $1 in
    *[\"\\]* | *[[:cntrl:]]*) json=$(raw=$1 LC_ALL=C awk "$json_writer") ;;
    *) json=\"$1\" ;;
  esac
}

json_writer='BEGIN {
  for (i = 1; i < 32; i++) escaped[sprintf("%c", i)] = sprintf("\\u%04x", i)
  escaped["\n"] = "\\n"; escaped["\t"] = "\\t"; escaped["\""] = "\\\""; escaped["\\"] = "\\\\"
  raw = ENVIRON["raw"]
  for (i = 1; i <= length(raw); i++) { c = substr(raw, i, 1); out = out (c in escaped ? escaped[c] : c) }
  print "\"" out "\""
}'

# parse(text, root) fills leaf[] (scalars) and there[] (everything) by path, and says whether it is strict JSON.
json_reader='
function parse(text, root) {
  s = text; p = 1; bad = 0
  value(root); space()
  return !bad && p > length(s)
}
function space() { while (p <= length(s) && index(" \t\r\n", substr(s, p, 1))) p++ }
function value(path, c) {
  space(); c = substr(s, p, 1); there[path] = 1
  if (c == "{") object(path)
  else if (c == "[") list(path)
  else leaf[path] = c == "\"" ? string() : word()
}
function object(path, key) {
  p++; space()
  if (substr(s, p, 1) == "}") { p++; return }
  do {
    space(); key = string(); space()
    if (substr(s, p++, 1) != ":") bad = 1
    value(path SUBSEP key)
  } while (more("}"))
}
function list(path, n) {
  p++; space()
  if (substr(s, p, 1) == "]") { p++; return }
  n = 0
  do value(path SUBSEP n++); while (more("]"))
}
function more(end, c) {
  space(); c = substr(s, p++, 1)
  if (c != "," && c != end) bad = 1
  return c == "," && !bad
}
function word(out, c) {
  while ((c = substr(s, p, 1)) != "" && index("+-.0123456789abcdefghijklmnopqrstuvwxyzE", c)) { out = out c; p++ }
  if (out !~ /^(true|false|null|-?[0-9.]+([eE][-+]?[0-9]+)?)$/) bad = 1
  return out
}
function string(out, c) {
  if (substr(s, p++, 1) != "\"") { bad = 1; return "" }
  while ((c = substr(s, p++, 1)) != "\"") {
    if (c == "") { bad = 1; return out }
    out = out (c == "\\" ? escape() : c)
  }
  return out
}
function escape(c) {
  c = substr(s, p++, 1)
  if (c == "u") return unicode()
  return c == "n" ? "\n" : c == "t" ? "\t" : c == "r" ? "\r" : c == "b" ? "\b" : c == "f" ? "\f" : c
}
function unicode(n) {
  n = hex(substr(s, p, 4)); p += 4
  if (n >= 55296 && n < 56320 && substr(s, p, 2) == "\\u") {
    n = 65536 + (n - 55296) * 1024 + hex(substr(s, p + 2, 4)) - 56320; p += 6
  }
  return utf8(n)
}
function hex(digits, i, n) {
  for (i = 1; i <= length(digits); i++) n = n * 16 + index("123456789abcdef", tolower(substr(digits, i, 1)))
  return n
}
function utf8(n) {
  if (n < 128) return sprintf("%c", n)
  if (n < 2048) return sprintf("%c", 192 + int(n / 64)) tail(n)
  if (n < 65536) return sprintf("%c", 224 + int(n / 4096)) tail(n / 64) tail(n)
  return sprintf("%c", 240 + int(n / 262144)) tail(n / 4096) tail(n / 64) tail(n)
}
function tail(n) { return sprintf("%c", 128 + int(n) % 64) }
# for the shell that evaluates the output
function quote(text, n, part, i, out) {
  n = split(text, part, "\047")
  out = part[1]
  for (i = 2; i <= n; i++) out = out "\047\\\047\047" part[i]
  return "\047" out "\047"
}
'

# shellcheck disable=SC2016 # awk's own $0
hooks_of_event='
{ doc[FILENAME] = doc[FILENAME] $0 "\n" }
END {
  for (i = 1; i < ARGC; i++)
    if (parse(doc[ARGV[i]], ARGV[i])) collect(ARGV[i] SUBSEP "hooks" SUBSEP event)
}
function collect(path, g, h, group, hook, command) {
  for (g = 0; (group = path SUBSEP g) in there; g++)
    for (h = 0; (hook = group SUBSEP "hooks" SUBSEP h) in there; h++) {
      command = leaf[hook SUBSEP "command"]
      if (matches(leaf[group SUBSEP "matcher"]) && leaf[hook SUBSEP "type"] == "command" && !known[command]++)
        print "start_hook " quote(command)
    }
}
function matches(matcher) { return matcher == "" || matcher == "*" || matched ~ ("^(" matcher ")$") }'

# EVENT, the word its matcher sees, more JSON fields. All hooks start at once; it waits for every one.
fire() {
  hook_event=$1
  hook_word=$2
  hook_json="{\"session_id\":\"$id\",\"transcript_path\":$transcript_json,\"cwd\":$cwd_json,\
\"hook_event_name\":\"$1\"$3}"
  hook_pids=
  set --
  for settings in "$config/settings.json" .claude/settings.json .claude/settings.local.json; do
    [ -s "$settings" ] && set -- "$@" "$settings"
  done
  [ $# -gt 0 ] || return 0
  : >"$hook_out" && : >"$hook_err"
  eval "$(LC_ALL=C awk -v event="$hook_event" -v matched="$hook_word" "$json_reader$hooks_of_event" "$@")"
  for hook_pid in $hook_pids; do
    wait "$hook_pid"
    complain_about_hook $?
  done
  log_hooks
}

# The parent of the hook's shell must be this very process, so there is no subshell around it.
start_hook() {
  # shellcheck disable=SC2086 # $detached is a command or nothing
  $detached /bin/sh -c "$1" >>"$hook_out" 2>>"$hook_err" <<END &
$hook_json
END
  hook_pids="$hook_pids $!"
}

complain_about_hook() { # its exit status
  [ "$1" -eq 2 ] || [ "$1" -eq 127 ] || return 0
  read -r complaint <"$hook_err"
  printf '  %s:%s hook failed: %s\n' "$hook_event" "$hook_word" "$complaint"
}

log_hooks() {
  [ -n "$STANDIN_LOG" ] && [ -n "$hook_pids" ] || return 0
  read_file "$hook_out" && json_quote "$text" && stdout_json=$json
  read_file "$hook_err" && json_quote "$text"
  printf '{"event":"%s","session_id":"%s","stdout":%s,"stderr":%s}\n' \
    "$hook_event" "$id" "$stdout_json" "$json" >>"$STANDIN_LOG.hooks"
}

read_file() { # FILE -> $text
  text=
  while IFS= read -r file_line || [ -n "$file_line" ]; do text=$text$file_line$newline; done <"$1"
}

# A hook's answer may name the conversation: hookSpecificOutput.sessionTitle.
take_title_from_hooks() {
  hook_title=
  is_2_1 && [ -n "$hook_pids" ] && [ -s "$hook_out" ] || return 0
  hook_title=$(LC_ALL=C awk "$json_reader"'
    { text = text $0 "\n" }
    END { s = text; p = 1; while (p < length(s) && !bad) { value("out"); space() }
          printf "%s", leaf["out" SUBSEP "hookSpecificOutput" SUBSEP "sessionTitle"] }' "$hook_out")
  [ -n "$hook_title" ] || return 0
  set_title "$hook_title"
}

new_id() { # -> $uuid
  if [ -r /proc/sys/kernel/random/uuid ]; then
    read -r uuid </proc/sys/kernel/random/uuid
  else
    uuid=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n' | sed 's/^\(.\{8\}\)\(....\).\(...\).\(...\)/\1-\2-4\3-a\4-/')
  fi
}

is_uuid() {
  case $1 in
    *[!0-9a-fA-F-]*) return 1 ;;
    ????????-????-????-????-????????????) return 0 ;;
    *) return 1 ;;
  esac
}

# The project folder's name: every character that is no letter or digit becomes one dash.
slug_of() { # FOLDER -> $slug
  slug=
  slug_rest=$1
  case $1 in *[!\ -~]*) slow_slug "$1" && return ;; esac
  [ ${#1} -le 200 ] || { slow_slug "$1" && return; }
  while :; do
    case $slug_rest in *[!A-Za-z0-9]*) ;; *) break ;; esac
    slug_head=${slug_rest%%[!A-Za-z0-9]*}
    slug=$slug$slug_head-
    slug_rest=${slug_rest#"$slug_head"?}
  done
  slug=$slug$slug_rest
}

slow_slug() {
  slug=$(folder=$1 LC_ALL=C awk 'BEGIN {
    text = ENVIRON["folder"]
    gsub(/[\360-\367][\200-\277][\200-\277][\200-\277]/, "--", text)
    gsub(/[\300-\357][\200-\277]+/, "-", text)
    gsub(/[^A-Za-z0-9]/, "-", text)
    if (length(text) > 200) text = substr(text, 1, 200) "-" sprintf("%06d", length(text) * 7919 % 1000000)
    print text
  }')
}

is_in_a_folder() { # not in one that was deleted
  cd -P . 2>/dev/null || return 1
  case $PWD in /*) [ -d "$PWD" ] ;; *) false ;; esac
}

enter_folder() {
  if is_in_a_folder; then
    cwd=$PWD
    json_quote "$cwd" && cwd_json=$json
    slug_of "$cwd"
    return
  fi
  if is_newest; then
    say "The current directory no longer exists (it was deleted or moved).\
 Start Claude Code from an existing directory."
  else
    say "ENOENT: Bun could not find a file, and the code that triggers this error is not catching it"
  fi
  exit 1
}

use_id() { # ID: from now on this process holds that conversation
  id=$1
  transcript=$config/projects/$slug/$id.jsonl
  json_quote "$transcript" && transcript_json=$json
  is_2_1 && export CLAUDE_CODE_SESSION_ID="$id"
  title_is_saved=
}

export_environment() {
  export CLAUDE_CODE_ENTRYPOINT="$entrypoint" CLAUDE_PROJECT_DIR="$cwd"
  is_2_1 && export CLAUDECODE=1
  is_newest && export CLAUDE_PID=$$ CLAUDE_CODE_SESSION_ATTENDED="$attended" CLAUDE_CODE_CHILD_SESSION=1
}

process_start() { # field 22 of the process's stat line -> $proc_start
  proc_start=
  [ -r /proc/$$/stat ] || return 0
  read -r stat_line </proc/$$/stat
  # shellcheck disable=SC2086 # split on purpose
  set -- ${stat_line##*) }
  shift 19
  proc_start=$1
}

register() {
  is_2_1 && [ -z "$agent" ] || return 0
  registry=$config/sessions/$$.json
  [ -d "$config/sessions" ] || mkdir -p "$config/sessions"
  started_at=$(date +%s)000
  process_start
  write_registry idle
}

write_registry() { # STATUS, what it waits for
  [ -n "$registry" ] || return 0
  status=$1
  json_quote "$name" && name_json=$json
  waiting_json=
  [ -z "$2" ] || waiting_json=",\"waitingFor\":\"$2\""
  source_json=
  { is_newest || [ "$name_source" = derived ]; } && source_json=",\"nameSource\":\"$name_source\""
  printf %s "{\"pid\":$$,\"sessionId\":\"$id\",\"cwd\":$cwd_json,\"startedAt\":$started_at,\
\"procStart\":\"$proc_start\",\"version\":\"$version\",\"kind\":\"interactive\",\"entrypoint\":\"$entrypoint\",\
\"name\":$name_json$source_json,\"status\":\"$status\"$waiting_json}" >"$registry"
}

is_held_by_another() { # NAME: does another live session on this machine go by it?
  is_newest || return 1
  json_quote "$1"
  for other in "$config"/sessions/*.json; do
    if [ "$other" = "$registry" ] || [ ! -s "$other" ]; then continue; fi
    read -r other_line <"$other"
    case $other_line in *"\"name\":$json,"*) ;; *) continue ;; esac
    other=${other##*/}
    kill -0 "${other%.json}" 2>/dev/null && return 0
  done
  return 1
}

with_two_words() { # NAME -> $free_name
  pick_word $(($$ % 8 + 1)) toasty quiet amber brisk mellow rusty sunny witty
  free_name=$1-$word
  pick_word $(($$ / 8 % 8 + 1)) bentley harbor lantern meadow otter pebble rocket willow
  free_name=$free_name-$word
}

pick_word() { # NUMBER, the words
  shift "$1"
  word=$1
}

append_line() {
  [ -f "$transcript" ] || mkdir -p "${transcript%/*}"
  printf '%s\n' "$1" >>"$transcript"
}

stamp_time() { now=$(date -u +%Y-%m-%dT%H:%M:%S.000Z); }

append_message() { # TYPE, fields of that type
  new_id
  parent_json=null
  [ -z "$parent" ] || parent_json=\"$parent\"
  append_line "{\"parentUuid\":$parent_json,\"isSidechain\":false,\"type\":\"$1\",$2,\"uuid\":\"$uuid\",\
\"timestamp\":\"$now\",\"userType\":\"external\",\"entrypoint\":\"$entrypoint\",\"cwd\":$cwd_json,\
\"sessionId\":\"$id\",\"version\":\"$version\",\"gitBranch\":\"HEAD\"}"
  parent=$uuid
}

append_user() { json_quote "$1" && append_message user "\"message\":{\"role\":\"user\",\"content\":$json}"; }

append_reply() {
  json_quote "$1"
  append_message assistant "\"message\":{\"role\":\"assistant\",\"model\":\"$model\",\
\"content\":[{\"type\":\"text\",\"text\":$json}]}"
}

# A slash command leaves lines that make the conversation resumable, even when nothing was ever asked.
append_command() { # NAME ARGUMENTS
  json_quote "<command-name>/$1</command-name>$newline            <command-message>$1</command-message>\
$newline            <command-args>$2</command-args>"
  append_message system "\"subtype\":\"local_command\",\"content\":$json,\"level\":\"info\",\"isMeta\":false"
  append_message user '"isMeta":true,"message":{"role":"user","content":"<system-reminder>A command.</system-reminder>"}'
}

save_title() {
  [ -n "$title" ] && [ -z "$title_is_saved" ] || return 0
  json_quote "$title"
  append_line "{\"type\":\"custom-title\",\"customTitle\":$json,\"sessionId\":\"$id\"}"
  is_2_1 && append_line "{\"type\":\"agent-name\",\"agentName\":$json,\"sessionId\":\"$id\"}"
  title_is_saved=yes
}

find_transcript() { # ID -> $found. Only the newest version looks beyond the folder's own project.
  found=$config/projects/$slug/$1.jsonl
  [ -f "$found" ] && return 0
  is_newest || return 1
  for found in "$config"/projects/*/"$1".jsonl; do [ -f "$found" ] && return 0; done
  return 1
}

# Prints shell assignments: how many messages the transcript has, its title, and the last turns to show.
# shellcheck disable=SC2016 # awk's own $0
summary_of_transcript='
/"type":"(user|assistant)"/ { line[messages++] = $0 }
/"type":"system"/ && /local_command/ { messages++ }
/"type":"custom-title"/ { if (parse($0, "t")) title = leaf["t" SUBSEP "customTitle"] }
END {
  for (i = messages > 20 ? messages - 20 : 0; i < messages; i++) turns = turns turn(line[i])
  print "messages=" messages + 0 " old_title=" quote(title) " turns=" quote(turns)
}
function turn(text, message, body) {
  split("", leaf)
  if (text == "" || !parse(text, "m") || leaf["m" SUBSEP "isMeta"] == "true") return ""
  message = "m" SUBSEP "message" SUBSEP "content"
  body = message in leaf ? leaf[message] : leaf[message SUBSEP 0 SUBSEP "text"]
  return (leaf["m" SUBSEP "type"] == "user" ? "❯ " : "⏺ ") body "\n"
}'

load_transcript() { # ID: becomes this process's conversation; fails if it has no messages
  find_transcript "$1" || return 1
  eval "$(LC_ALL=C awk "$json_reader$summary_of_transcript" "$found")"
  # shellcheck disable=SC2154 # messages, old_title and turns come out of awk
  [ "$messages" -gt 0 ] || return 1
  use_id "$1"
  transcript=$found
  # shellcheck disable=SC2154
  title=$old_title
  [ -z "$title" ] || title_is_saved=yes
}

set_title() { title=$1 && title_is_saved= && show_title; }

show_title() {
  is_2_1 && [ "$entrypoint" = cli ] && [ -z "$CLAUDE_CODE_DISABLE_TERMINAL_TITLE" ] || return 0
  printf '\033]0;%s %s\007' "$glyph" "${title:-${agent:-${ai_title:-Claude Code}}}"
}

clear_title() { is_2_1 && [ -z "$CLAUDE_CODE_DISABLE_TERMINAL_TITLE" ] && printf '\033]0;\007'; }

take_name() { # NAME, its source; on collision with a live session two words are added
  free_name=$1
  name_source=$2
  if is_held_by_another "$1"; then
    name_source=collision
    with_two_words "$1"
  fi
  name=$free_name
  title=$free_name
  title_is_saved=
}

clean_name() { # TEXT -> $clean
  clean=$1
  case $clean in *[[:cntrl:]]*) clean=$(printf %s "$clean" | LC_ALL=C tr -d '\000-\037\177') ;; esac
  clean=${clean#"${clean%%[! ]*}"}
  clean=${clean%"${clean##*[! ]}"}
  is_newest && [ ${#clean} -gt 200 ] || return 0
  clean=$(printf %s "$clean" | LC_ALL=C awk '{ out = ""; n = 0
    for (i = 1; i <= length($0); i++) { c = substr($0, i, 1); if (c !~ /[\200-\277]/ && ++n > 200) break; out = out c }
    printf "%s", out }')
}

rename() {
  clean_name "$1"
  if [ -n "$agent" ]; then
    say "  ⎿  Can't rename a teammate session. The team leader sets teammate names."
    return
  elif [ -z "$clean" ]; then
    say "  ⎿  Couldn't generate a name: no conversation yet. Usage: /rename <name>"
    return
  fi
  take_name "$clean" user
  note=
  [ "$name_source" = user ] || note=" (\"$clean\" is held by another live session on this machine)"
  say "  ⎿  Session renamed to: $name$note"
  show_title
  write_registry "$status"
  stamp_time
  save_title
  append_command rename "$clean"
}

say() { printf '%s\n' "$1"; }

# The cursor waits behind the prompt character and a U+00A0; a rule is drawn above and below, as in Claude.
draw_box() {
  [ "$entrypoint" = cli ] || return 0
  printf '────────\n%s\302\240\n────────\033[A\r\033[2C' "$prompt_mark"
  [ -z "$STANDIN_GHOST" ] || draw_ghost
}

draw_ghost() {
  ghost_rest=${STANDIN_GHOST#?}
  printf '\033[7m%s\033[0;2m%s\033[0m\r\033[2C' "${STANDIN_GHOST%"$ghost_rest"}" "$ghost_rest"
}

# Moves to the box's upper rule and clears it all away: from the box's own line, or from the one below it.
erase_box() { printf '\033[%sA\r\033[J' "${1:-1}"; }

read_line() { # -> $line; fails at the end of input and when a signal came in
  line=
  interrupted=
  if [ -z "$STANDIN_GHOST" ]; then IFS= read -r line; else read_over_ghost; fi
}

# The first bytes wipe the ghost away, which a terminal in line mode cannot do by itself.
read_over_ghost() {
  stty -icanon -echo min 1
  typed=$(dd bs=4096 count=1 2>/dev/null && echo .)
  typed=${typed%.}
  printf '\033[K%s' "$typed"
  stty icanon echo
  case $typed in
    '' | "$(printf '\004')") return 1 ;;
    *"$newline") line=${typed%"$newline"} ;;
    *) IFS= read -r line && line=$typed$line ;;
  esac
}

prompt() {
  [ -n "$1" ] || return 0
  write_registry busy
  session_title_json
  json_quote "$1"
  fire UserPromptSubmit "" "$title_json,\"prompt\":$json,\"permission_mode\":\"default\""
  take_title_from_hooks
  [ -z "$hook_title" ] || { name=$hook_title && name_source=hook; }
  stamp_time
  save_title
  append_user "$1"
  asked=$1
  think "$1"
}

think() {
  case $1 in
    "MOCK_SLOW "*) think_slowly "${1#MOCK_SLOW }" ;;
    MOCK_DIALOG*) ask_permission && answer ;;
    "MOCK_NESTED "*) run_tool "${1#MOCK_NESTED }" && answer ;;
    *) answer ;;
  esac
}

answer() {
  reply=${STANDIN_REPLY:-MOCK-REPLY: $asked}
  if [ "$entrypoint" = cli ]; then say "⏺ $reply"; else say "$reply"; fi
  stamp_time
  append_reply "$reply"
  find_ai_title
  write_registry idle
}

find_ai_title() {
  [ -n "$STANDIN_AI_TITLE" ] && [ -z "$title$ai_title" ] && is_newest || return 0
  ai_title=$STANDIN_AI_TITLE
  json_quote "$ai_title"
  append_line "{\"type\":\"ai-title\",\"aiTitle\":$json,\"sessionId\":\"$id\"}"
  show_title
}

# The input box stays usable meanwhile; the timer comes back as a signal.
think_slowly() {
  say "✻ Thinking…"
  # shellcheck disable=SC2086,SC2016 # $detached is a command or nothing
  $detached sh -c 'sleep "$1" && kill -USR1 "$2"' timer "$1" $$ </dev/null >/dev/null 2>&1 &
  timer=$!
}

end_of_turn() {
  interrupted=yes
  [ -n "$timer" ] || return 0
  timer=
  erase_box
  answer
}

run_queue() {
  while [ -z "$timer" ] && [ -n "$queue" ]; do
    queued=${queue%%"$newline"*}
    queue=${queue#*"$newline"}
    obey "$queued"
  done
}

ask_permission() {
  write_registry waiting "permission prompt"
  printf ' Bash command\n   touch approved\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel'
  printf '\033[3A\r\033[1C'
  stty -echo
  IFS= read -r typed
  stty echo
  printf '\033[3A\r\033[J'
  [ -z "$STANDIN_LOG" ] || printf 'approved: %s\n' "$typed" >>"$STANDIN_LOG.dialog"
  say "⏺ Bash(touch approved)"
  write_registry busy
}

run_tool() {
  say "⏺ Bash($1)"
  # shellcheck disable=SC2086
  $detached sh -c "$1" </dev/null 2>&1
  return 0
}

session_title_json() { # -> $title_json
  title_json=
  is_2_1 && [ -n "$title" ] || return 0
  json_quote "$title" && title_json=",\"session_title\":$json"
}

start_session() { # SOURCE
  source_fields=",\"source\":\"$1\""
  session_title_json
  source_fields=$source_fields$title_json
  is_2_1 && [ "$entrypoint" = cli ] &&
    case $1 in startup | compact) source_fields="$source_fields,\"model\":\"$model\"" ;; esac
  [ -z "$agent" ] || source_fields="$source_fields,\"agent_type\":\"$agent\""
  fire SessionStart "$1" "$source_fields"
  # Only later events name the real file of a conversation that was resumed from another folder.
  json_quote "$transcript" && transcript_json=$json
  take_title_from_hooks
}

end_session() { fire SessionEnd "$1" ",\"reason\":\"$1\""; }

clear_conversation() {
  end_session clear
  new_id
  use_id "$uuid"
  parent=
  write_registry idle
  start_session clear
  stamp_time
  save_title
  append_command clear ""
  printf '\033[H\033[2J%s /clear\n' "$prompt_mark"
  show_title
}

switch_conversation() { # ID, as the /resume picker does
  find_transcript "$1" || { say "  ⎿  Session $1 was not found." && return; }
  end_session resume
  load_transcript "$1"
  write_registry idle
  start_session resume
  printf '%s' "$turns"
  show_title
}

leave() { # REASON, exit status
  trap : TERM USR1 CONT
  trap '' HUP INT # also for what it runs: tmux and the kernel both hang up a pane that goes
  [ -z "$timer" ] || kill -s TERM -- "-$timer" 2>/dev/null || kill "$timer" 2>/dev/null
  [ "$entrypoint" = cli ] && clear_title
  # shellcheck disable=SC2086 # $registry is empty or one path without blanks at the ends
  rm -f ${registry:+"$registry"}
  end_session "$1"
  rm -f "$hook_out" "$hook_err"
  [ "$entrypoint" = cli ] && { [ "$1" = prompt_input_exit ] || is_newest; } && resume_hint
  exit "$2"
}

resume_hint() {
  [ -f "$transcript" ] || return 0
  if [ "$generation" -eq 1 ] && [ -n "$title" ]; then json_quote "$title"; else json=$id; fi
  printf '\nResume this session with:\nclaude --resume %s\n' "$json"
}

stop_by_signal() { leave other "$1"; }

refuse() { # MESSAGE
  say "$1" >&2
  rm -f "$hook_out" "$hook_err"
  exit 1
}

refuse_resume() { # ID. Claude ends a session here that never began.
  say "No conversation found with session ID: $1" >&2
  use_id "$1"
  end_session other
  rm -f "$hook_out" "$hook_err"
  exit 1
}

log_start() {
  [ -n "$STANDIN_LOG" ] || return 0
  arguments_json=
  for argument in "$@"; do json_quote "$argument" && arguments_json=$arguments_json,$json; done
  json_quote "$PWD" && folder_json=$json
  json=null
  [ -z "${CLAUDE_CONFIG_DIR+set}" ] || json_quote "$CLAUDE_CONFIG_DIR"
  printf '{"pid":%s,"argv":[%s],"cwd":%s,"config_dir":%s,"pane":"%s"}\n' \
    "$$" "${arguments_json#,}" "$folder_json" "$json" "$TMUX_PANE" >>"$STANDIN_LOG"
}

read_arguments() {
  while [ $# -gt 0 ]; do
    value=
    [ $# -gt 1 ] && case $2 in -*) ;; *) value=$2 ;; esac
    case $1 in
      -v | --version) say "$version (Claude Code)" && exit 0 ;;
      -r | --resume) mode=resume && wanted=$value ;;
      --resume=*) mode=resume && wanted=${1#*=} ;;
      -c | --continue) mode=newest && value= ;;
      --session-id) mode=given && wanted=$value ;;
      --session-id=*) mode=given && wanted=${1#*=} ;;
      -n | --name) given_name=$value ;;
      --fork-session) fork=yes && value= ;;
      -p | --print) entrypoint=sdk-cli && attended=0 && first_prompt=$value ;;
      --agent-id) agent=${value%%@*} && attended=0 ;;
      --model) [ -z "$value" ] || model=$value ;;
      --add-dir | --agent | --agent-name | --allowed-tools | --allowedTools | --append-system-prompt) ;;
      --disallowed-tools | --disallowedTools | --effort | --mcp-config | --output-format) ;;
      --permission-mode | --plugin-dir | --setting-sources | --settings | --system-prompt) ;;
      --team-name | --teammate-mode | --tools) ;;
      -*) value= ;;
      *) first_prompt=$1 && value= ;;
    esac
    shift
    [ -z "$value" ] || shift
  done
}

newest_in_folder() { # -> $wanted
  wanted=
  # shellcheck disable=SC2012 # file names are UUIDs
  wanted=$(ls -t "$config/projects/$slug/" 2>/dev/null | sed -n 's/\.jsonl$//p' | sed -n 1p)
}

id_by_title() { # TITLE -> $wanted, when exactly one conversation of the folder has it
  matched=
  for candidate in "$config/projects/$slug"/*.jsonl; do
    [ -f "$candidate" ] || continue
    eval "$(LC_ALL=C awk "$json_reader$summary_of_transcript" "$candidate")"
    [ "$old_title" = "$1" ] && candidate=${candidate##*/} && matched="$matched ${candidate%.jsonl}"
  done
  case $matched in ' '*' '* | '') ;; *) wanted=${matched# } ;; esac
}

choose_conversation() { # -> $source
  source=startup
  case $mode in
    given)
      is_uuid "$wanted" || refuse "Error: Invalid session ID. Must be a valid UUID."
      find_transcript "$wanted" && refuse "Error: Session ID $wanted is already in use."
      use_id "$wanted"
      return
      ;;
    newest)
      newest_in_folder
      [ -n "$wanted" ] || refuse "No conversation found to continue"
      ;;
    resume) is_uuid "$wanted" || id_by_title "$wanted" ;;
    *)
      new_id
      use_id "$uuid"
      return
      ;;
  esac
  source=resume
  load_transcript "$wanted" || refuse_resume "$wanted"
  [ -z "$fork" ] || fork_conversation
}

fork_conversation() {
  is_newest && source=fork
  parent_file=$found
  new_id
  use_id "$uuid"
  found=$transcript
  mkdir -p "${transcript%/*}"
  sed "s/$wanted/$id/g" "$parent_file" >"$transcript"
}

name_at_start() {
  name=${cwd##*/}-$(printf %.2s "$id")
  name_source=derived
  if [ -n "$given_name" ] && is_2_1; then
    clean_name "$given_name"
    take_name "$clean" user
  elif [ -n "$title" ]; then
    take_name "$title" user
    [ "$name_source" != collision ] ||
      say "Another live session on this machine goes by \"$old_title\", so this session is now \"$name\""
  fi
}

obey() { # what was typed in the box
  case $1 in
    /rename | /name) rename "" ;;
    "/rename "*) rename "${1#/rename }" ;;
    "/name "*) is_2_1 && rename "${1#/name }" ;;
    /clear) clear_conversation ;;
    /compact) start_session compact ;;
    "/resume "*) switch_conversation "${1#/resume }" ;;
    /exit | /quit)
      [ "$generation" -ne 1 ] || { stamp_time && append_command exit ""; }
      leave prompt_input_exit 0
      ;;
    *) prompt "$1" ;;
  esac
}

is_for_later() { # while busy, only commands of 2.1 run at once
  [ -n "$timer" ] || return 1
  case $1 in /*) ! is_2_1 ;; *) true ;; esac
}

# One Ctrl-C drops the draft, a second one in a row leaves.
on_interrupt() {
  [ -z "$interrupted_before" ] || leave prompt_input_exit 0
  interrupted=yes
  interrupted_before=yes
  erase_box
  say "  Press Ctrl-C again to exit"
}

on_end_of_input() {
  [ -t 0 ] || leave other 129
  leave prompt_input_exit 0
}

converse() {
  trap end_of_turn USR1
  trap on_interrupt INT
  trap 'interrupted=yes' CONT
  while :; do
    draw_box
    if read_line; then
      interrupted_before=
      erase_box 2
      [ -z "$line" ] || say "$prompt_mark $line"
      if is_for_later "$line"; then queue=$queue$line$newline; else obey "$line"; fi
    elif [ -z "$interrupted" ]; then
      on_end_of_input
    fi
    run_queue
  done
}

main() {
  mode=new entrypoint=cli attended=1 model=claude-opus-5-5 glyph=✳ prompt_mark=❯
  agent='' wanted='' given_name='' fork='' first_prompt='' registry='' name='' title='' ai_title='' parent=''
  timer='' queue='' interrupted_before='' hook_title='' turns='' status=idle
  is_2_1 || prompt_mark='>'
  read_arguments "$@"
  log_start "$@"
  enter_folder
  detached=
  command -v setsid >/dev/null && detached=setsid
  [ -d "$config" ] || mkdir -p "$config"
  hook_out=$config/.standin-$$.out
  hook_err=$config/.standin-$$.err
  export_environment
  choose_conversation
  trap 'stop_by_signal 143' TERM
  trap 'stop_by_signal 129' HUP
  name_at_start
  register
  show_title
  start_session "$source"
  [ "$entrypoint" = cli ] && printf '%s' "$turns"
  [ -z "$first_prompt" ] || prompt "$first_prompt"
  [ "$entrypoint" = cli ] || leave other 0
  converse
}

main "$@"

# shellcheck shell=bash
# What the set-up tells the user: on stderr, one sentence a line; stdout belongs to tune.

say() { printf 'tune: %s\n' "$*" >&2; }

# The three ways to end, each with one sentence and an exit code of tune's.
wrong_here() { say "$*" && exit 2; }  # not with this machine or these settings
our_bug() { say "$*" && exit 70; }
not_now() { say "$*" && exit 75; }  # the same call may work later

# with_progress <what> <how far: a function that prints a word or two> <command...>: the command's output goes to $log.
# Silent for the first second; then one line that is renewed (terminal) or one line every five seconds.
with_progress() {
  local what=$1 how_far=$2 status=0
  shift 2
  tick "$what" "$how_far" 3>&2 2>/dev/null &  # what bash itself says of a killed ticker is for nobody
  ticker=$!
  ("$@") >>"$log" 2>&1 </dev/null || status=$?  # a shell of its own, so that our traps do not speak into the log
  stop_ticker
  return "$status"
}

ticker=
stop_ticker() {
  [[ -n $ticker ]] || return 0
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  ticker=
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}
trap stop_ticker EXIT
# pip and ninja end with codes of their own when they are interrupted; without this it would look like a failure.
trap 'say "interrupted; the next call goes on from here" && exit 130' INT

tick() {
  trap - EXIT INT
  [[ -z ${lock_fd:-} ]] || exec {lock_fd}>&-  # its sleep would hold the lock for a second too long
  local what=$1 how_far=$2 seconds=0
  while sleep 1 && kill -0 $$ 2>/dev/null; do
    seconds=$((seconds + 1))
    if [[ -t 3 ]]; then
      printf '\r\033[Ktune: %s %s(%d s)' "$what" "$("$how_far")" "$seconds" >&3
    elif ((seconds % 5 == 1)); then
      say "$what $("$how_far")($seconds s)" 2>&3
    fi
  done
}

nothing_to_add() { :; }

# What the log has got since the last mark.
log_mark=0
mark_log() { log_mark=$(wc -c 2>/dev/null <"$log") || log_mark=0; }
recent_log() { tail -c "+$((log_mark + 1))" "$log" 2>/dev/null || true; }

last_lines_of_log() {
  tail -n "$1" "$log" >&2
  say "the whole log is in $log"
}

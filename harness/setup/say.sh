# shellcheck shell=bash
# What the set-up tells the user: on stderr, one sentence a line; stdout belongs to tune.

say() { printf 'tune: %s\n' "${*//[[:cntrl:]]/?}" >&2; }

# The three ways to end, each with one sentence and an exit code of tune's.
wrong_here() { say "$*" && exit 2; }  # not with this machine or these settings
our_bug() { say "$*" && exit 70; }
not_now() { say "$*" && exit 75; }  # the same call may work later

# with_progress <what> <how far: a function that prints a word or two> <command...>: the command's output goes to $log.
# Silent for the first second; then one line that is renewed (terminal) or one line every five seconds.
with_progress() {
  local what=$1 how_far=$2 status=0 ticker_input
  shift 2
  exec {ticker_input}> >(tick "$what" "$how_far")
  local ticker=$!
  # A shell of its own, so that our traps do not speak into the log.
  ("$@") >>"$log" 2>&1 </dev/null {ticker_input}>&- || status=$?
  exec {ticker_input}>&-
  wait "$ticker" || true
  return "$status"
}

# pip and ninja end with codes of their own when they are interrupted; without this it would look like a failure.
trap 'say "interrupted; the next call goes on from here" && exit 130' INT

# Ends when its input does, which is also when the shell that began it is gone.
tick() {
  trap '' INT
  local what=$1 how_far=$2 seconds=0 status
  [[ -z ${lock_fd:-} ]] || exec {lock_fd}>&-
  while true; do
    status=0
    read -r -t 1 || status=$?
    ((status > 128)) || break  # no time-out: the end of the input
    seconds=$((seconds + 1))
    if [[ -t 2 ]]; then
      printf '\r\033[Ktune: %s %s(%d s)' "$what" "$("$how_far")" "$seconds" >&2
    elif ((seconds % 5 == 1)); then
      say "$what $("$how_far")($seconds s)"
    fi
  done
  [[ ! -t 2 || $seconds == 0 ]] || printf '\r\033[K' >&2
}

nothing_to_add() { :; }

# What the log has got since the last mark.
log_mark=0
mark_log() { log_mark=$(wc -c 2>/dev/null <"$log") || log_mark=0; }
recent_log() { tail -c "+$((log_mark + 1))" "$log" 2>/dev/null || true; }

# What compilers and package managers say, without what a terminal or the runner of a CI job would obey in place of showing it.
harmless() {
  LC_ALL=C tr '\000-\010\013-\037\177' '?' |
    LC_ALL=C sed -E 's/^([[:space:]]*:):/\1 :/; s/##([a-z]*)\[/## \1[/g; s/\xe2(\x80[\x8e\x8f\xa8-\xae]|\x81[\xa6-\xa9])/?/g'
}

last_lines_of_log() {
  tail -n "$1" "$log" | harmless >&2
  say "the whole log is in $log"
}

# shellcheck shell=bash
# The progress line of a command: on a terminal it is updated every second, elsewhere a new line is
# printed every 30 seconds. A command that ends within the first second shows none.

line_what='' line_how=nothing_to_add line_began=0 line_next=0 line_is_drawn=
progress='' progress_after=

# begin_line <what> <how far: a function that sets progress, a word or two, and progress_after,
# which comes after the time>
begin_line() { line_what=$1 line_how=$2 line_began=$SECONDS line_next=30 line_is_drawn=; }

nothing_to_add() { :; }

# Once a second.
draw_line() {
  local seconds=$((SECONDS - line_began)) text
  progress='' progress_after=''
  "$line_how"
  spell "$seconds"
  text="$line_what${progress:+ $progress} ($spelled)$progress_after"
  if [[ -t 2 ]]; then
    (:)  # bash knows the terminal's width only after a child has run
    text="tune: ${text//[[:cntrl:]]/?}"
    printf '\r%s\033[K' "${text:0:${COLUMNS:-80}-1}" >&2
    line_is_drawn=yes
  elif ((seconds >= line_next)); then
    line_next=$((seconds + 30))
    say "$text"
  fi
}

erase_line() {
  [[ -z $line_is_drawn ]] || printf '\r\033[K' >&2
  line_is_drawn=
}

# with_progress <what> <how far> <command...>: returns the command's status; its output goes to
# $log. It runs as a job (jobs.sh).
with_progress() {
  local what=$1 how_far=$2 status=0
  shift 2
  if [[ -n $in_job ]]; then  # whoever started the job draws the line
    tell_phase "$what"
    "$@" >>"$log" 2>&1 </dev/null || status=$?
    return "$status"
  fi
  begin_line "$what" "$how_far"
  start_job to_log "$@"
  wait_for_job "$job"
  erase_line
  return "$job_status"
}

to_log() { "$@" >>"$log" 2>&1; }

# The same, in our own process group: a terminal's Ctrl-C reaches what sudo runs there, but we could
# not.
with_progress_in_front() {
  local status=0 ticker_input
  exec {ticker_input}> >(tick "$1" "$2")
  local ticker=$!
  shift 2
  # A separate shell, so that our traps do not write into the log.
  (let_go "$ticker_input" "$lock_fd" && "$@") >>"$log" 2>&1 </dev/null || status=$?
  exec {ticker_input}>&-
  wait "$ticker" || true
  return "$status"
}

# Ends when its input does, also when the shell that started it is gone.
tick() {
  trap '' INT
  let_go "$lock_fd"
  begin_line "$1" "$2"
  local status
  while true; do
    status=0
    read -r -t 1 || status=$?
    ((status > 128)) || break  # no time-out: the end of the input
    draw_line
  done
  erase_line
}

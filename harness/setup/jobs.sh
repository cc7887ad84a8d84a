# shellcheck shell=bash
# Commands that run in the background, each in its own process group. They end when we do, however
# we end: stop_jobs ends them after an interrupt or an error; after a kill -9 a guard does, which
# sees the other end of its pipe closed.

job='' job_status=0
in_job=                # in a job: its output goes to the log, and it sends us news through news_fd
news_fd='' guard_fd='' guard='' jobs_shell=''
declare -A running=()  # by process: "", or what must not fail because nothing else makes sense without it
declare -A ended=()    # statuses, by process

# start_job <to_log or telling_us> <command...>: sets job. The command's set -e applies, unlike on
# the left of "||". When it must end, each shell waits for its child, so that none is orphaned.
start_job() {
  ((${#running[@]})) || begin_jobs
  trap - EXIT  # a child that is killed before it starts would run this
  set -m
  (
    trap 'exit 143' TERM
    let_go "$guard_fd"
    set +e
    (trap 'exit 143' TERM; set -e; in_job=yes; "$@") </dev/null
    job_status=$?
    echo "@ended $BASHPID" >&"$news_fd"
    exit "$job_status"
  ) >/dev/null 2>&1 &
  job=$!
  set +m
  trap stop_jobs EXIT
  running[$job]=''
  echo "+$job" >&"$guard_fd"
}

begin_jobs() {
  local both_ends guard_input
  jobs_shell=$BASHPID
  trap 'interrupted 143' TERM
  trap 'interrupted 129' HUP
  trap pause TSTP
  exec {news_fd}<> <(:)  # a pipe of which we hold both ends
  exec {both_ends}<> <(:)
  exec {guard_input}<"/dev/fd/$both_ends" {guard_fd}>"/dev/fd/$both_ends" {both_ends}>&-
  set -m  # also its own group: what ends all of ours must not end it
  (guard_jobs) <&"$guard_input" >/dev/null 2>&1 &
  guard=$!
  set +m
  exec {guard_input}<&-
}

end_jobs() {
  trap - TERM HUP TSTP
  exec {news_fd}>&- {guard_fd}>&-
  news_fd='' guard_fd=''
  wait "$guard" 2>/dev/null || true
}

# let_go <descriptor or "">...: for processes that may outlive us: they must not keep a lock or the
# guard's pipe
let_go() {
  local fd
  for fd in "$@"; do
    [[ -z $fd ]] || exec {fd}>&-
  done
}

# Reads which jobs start and end, until we are gone.
guard_jobs() {
  trap '' INT TERM HUP
  let_go "$guard_fd" "$lock_fd" "$news_fd"
  local line
  local -A left=()
  while read -r line; do
    case $line in
      +*) left[${line:1}]=yes ;;
      -*) unset "left[${line:1}]" ;;
    esac
  done
  end_groups "${!left[@]}"
}

# end_groups <process group...>: terminates, waits up to five seconds, and kills
end_groups() {
  local group tries left=("$@")
  for group in "$@"; do kill -TERM -- "-$group" 2>/dev/null || true; done
  for ((tries = 0; tries < 100; ++tries)); do
    for group in "${!left[@]}"; do
      kill -0 -- "-${left[group]}" 2>/dev/null || unset "left[group]"
    done
    ((${#left[@]})) || return 0
    sleep 0.05
  done
  for group in "${left[@]}"; do kill -KILL -- "-$group" 2>/dev/null || true; done
}

# Process substitutions also run this at their end, but the jobs are not theirs.
stop_jobs() {
  local process
  ((${#running[@]})) && [[ $BASHPID == "$jobs_shell" ]] || return 0
  end_groups "${!running[@]}"
  for process in "${!running[@]}"; do wait "$process" 2>/dev/null || true; done
  running=()
  end_jobs
}
trap stop_jobs EXIT

interrupted() {
  trap '' INT TERM HUP
  stop_jobs
  erase_line
  say "interrupted; the next call continues from here"
  exit "$1"
}
trap 'interrupted 130' INT

# Ctrl-Z: the jobs stop as long as we do.
pause() {
  local process
  for process in "${!running[@]}"; do kill -STOP -- "-$process" 2>/dev/null || true; done
  kill -STOP "$BASHPID"
  for process in "${!running[@]}"; do kill -CONT -- "-$process" 2>/dev/null || true; done
}

# tell_phase <what>: from a job to the progress line
tell_phase() { echo "@phase $*" >&"$news_fd"; }

# wait_for_job <job>: sets job_status
wait_for_job() {
  while [[ -z ${ended[$1]:-} ]]; do hear; done
  job_status=${ended[$1]}
}

# Waits up to a second for news from the jobs: one ended, entered another phase, or has a sentence
# for the user.
hear() {
  local line='' process
  if read -r -t 1 -u "$news_fd" line || [[ -n $line ]]; then
    case $line in
      "@ended "*) finish_job "${line#* }" ;;
      "@phase "*) fetch_phase=${line#* } ;;
      *) erase_line && printf '%s\n' "$line" >&2 ;;
    esac
  else
    for process in "${!running[@]}"; do  # a killed job sends no last message
      kill -0 "$process" 2>/dev/null || finish_job "$process"
    done
    draw_line
  fi
}

finish_job() {
  local process=$1 what=${running[$1]} status=0
  wait "$process" 2>/dev/null || status=$?
  ended[$process]=$status
  unset "running[$process]"
  echo "-$process" >&"$guard_fd"
  ((${#running[@]})) || end_jobs
  [[ -n $what && $status != 0 ]] || return 0
  stop_jobs
  erase_line
  ((status < 128)) || not_now "$what: was ended by a signal. Call again: it continues where it stopped?"
  exit "$status"
}

# shellcheck shell=bash
# The progress of the build, and when it will be done. A unit of many files takes as long as ten
# small ones, so ninja's count of steps would mislead: each step is weighted by its usual duration.

# In seconds on one slow core. Only their ratios matter: the build shows how fast this machine is.
# The first pattern that matches ninja's description of a step counts.
readonly kStepSeconds=(
  1 '/embedded/'
  25 '/tune_worker_headers\.dir/.*\.gch$'
  10 '\.gch$'
  45 '/tune_worker_workload\.dir/.*/together/'
  24 '/tune_worker_(data|optimizer)\.dir/.*/together/'
  26 '/tune\.dir/.*/together/'
  20 '/tune_(campaign|gate|scenario)\.dir/.*/together/'
  12 '/together/'
  3 '^Building'
  1 '.'
)
readonly kWorkerSeconds=240  # of all steps of the worker, if it is not configured yet

plan=() planned=0                  # the steps to come, in ninja's order, and their sum
declare -A seconds_of=() is_done=()  # by step
built_later=()                     # targets that will be built after these
later_work=0 later_seconds=0
half_a_line='' done_steps=0 done_work=0 last_done=0 build_began=0
build_seconds=0                    # of all builds so far
work_rate=0                        # seconds of kStepSeconds in 1000 s of this machine

# plan_build <worker> <target...>
plan_build() {
  local worker=$1
  shift
  begin_reading_steps
  later_work=0
  if ((${#built_later[@]})); then
    later_work=$kWorkerSeconds
    if [[ $worker != none ]]; then
      read_plan "$@" "${built_later[@]}"
      later_work=$planned
    fi
  fi
  read_plan "$@"
  [[ $worker == none ]] || ((${#built_later[@]} == 0)) || later_work=$((later_work - planned))
}

# Given its full path, ninja does not recognise build.ninja as a file to regenerate first, which it
# cannot do here.
read_plan() {
  local line step
  plan=() planned=0 seconds_of=()
  while read -r line; do
    [[ $line =~ ^\[[0-9]+/[0-9]+\]\ (.+)$ ]] || continue
    step=${BASH_REMATCH[1]}
    weigh "$step"
    plan+=("$step")
    seconds_of[$step]=$step_seconds
    planned=$((planned + step_seconds))
  done < <(with_overlay ninja -C "$build" -f "$build/build.ninja" -n "$@" 2>/dev/null)
}

# weigh <step>: sets step_seconds
weigh() {
  local at
  for ((at = 0; at < ${#kStepSeconds[@]}; at += 2)); do
    step_seconds=${kStepSeconds[at]}
    [[ ! $1 =~ ${kStepSeconds[at + 1]} ]] || return 0
  done
}

begin_reading_steps() {
  done_steps=0 done_work=0 last_done=0 build_began=$SECONDS
  is_done=()
  half_a_line=
  exec {steps_fd}<"$log"
}

# Ninja's output since the last check: one line per finished step.
read_steps() {
  local line step
  while read -r line <&"$steps_fd" || { half_a_line+=$line && false; }; do
    line=$half_a_line$line half_a_line=
    [[ $line =~ ^\[[0-9]+/[0-9]+\]\ (.+)$ ]] || continue
    step=${BASH_REMATCH[1]}
    done_steps=$((done_steps + 1))
    last_done=$((SECONDS - build_began))
    is_done[$step]=yes
    done_work=$((done_work + ${seconds_of[$step]:-0}))
  done
}

end_reading_steps() {
  read_steps
  exec {steps_fd}<&-
  local took=$((SECONDS - build_began))
  build_seconds=$((build_seconds + took))
  ((took < 10 || done_work == 0)) || work_rate=$((done_work * 1000 / took))
}

# Sets work_in_hand: the steps that the compilers are working on now, which are the next ones of the
# plan.
see_work_in_hand() {
  local step free=$jobs
  work_in_hand=0
  for step in "${plan[@]}"; do
    ((free)) || break
    [[ -z ${is_done[$step]:-} ]] || continue
    work_in_hand=$((work_in_hand + ${seconds_of[$step]}))
    free=$((free - 1))
  done
}

# estimate <seconds since the build began>: sets build_left, "" when it is too early to say. Assumes
# that at the end of a step the other running steps were half done, and that they have continued at
# the same rate since, but have not ended.
estimate() {
  local work most
  build_left=
  (($1 >= 10 && last_done > 0)) || return 0
  see_work_in_hand
  work_rate=$(((done_work + work_in_hand / 2) * 1000 / last_done))
  ((work_rate > 0)) || return 0
  work=$((done_work + work_in_hand / 2 + work_rate * ($1 - last_done) / 1000))
  most=$((done_work + work_in_hand * 19 / 20))
  build_left=$(((planned - (work < most ? work : most)) * 1000 / work_rate))
  ((build_left > 0)) || build_left=0
}

# know_later: sets later_seconds, for built_later; false while the rate is unknown
know_later() {
  later_seconds=0
  ((later_work == 0)) || { ((work_rate > 0)) && later_seconds=$((later_work * 1000 / work_rate)); }
}

# For the line: "129/254", and after the time ", about 2 min left; downloading LibTorch 212 of 544
# MB"
build_so_far() {
  read_steps
  local total=${#plan[@]}
  ((done_steps <= total)) || total=$done_steps
  ((total == 0)) || progress="$done_steps/$total"
  look_at_fetch
  estimate $((SECONDS - build_began))
  if [[ -n $build_left ]] && know_later; then
    ((${fetch_left:-0} < build_left)) || build_left=$fetch_left
    spell_roughly $((build_left + later_seconds))
    progress_after=", about $spelled left"
  fi
  [[ -z $fetching ]] || progress_after+="; $fetching"
}

# tell_how_long: once everything is built
tell_how_long() {
  if [[ -n $was_missing ]]; then
    ((SECONDS <= 10)) || { spell "$SECONDS" && say "set up and built in $spelled"; }
  elif ((build_seconds > 10)); then
    spell "$build_seconds"
    say "built in $spelled"
  fi
}

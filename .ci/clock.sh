# shellcheck shell=bash
# The clock of .ci/run: what each step took, the table of it at the end, and whether a step outgrew its budget.

budget_file=.ci/budget.tsv
declare -A budget_of=()  # milliseconds
names=() took=()         # of the steps that ran
failed='' current='' current_since='' started=''
widened=100  # percent of a budget that apply on this machine

now() { date +%s%3N; }

# read_budgets <name...>: each of them must have a budget, and nothing else may
read_budgets() {
  local line number=0 name seconds
  local -A known=() line_of=()
  for name in "$@"; do known[$name]=yes; done
  [[ -f $budget_file && -r $budget_file ]] || wrong_here "$budget_file: cannot be read (it has the seconds of every step). Check it out again?"
  while IFS= read -r line || [[ -n $line ]]; do
    number=$((number + 1))
    [[ -n $line && $line != \#* ]] || continue
    name=${line%%$'\t'*} seconds=${line#*$'\t'}
    [[ -n $name && $line == *$'\t'* ]] ||
      wrong_here "$budget_file:$number: '$line' is not a step and its seconds (a tab separates them). Write one tab between them?"
    [[ -n ${known[$name]:-} ]] ||
      wrong_here "$budget_file:$number: unknown step '$name' (known: $(list "$@")). Correct the name, or remove the line?"
    [[ -z ${line_of[$name]:-} ]] ||
      wrong_here "$budget_file:$number: '$name' has a budget already (line ${line_of[$name]}). Remove one of them?"
    [[ $seconds =~ ^([0-9]{1,6})(\.([0-9]{1,3}))?$ && $seconds == *[1-9]* ]] ||
      wrong_here "$budget_file:$number: '$seconds' is not a number of seconds for '$name' (above 0, such as 120 or 0.9). Correct it?"
    line_of[$name]=$number
    seconds=${BASH_REMATCH[3]}000
    budget_of[$name]=$((10#${BASH_REMATCH[1]} * 1000 + 10#${seconds:0:3}))
  done <"$budget_file"
  for name in "$@"; do
    [[ -n ${budget_of[$name]:-} ]] || wrong_here "$budget_file: no seconds for '$name' (every step has a budget). Add its line?"
  done
}

list() { local all && printf -v all ', %s' "$@" && printf '%s' "${all:2}"; }

# CI machines of one kind differ by half, which a factor of two covers; one of half the speed would
# fail every healthy step. So one small file is compiled, as on the machine on which the budgets
# were measured. That only widens budgets: a fast compiler does not speed up downloads and waiting.
# The best of three counts, because every disturbance makes a compiler slower.
calibrate() {
  local begin best='' milliseconds
  mkdir -p build
  for _ in 1 2 3; do
    begin=$(now)
    CCACHE_DISABLE=1 g++ -std=c++20 -O2 -c .ci/one_file.cpp -o build/one_file.o || return 0
    milliseconds=$(($(now) - begin))
    [[ -n $best ]] && ((best <= milliseconds)) || best=$milliseconds
  done
  widened=$((best * 100 / ${budget_of["one file"]}))
  ((widened > 100)) || widened=100
}

start_clock() {
  started=$(now)
  trap finish EXIT
}

# step <name> <what it is> <command...>: the first one that fails ends the run
step() {
  local name=$1 what=$2 status=0
  shift 2
  [[ -n ${budget_of[$name]:-} || -n ${full:-} ]] || our_bug "step '$name' of .ci/run has no budget"
  printf '\n=== %s: %s\n' "$name" "$what"
  current=$name current_since=$(now)
  # A separate shell, because some commands end it with a sentence. (Not after "if": that would
  # switch its -e off.)
  set +e
  (set -e && "$@")
  status=$?
  set -e
  if ((status != 0)); then
    [[ $name == set-up ]] || status=1  # the set-up's own codes say whether a later try may succeed
    exit "$status"
  fi
  stop_clock passed
}

# stop_clock <how the step ended>
stop_clock() {
  local milliseconds=$(($(now) - current_since))
  names+=("$current") took+=("$milliseconds")
  printf '=== %s: %s after %d s (%d s since the start)\n' "$current" "$1" $((milliseconds / 1000)) $((($(now) - started) / 1000))
  current=''
}

# outgrown: one sentence for each step that took more than twice its budget. TUNE_CI=full does more
# per step than was measured.
outgrown() {
  local i name here=''
  [[ -z ${full:-} ]] || return 0
  ((widened == 100)) || here=", of which $widened % count on this machine"
  for i in "${!names[@]}"; do
    name=${names[i]}
    [[ $name == "$failed" ]] || ((took[i] * 100 <= 2 * ${budget_of[$name]} * widened)) ||
      printf '%s: took %d s, more than twice its budget of %d s (%s%s). Make it faster, or raise the budget and say why in the commit?\n' \
        "$name" $((took[i] / 1000)) $((${budget_of[$name]} / 1000)) "$budget_file" "$here"
  done
}

print_table() {
  local i name budget all=$(($(now) - started)) whole
  whole=$((all == 0 ? 1 : all))
  printf '\n%-12s %8s %6s %7s\n' step seconds share budget
  for i in "${!names[@]}"; do
    name=${names[i]} budget=-
    [[ -n ${full:-} ]] || budget=$((${budget_of[$name]} / 1000))
    printf '%-12s %8d %4d %% %7s' "$name" $((took[i] / 1000)) $(((took[i] * 100 + whole / 2) / whole)) "$budget"
    [[ $name != "$failed" ]] || printf '  FAILED'
    printf '\n'
  done
  printf '%-12s %8d\n' 'in all' $((all / 1000))
  ((widened == 100)) || printf 'This machine is slower than the one of the budgets: %d %% of them count\n' "$widened"
}

# However the run ends, the table shows where the time went.
finish() {
  local status=$? sentences bad good
  set +e
  if [[ -n $current ]]; then
    failed=$current
    stop_clock FAILED
  fi
  print_table
  print_left_out
  sentences=$(outgrown)
  bad=$(grep -c . <<<"$sentences")
  [[ -z $failed ]] || bad=$((bad + 1))
  good=$((${#names[@]} - bad))
  ((status == 0 || bad > 0)) || bad=1  # failures between two steps
  [[ -z $sentences ]] || printf '\n%s\n' "$sentences"
  printf '\n%d passed, %d failed\n' "$good" "$bad"
  ((status != 0 || bad == 0)) || status=1
  exit "$status"
}

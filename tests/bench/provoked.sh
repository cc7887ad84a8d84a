#!/usr/bin/env bash
# provoked.sh [-n TIMES] [-b BUDGET] [-s SETTING] [-o FOLDER] [SCENARIO...]: runs the scenarios of scenarios/provoked for real (or
# those named: `starved-loader`), tuned.yaml TIMES times (default 10), each bounded in time, and
# prints as Markdown the first recommendation, the expected one, the predicted and the measured
# gain. Nothing else may run meanwhile: about 2 minutes per scenario. SETTING is put into every
# baseline: amp=none if the CPU has no bf16. Run directories and logs stay in FOLDER (default: a new
# one, which is named at the end); TUNE selects another tune. Ends with 1 when a run is not as
# expected.
set -u
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
tune=${TUNE:-$here/../../tune}
scenarios=$here/../../scenarios/provoked
times=10 budget='' setting='' folder=''
while getopts n:b:s:o: flag; do
  case $flag in
    n) times=$OPTARG ;;
    b) budget=$OPTARG ;;
    s) setting=$OPTARG ;;
    o) folder=$OPTARG ;;
    *) sed -n '2,6s/^# //p' "$0" >&2 && exit 2 ;;
  esac
done
shift $((OPTIND - 1))
if [ -z "$folder" ]; then folder=$(mktemp -d) || exit 1; fi
mkdir -p "$folder" || exit 1

neighbour=
stop_neighbour() {
  [ -z "$neighbour" ] || kill "$neighbour" 2>/dev/null
  neighbour=
}
trap stop_neighbour EXIT
trap 'exit 130' INT TERM

# One problem each: the cost of page faults would be another one, which these two variables remove
# (page-fault-storm).
one_arena=(MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=1073741824)

# run_once <scenario> <name>: leaves FOLDER/<name>/ and <name>.log; the longest is 10 minutes, data included
run_once() {
  local scenario=$1 name=$2 begin=$SECONDS code
  local variables=("${one_arena[@]}") flags=(-q -o "$folder/$name")
  [ "$scenario" != allocator-cliff ] || variables=()
  [ -z "$budget" ] || flags+=(--time "$budget")
  [ -z "$setting" ] || flags+=(--set "$setting")
  if [ -e "$folder/$name" ]; then
    echo "$folder/$name already exists: name another folder" >&2
    return 2
  fi
  if [ "$scenario" = busy-neighbour ]; then
    while :; do :; done &
    neighbour=$!
  fi
  env ${variables[@]+"${variables[@]}"} timeout -k 10 600 "$tune" run "$scenarios/$scenario.yaml" "${flags[@]}" \
    >"$folder/$name.log" 2>&1
  code=$?
  stop_neighbour
  echo "$name: exit $code after $((SECONDS - begin)) s" >&2
  printf '%s\t%s\t%s\t%s\n' "$scenario" "$name" "$code" $((SECONDS - begin)) >>"$folder/runs.tsv"
}

names=("$@")
if [ ${#names[@]} = 0 ]; then
  for file in "$scenarios"/*.yaml; do names+=("$(basename "$file" .yaml)"); done
fi
for name in "${names[@]}"; do
  if [ ! -f "$scenarios/$name.yaml" ]; then
    echo "$name: there is no such scenario in $scenarios" >&2
    exit 2
  fi
done
: >"$folder/runs.tsv"
for name in "${names[@]}"; do
  if [ "$name" = tuned ]; then
    for i in $(seq "$times"); do run_once tuned "tuned-$i"; done
  else
    run_once "$name" "$name"
  fi
done
python3 "$here/provoked_table.py" "$scenarios" "$folder"
status=$?
echo
"$tune" rules quality "$folder" --each
echo
echo "runs and logs: $folder"
exit "$status"

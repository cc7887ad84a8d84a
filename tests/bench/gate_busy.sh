#!/bin/bash
# gate_busy.sh [A/A gates] [gates with an injected 5 %] [compilers]: what gates answer beside another build, of time and of CPU time, budget 3 %.
# The build compiles one file over and over, with as many compilers as there are CPUs; 0: something else keeps the machine busy.
# A line a gate, then how often each metric had which verdict.
set -u
tune=${TUNE:-$(dirname "$0")/../../tune}
equal=${1:-10} slowed=${2:-10}
work=$(mktemp -d) || exit 1
load=()
trap 'kill "${load[@]}" 2>/dev/null; rm -rf "$work"' EXIT
cat >"$work/mlp.yaml" <<'YAML'
tune: 1
name: mlp
workload: {model: mlp, image_size: 16, classes: 10}
data: {source: synthetic}
baseline: {batch_size: 64, intra_op_threads: 1, flush_denormal: true}
grid: {intra_op_threads: [1]}
YAML
printf '#include <map>\n#include <regex>\n#include <string>\nint main() { return std::regex_match("a", std::regex("a")); }\n' >"$work/built.cpp"
for ((i = 0; i < ${3:-$(nproc)}; ++i)); do
  (while :; do "${CXX:-g++}" -O2 -o "$work/built.$i.o" -c "$work/built.cpp"; done) &
  load+=($!)
done
declare -A answers
gate() {  # name seed flags...
  local name=$1 seed=$2 begin=$SECONDS metric verdict
  shift 2
  "$tune" gate "$work/mlp.yaml" --against "$work/mlp.yaml" --metrics throughput,cpu_time --budget 3% --seed "$seed" \
    --set slice=200ms --set warmup=300ms --slices 5 -o "$work/$name-$seed" -q "$@" >"$work/out" 2>"$work/err"
  local code=$?
  printf '%s %s: exit %s, %s s' "$name" "$seed" "$code" $((SECONDS - begin))
  for metric in throughput cpu_time; do
    verdict=$(awk -v m="$metric" '$1 == m {print $NF}' "$work/out")
    answers[$name-$metric-${verdict:-none}]=$((${answers[$name-$metric-${verdict:-none}]:-0} + 1))
    printf ', %s' "$(grep "^$metric " "$work/out" | tr -s ' ')"
  done
  printf '\n'
  rm -rf "$work/$name-$seed"
}
for ((i = 1; i <= equal || i <= slowed; ++i)); do
  ((i <= equal)) && gate equal "$i"
  ((i <= slowed)) && gate slowed "$((1000 + i))" --inject 5%
done
for key in "${!answers[@]}"; do echo "$key ${answers[$key]}"; done | sort

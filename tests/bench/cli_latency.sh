#!/usr/bin/env bash
# How long a person waits: medians of CALLS calls (21), in ms, next to the aims. From the root of a
# clone that ./tune has built; on a quiet machine. cli_latency.sh [CALLS]
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
calls=${1:-21}
program=build/release/bin/tune
[[ -x $program ]] || { echo "$program is missing: ./tune plan scenarios/resnet18.yaml builds it" >&2 && exit 2; }
export LC_ALL=C

# microseconds of one call, whatever it answers
time_of() {
  local begin=$EPOCHREALTIME end
  "$@" >/dev/null 2>&1 || true
  end=$EPOCHREALTIME
  echo $((${end/./} - ${begin/./}))
}

too_slow=0
# measure <aim in ms> <command...>
measure() {
  local aim=$1 times call median
  shift
  time_of "$@" >/dev/null  # the first call reads the program from disk
  times=$(for ((call = 0; call < calls; ++call)); do time_of "$@"; done | sort -n)
  median=$(sed -n "$(((calls + 1) / 2))p" <<<"$times")
  awk -v aim="$aim" -v median="$median" -v most="$(tail -n 1 <<<"$times")" -v what="$*" 'BEGIN {
    printf "%7.1f ms  (at most %.1f, aim %d)  %s%s\n", median / 1000, most / 1000, aim, what, (median > aim * 1000 ? "  TOO SLOW" : "")
    exit (median > aim * 1000)
  }' || too_slow=1
}

measure 50 ./tune --help
measure 50 ./tune help exit-codes
measure 100 ./tune plan scenarios/resnet18.yaml
measure 100 "$program" plan scenarios/resnet18.yaml
measure 100 "$program" list knobs
measure 100 "$program" rules list
measure 100 "$program" completion bash
measure 100 "$program" no-such-command
exit "$too_slow"

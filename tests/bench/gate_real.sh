#!/bin/bash
# gate_real.sh [A/A gates] [gates with an injected 10 %]: how the gate performs on this machine with
# mlp.yaml, 0.2 s slices. Nothing else may run meanwhile. Each verdict is one line; the last lines
# are the counts and the false-alarm bound.
set -u
tune=${TUNE:-$(dirname "$0")/../../tune}
scenario=$(dirname "$0")/../../scenarios/mlp.yaml
equal=${1:-30} slowed=${2:-10}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
gate() {  # name seed flags...
  local name=$1 seed=$2 begin code
  shift 2
  begin=$(date +%s)
  "$tune" gate "$scenario" --against "$scenario" --metrics throughput --set slice=200ms --set warmup=300ms --slices 5 --seed "$seed" \
    -o "$work/$name-$seed" -q "$@" >"$work/out" 2>"$work/err"
  code=$?
  printf '%s %s: exit %s, %s s, %s\n' "$name" "$seed" "$code" $(($(date +%s) - begin)) "$(tail -1 "$work/out")"
  rm -rf "$work/$name-$seed"
  return $code
}
alarms=0 open=0 caught=0
for i in $(seq "$equal"); do
  gate equal "$i"
  case $? in 1) alarms=$((alarms + 1)) ;; 0) ;; *) open=$((open + 1)) ;; esac
done
for i in $(seq "$slowed"); do
  gate slowed "$((1000 + i))" --inject 10%
  [ $? = 1 ] && caught=$((caught + 1))
done
echo "equal sides: $alarms REGRESSED and $open without a verdict, of $equal"
[ "$alarms" = 0 ] && awk -v n="$equal" 'BEGIN {printf "false alarms: 0 of %d, <= %.1f %%\n", n, 100 * (1 - 0.05 ^ (1 / n))}'
echo "slowed by 10 %: $caught of $slowed caught"

#!/usr/bin/env bash
# The cost of `tune report` for a run whose 64 settings all recorded steps: medians of CALLS calls
# (5), and their peak memory. report_cost.sh [TRACE.json.gz [CALLS]]. The fake worker makes the run;
# then every trace is replaced by a copy of TRACE, by default from a recorded run of ResNet-18. From
# the root of a clone that was built with its tests; on a quiet machine.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
tune=$(readlink -f "${TUNE:-build/release/bin/tune}")
worker=$(readlink -f "${WORKER:-build/release/bin/fake-worker}")
trace=${1:-} calls=${2:-5}
seconds=1.5 megabytes=300
for program in "$tune" "$worker"; do
  [[ -x $program ]] || { echo "$program is missing: cmake --build --preset release --target tune fake-worker" >&2 && exit 2; }
done
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TUNE_DATA_DIR=$work/data TUNE_WORKER_PROGRAM=$worker
if [[ -z $trace ]]; then
  tar -xzf tests/recorded/provoked/tuned.tgz -C "$work"
  trace=$(find "$work" -name trace.json.gz | head -n 1)
fi
trace=$(readlink -f "$trace")
cat >"$work/large.yaml" <<'YAML'
tune: 1
name: large
workload: {model: resnet18, task: train, image_size: 64, classes: 10, optimizer: adamw}
data: {source: synthetic, samples: 4096}
baseline: {batch_size: 8, intra_op_threads: 1, optimizer_impl: loop, channels_last: false}
grid:
  batch_size: [8, 16, 24, 32, 40, 48, 56, 64]
  intra_op_threads: [1, 2]
  optimizer_impl: [loop, foreach]
  channels_last: [false, true]
measure: {warmup: 10ms, rounds: 3, slices: 3}
profile: {cells: all}
search: {strategy: grid, confirm: 2}
YAML
TUNE_FAKE_SCRIPT='{"samples_per_s": 100, "noise": {"process_sd": 0.005}, "effects": {"batch_size": {"64": 1.4}, "channels_last": {"true": 1.2}}}' \
  "$tune" run "$work/large.yaml" -o "$work/run" --seed 1 -q >/dev/null
traces=0
while read -r file; do
  cp "$trace" "$file"
  traces=$((traces + 1))
done < <(find "$work/run/trials" -name trace.json.gz)
echo "$traces traces of $(gzip -dc "$trace" | wc -c) bytes of JSON"

# Wall seconds and peak memory in MB of one call.
measure() {
  if [[ -x /usr/bin/time ]]; then
    /usr/bin/time -f '%e %M' -o "$work/cost" "$tune" report "$work/run" >/dev/null
    awk '{printf "%.3f %.0f\n", $1, $2 / 1024}' "$work/cost"
  else
    python3 - "$tune" report "$work/run" <<'PY'
import resource, subprocess, sys, time
begin = time.monotonic()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(f"{time.monotonic() - begin:.3f} {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f}")
PY
  fi
}

measure >/dev/null  # the first call reads program and traces from disk
for ((call = 0; call < calls; ++call)); do measure; done | sort -n >"$work/costs"
ls -l "$work/run/report.html" "$work/run/result.json" "$work/run/report.md" | awk '{n = split($NF, path, "/"); print path[n] ": " $5 " bytes"}'
sed -n "$(((calls + 1) / 2))p" "$work/costs" | awk -v seconds="$seconds" -v megabytes="$megabytes" '{
  printf "tune report: %.2f s (aim %.1f), peak memory %d MB (aim %d)%s\n", $1, seconds, $2, megabytes,
    ($1 > seconds || $2 > megabytes ? "  TOO MUCH" : "")
  exit ($1 > seconds || $2 > megabytes)
}'

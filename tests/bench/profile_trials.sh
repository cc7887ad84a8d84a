#!/bin/bash
# profile_trials.sh: more than a hundred consecutive trials that record steps, each a process of the
# real worker, of the smallest scenario. Prints how many hung, crashed, lost their reply or their
# trace; exit code 0 when none did, else 1. TUNE=<program> selects another tune than the launcher's;
# KEEP=1 keeps the run; WORK=<folder> keeps it, and what was said, there.
set -u
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
tune=${TUNE:-$here/../../tune}
if [ -n "${WORK:-}" ]; then
  mkdir -p "$WORK" && work=$(readlink -f "$WORK") || exit 1
else
  work=$(mktemp -d) || exit 1
fi
if [ -n "${WORK:-}" ] || [ "${KEEP:-0}" = 1 ]; then echo "kept: $work"; else trap 'rm -rf "$work"' EXIT; fi

# 17 x 2 x 3 cells, once each: `cells: all` records every cell in the first round, and a cell runs once.
cat >"$work/profiled.yaml" <<'YAML'
tune: 1
name: profiled
workload: {model: mlp, task: train, image_size: 16, classes: 10, optimizer: adamw}
data: {source: synthetic, samples: 256}
baseline: {batch_size: 4, intra_op_threads: 1, optimizer_impl: loop}
grid:
  batch_size: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
  intra_op_threads: [1, 2]
  optimizer_impl: [loop, foreach, fused]
measure: {warmup: 20ms, slices: 1, slice: 20ms, slice_steps: 2, rounds: 1, trial_timeout: 60s}
profile: {cells: all, warmup: 1, active: 3, record_shapes: true, profile_memory: true, with_modules: true}
search: {strategy: grid, confirm: 1, confirm_rounds: 1}
YAML

"$tune" run "$work/profiled.yaml" -o "$work/run" -q >"$work/out" 2>"$work/err"
code=$?
ledger=$work/run/ledger.jsonl
if [ ! -s "$ledger" ]; then
  echo "the run did not begin (exit code $code):"
  tail -5 "$work/err"
  exit 1
fi

# Lines of the ledger that say how a trial ended.
ended() { grep '"event":"trial"' "$ledger" | grep -c "\"outcome\":\"$1\""; }
trials=$(grep -c '"event":"trial"' "$ledger")
completed=$(ended completed) hung=$(ended timed-out) crashed=$(ended crashed) garbled=$(ended garbled)
other=$((trials - completed - hung - crashed - garbled))
asked=0 no_reply=0 no_trace=0 damaged=0 half=0
for folder in "$work"/run/trials/*/; do
  [ -s "$folder/reply.json" ] || no_reply=$((no_reply + 1))
  ls "$folder"/*.tmp >/dev/null 2>&1 && half=$((half + 1))
  grep -q '"profile": null' "$folder/spec.json" && continue
  asked=$((asked + 1))
  if [ ! -s "$folder/trace.json.gz" ]; then
    no_trace=$((no_trace + 1))
    echo "$(basename "$folder"): no trace: $(tail -1 "$folder/stderr.log" 2>/dev/null)"
  elif ! gzip -t "$folder/trace.json.gz" 2>/dev/null; then
    damaged=$((damaged + 1))
  fi
done
grep '"event":"trial"' "$ledger" | grep -v '"outcome":"completed"' | grep -o '"id":"[^"]*"\|"reason":"[^"]*"' | paste -sd' \n' -
echo "trials $trials, $asked of them with a profile; exit code of the run $code"
echo "hung $hung, crashed $crashed, garbled $garbled, other ends $other"
echo "without a reply $no_reply, without their trace $no_trace, damaged traces $damaged, half written files $half"
[ "$asked" -ge 100 ] || { echo "fewer than 100 trials recorded steps"; exit 1; }
[ $((hung + crashed + garbled + other + no_reply + no_trace + damaged + half)) = 0 ]

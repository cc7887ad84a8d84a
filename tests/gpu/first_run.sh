#!/bin/bash
# first_run.sh [--torch FOLDER] [-o first_run.json] [--only N,N...] [--time SECONDS]: what must be
# true on a machine with a GPU, item by item.
#
# Runs from a bundle (tests/gpu/bundle) or from a clone that is built (BIN=<build>/bin). Writes one JSON file: each item with what
# was measured, what is expected, and pass, fail or not-run with its reason. Traces and the items'
# output are next to it in first_run.work/, as is the answer of each item as soon as it is known:
# the next call with the same -o continues from there (--only runs its items again). Item 18, which
# takes minutes, is left to a second call, or to --only 18. With --time no item begins for which too
# little is left, and one that is cut off is not-run. Exit codes:
#   0 every item passed   1 an item failed   2 usage, or no LibTorch   3 nothing failed, but something was not run
#   75 no NVIDIA driver: every item is not-run: no_driver
# Environment: BIN, TUNE_TORCH_DIR; ITEM_SECONDS, the longest that an item may take (600); for tests
# SYSTEM_ROOT, and USUAL_SECONDS in place of what an item takes as a rule.
set -u
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
system=${SYSTEM_ROOT:-}
item_seconds=${ITEM_SECONDS:-600}
output=first_run.json only='' limit='' torch=${TUNE_TORCH_DIR:-}
usage() { echo "usage: first_run.sh [--torch FOLDER] [-o FILE] [--only N,N...] [--time SECONDS]" >&2; exit 2; }
while [ $# -gt 0 ]; do
  case $1 in
    --torch) [ $# -ge 2 ] || usage; torch=$2; shift 2 ;;
    -o) [ $# -ge 2 ] || usage; output=$2; shift 2 ;;
    --only) [ $# -ge 2 ] || usage; only=,$2,; shift 2 ;;
    --time) [[ ${2:-} =~ ^[1-9][0-9]{0,5}$ ]] || usage; limit=$2; shift 2 ;;
    *) usage ;;
  esac
done
if [ -z "${BIN:-}" ]; then
  BIN=$here/bin
  [ -d "$BIN" ] || BIN=$here/../../build/release/bin
fi
bench=$here/tests/bench
[ -d "$bench" ] || bench=$here/../bench
work=${output%.json}.work
mkdir -p "$work/answers" || { echo "first_run.sh: $work: cannot be made (traces and answers are kept there) another -o?" >&2; exit 2; }
work=$(readlink -f "$work")
others_were_tried=1
for number in {1..17} 19 20; do [ -s "$work/answers/$number" ] || others_were_tried=; done
started=$(date -u +%Y-%m-%dT%H:%M:%SZ)
records=()
passed=0 failed=0 not_run=0 ran=0

# Text as a JSON string; everything except printable ASCII becomes "?".
json() {
  local text=${1//\\/\\\\}
  text=${text//\"/\\\"}
  text=$(printf '%s' "$text" | LC_ALL=C tr '\n\t' '  ' | LC_ALL=C tr -c '\040-\176' '?')
  printf '"%s"' "$text"
}
json_or_null() { if [ -n "$1" ]; then json "$1"; else printf null; fi; }

write_report() {
  {
    printf '{"schema": "tune-first-run/1", "started_utc": %s,\n' "$(json "$started")"
    printf ' "kernel": %s, "driver": %s, "gpus": %s,\n' "$(json "$(uname -r)")" "$(json_or_null "$driver")" "$(json_or_null "$gpus")"
    printf ' "pass": %s, "fail": %s, "not_run": %s,\n "items": [' "$passed" "$failed" "$not_run"
    local separator='' record
    for record in "${records[@]}"; do
      printf '%s\n  %s' "$separator" "$record"
      separator=,
    done
    printf '\n]}\n'
  } >"$output.part" && mv "$output.part" "$output"
}

# count VERDICT RECORD
count() {
  case $1 in pass) passed=$((passed + 1)) ;; fail) failed=$((failed + 1)) ;; *) not_run=$((not_run + 1)) ;; esac
  records+=("$2")
}

# record NUMBER NAME EXPECT VERDICT REASON MEASURED: the last is a JSON value.
record() {
  local line
  line="{\"number\": $1, \"name\": $(json "$2"), \"expect\": $(json "$3"), \"verdict\": \"$4\", \"reason\": $(json_or_null "$5"), \"measured\": ${6:-null}}"
  count "$4" "$line"
  printf '%2s %-8s %s%s\n' "$1" "$4" "$2" "${5:+: $5}"
  if [ -z "$absent" ]; then  # else it was not tried
    printf '%s\n' "$line" >"$work/answers/$1.part" && mv "$work/answers/$1.part" "$work/answers/$1"
  fi
  write_report
}

# recall NUMBER: the answer of an earlier call; fails without one.
recall() {
  local line verdict
  [ -s "$work/answers/$1" ] && line=$(cat "$work/answers/$1") && verdict=$(field "$line" /verdict) || return 1
  verdict=${verdict//\"/}
  [ "$verdict" = pass ] || [ "$verdict" = fail ] || return 1
  count "$verdict" "$line"
  printf '%2s %-8s (known from an earlier call)\n' "$1" "$verdict"
}

# The last line of an item: {"verdict": "pass" | "fail" | "not-run", "reason": text | null,
# "measured": {...}}.
field() { printf '%s' "$1" | "$BIN/json_value" "$2" 2>/dev/null; }

# Seconds that are left of --time; a day without it.
seconds_left() { echo $((${limit:-$((SECONDS + 86400))} - SECONDS)); }

# within SECONDS COMMAND...: with a limit of so many, or of what is left.
within() {
  local most=$1 left
  left=$(seconds_left)
  shift
  [ "$left" -ge "$most" ] || most=$((left > 0 ? left : 1))
  timeout -k 10 "$most" "$@"
}

# usual_seconds NUMBER: what an item takes as a rule, with room.
usual_seconds() {
  case $1 in
    18) echo "${USUAL_SECONDS:-420}" ;;
    2 | 7 | 13 | 17 | 20) echo "${USUAL_SECONDS:-60}" ;;
    *) echo "${USUAL_SECONDS:-30}" ;;
  esac
}

# why_not_now NUMBER: why an item is left to another call; fails where it is not.
why_not_now() {
  local usual left
  usual=$(usual_seconds "$1") left=$(seconds_left)
  if [ "$1" = 18 ] && [ -z "$only$others_were_tried" ]; then
    echo "left to a call of its own: the same again, or --only 18"
  elif [ "$left" -lt "$usual" ]; then
    echo "$((left > 0 ? left : 0)) s are left of --time $limit, it may take $usual: the same again"
  else
    return 1
  fi
}

# item NUMBER NAME EXPECT COMMAND...
item() {
  local number=$1 name=$2 expect=$3 answer code verdict reason
  shift 3
  if [[ -n $only && $only != *,$number,* ]]; then
    recall "$number" || true
    return
  fi
  if [ -z "$only" ] && recall "$number"; then
    return
  fi
  ran=$((ran + 1))
  if [ -n "$absent" ]; then
    record "$number" "$name" "$expect" not-run "$absent"
    return
  fi
  if reason=$(why_not_now "$number"); then
    recall "$number" || record "$number" "$name" "$expect" not-run "$reason"
    return
  fi
  if [ "$(type -t "$1")" = function ]; then
    ( "$@" ) >"$work/answer" 2>"$work/$number.err"
  elif [ -x "$1" ]; then
    within "$item_seconds" "$@" >"$work/answer" 2>"$work/$number.err"
  else
    record "$number" "$name" "$expect" not-run "$(basename "$1") was not built: CUDA's headers were missing"
    return
  fi
  code=$?
  answer=$(tail -1 "$work/answer")
  verdict=$(field "$answer" /verdict)
  verdict=${verdict//\"/}
  if [ "$verdict" != pass ] && [ "$(seconds_left)" -le 0 ]; then
    record "$number" "$name" "$expect" not-run "--time $limit was over before it ended: the same again"
  elif [ "$code" = 124 ] || [ "$code" = 137 ]; then
    record "$number" "$name" "$expect" fail "no answer within $item_seconds s"
  elif [ "$verdict" != pass ] && [ "$verdict" != fail ] && [ "$verdict" != not-run ]; then
    record "$number" "$name" "$expect" fail "exit code $code without an answer: $(tail -1 "$work/$number.err")"
  else
    reason=$(field "$answer" /reason)
    if [ "$reason" = null ]; then reason=; else reason=${reason#\"} reason=${reason%\"}; fi
    record "$number" "$name" "$expect" "$verdict" "$reason" "$(field "$answer" /measured)"
  fi
}

# answer VERDICT REASON MEASURED
answer() { printf '{"verdict": "%s", "reason": %s, "measured": %s}\n' "$1" "$(json_or_null "$2")" "${3:-null}"; }

# reads_of_the_host FOLDER: how many scalars the host read in the recorded steps of the float16
# cell.
reads_of_the_host() {
  local folder i=0 id
  for folder in "$1"/trials/*/; do
    [ "$("$BIN/json_value" /knobs/amp <"$folder/spec.json" 2>/dev/null)" = '"fp16"' ] && [ -e "$folder/trace.json.gz" ] || continue
    "$BIN/tune" analyze "$folder/trace.json.gz" -o "$work/amp-trace" >/dev/null 2>"$work/amp.err" || return
    while id=$("$BIN/json_value" "/metrics/$i/id" <"$work/amp-trace/result.json" 2>/dev/null); do
      if [ "$id" = '"small_d2h_count"' ]; then
        "$BIN/json_value" "/metrics/$i/value" <"$work/amp-trace/result.json"
        return
      fi
      i=$((i + 1))
    done
  done
}

# Tune's losses with each type of arithmetic, from the same seed.
amp_losses() {
  cat >"$work/amp.yaml" <<'YAML'
tune: 1
name: amp
workload: {model: mlp, task: train, image_size: 32, classes: 10, optimizer: adamw}
data: {source: synthetic, samples: 1024}
baseline: {batch_size: 32, amp: none, optimizer_impl: fused}
grid: {amp: [none, bf16, fp16]}
measure: {warmup: 100, slices: 1, slice: 100ms, rounds: 1, trial_timeout: 120s}
profile: {cells: all}
search: {strategy: grid, confirm: 1, confirm_rounds: 1}
YAML
  rm -rf "$work/amp" "$work/amp-trace"
  within "$item_seconds" "$BIN/tune" run "$work/amp.yaml" -o "$work/amp" -q >/dev/null 2>"$work/amp.err"
  local folder cell loss base='' measured='' worst=0
  for folder in "$work"/amp/trials/r1-*/; do
    cell=$(basename "$folder")
    # losses are at steps 1, 2, 4, 8, 16: use the fifth. Later on rounding decides (H200: 1.1 % at
    # step 16, 34 % at step 64).
    loss=$("$BIN/json_value" /losses/4/value <"$folder/reply.json" 2>/dev/null) || loss=
    [ -n "$loss" ] || { answer fail "$cell has no loss at step 16: $(tail -1 "$folder/stderr.log" 2>/dev/null)"; return; }
    measured+="${measured:+, }$(json "$cell"): $loss"
    [ "$cell" = r1-baseline ] && base=$loss
  done
  [ -n "$base" ] || { answer fail "the run gave no baseline: $(tail -1 "$work/amp.err")"; return; }
  for folder in "$work"/amp/trials/r1-*/; do
    loss=$("$BIN/json_value" /losses/4/value <"$folder/reply.json")
    worst=$(awk -v a="$loss" -v b="$base" -v w="$worst" 'BEGIN {d = a / b - 1; if (d < 0) d = -d; print (d > w ? d : w)}')
  done
  local reads verdict=fail
  reads=$(reads_of_the_host "$work/amp")
  [ -n "$reads" ] || { answer fail "the trace of the float16 cell cannot be read: $(tail -1 "$work/amp.err")"; return; }
  awk -v w="$worst" -v r="$reads" 'BEGIN {exit !(w <= 0.05 && r != "null" && r == 0)}' && verdict=pass
  answer "$verdict" "" "{\"losses_at_step_16\": {$measured}, \"largest_difference_ratio\": $worst, \"small_copies_to_the_host\": $reads}"
}

# The same steps with and without the knob cuda_graphs, from the same seed: so small that launching
# them is most of their time.
replayed_steps() {
  cat >"$work/graphs.yaml" <<'YAML'
tune: 1
name: graphs
workload: {model: mlp, task: train, image_size: 32, classes: 10, optimizer: adamw}
data: {source: synthetic, samples: 1000}
baseline: {batch_size: 32, optimizer_impl: fused}
grid: {cuda_graphs: [false, true]}
measure: {warmup: 100, slices: 1, slice: 100ms, rounds: 1, trial_timeout: 120s}
profile: {cells: all}
search: {strategy: grid, confirm: 1, confirm_rounds: 1}
YAML
  rm -rf "$work/graphs"
  within "$item_seconds" "$BIN/tune" run "$work/graphs.yaml" -o "$work/graphs" -q >/dev/null 2>"$work/graphs.err"
  local cell folder losses=() step_ns=() trace verdict=fail
  for cell in baseline c01; do
    folder=$work/graphs/trials/r1-$cell
    # Step 16 is a replayed one, step 32 an epoch's smaller last one, which is not.
    losses+=("$("$BIN/json_value" /losses/4/value /losses/5/value <"$folder/reply.json" 2>/dev/null | paste -sd' ' -)")
    step_ns+=("$("$BIN/json_value" /slices/0/wall_ns /slices/0/steps <"$folder/reply.json" 2>/dev/null | paste -sd' ' -)")
    [ -n "${losses[-1]}" ] || { answer fail "$cell has no losses: $(tail -1 "$folder/stderr.log" "$work/graphs.err" 2>/dev/null | tail -1)"; return; }
  done
  local differs faster
  differs=$(awk 'function far(a, b) {return (a > b ? a - b : b - a) / (b > 0 ? b : 1)}
    {d = far($1, $3); e = far($2, $4); print (d > e ? d : e)}' <<<"${losses[*]}")
  faster=$(awk '{print ($3 > 0 && $2 > 0 && $4 > 0 ? ($1 / $2) / ($3 / $4) : 0)}' <<<"${step_ns[*]}")
  trace=$("$BIN/json_value" /profile/device_events <"$work/graphs/trials/r1-c01/reply.json" 2>/dev/null) || trace=0
  awk -v d="$differs" -v f="$faster" -v t="$trace" 'BEGIN {exit !(d <= 0.01 && f > 1 && t > 0)}' && verdict=pass
  answer "$verdict" "" "{\"largest_difference_ratio\": $differs, \"times_as_fast\": $faster, \"recorded_rows\": $trace}"
}

# The same steps, once recorded by our CUPTI session and once by torch's profiler in another process.
same_kernels() {
  [ -x "$BIN/gpu_items" ] || { answer not-run "gpu_items was not built"; return; }
  local ours theirs
  rm -rf "$work/torch"
  ours=$(within "$item_seconds" "$BIN/gpu_items" kernels 2>/dev/null | tail -1)
  within "$item_seconds" "$BIN/gpu_items" torch-profile "$work/torch.json" >/dev/null 2>"$work/err"
  "$BIN/tune" analyze "$work/torch.json" -o "$work/torch" >/dev/null 2>>"$work/err"
  theirs=$("$BIN/json_value" /trace/partition/rows/kernel /trace/partition/exposed_ns/kernel \
    /trace/partition/overlapped_ns/kernel <"$work/torch/result.json" 2>/dev/null | paste -sd' ' -)
  local our_count our_ns their_count their_ns ratio verdict=fail
  our_count=$(field "$ours" /measured/kernels) our_ns=$(field "$ours" /measured/kernel_ns)
  read -r their_count exposed overlapped <<<"$theirs"
  if [ -z "$our_count" ] || [ -z "${their_count:-}" ]; then
    answer fail "one of the two gave no kernels: $(tail -1 "$work/err")"
    return
  fi
  their_ns=$((exposed + overlapped))
  ratio=$(awk -v a="$our_ns" -v b="$their_ns" 'BEGIN {print (b > 0 ? a / b : 0)}')
  [ "$our_count" = "$their_count" ] && awk -v r="$ratio" 'BEGIN {exit !(r > 0.97 && r < 1.03)}' && verdict=pass
  answer "$verdict" "" "{\"kernels\": $our_count, \"torch_kernels\": $their_count, \"kernel_time_ratio\": $ratio}"
}

used_mib() { nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits 2>/dev/null | head -1; }

hundred_trials() {
  [ -x "$bench/profile_trials.sh" ] || { answer not-run "profile_trials.sh is not here"; return; }
  local before after code said verdict=fail
  before=$(used_mib)
  rm -rf "$work/hundred"
  within 3600 env TUNE="$BIN/tune" WORK="$work/hundred" "$bench/profile_trials.sh" >"$work/trials" 2>&1
  code=$?
  sleep 2
  after=$(used_mib)
  said=$(tail -3 "$work/trials" | paste -sd';' -)
  [ "$code" = 0 ] && [ "${before:-0}" = "${after:-0}" ] && verdict=pass
  answer "$verdict" "" "{\"said\": $(json "$said"), \"memory_before_mib\": ${before:-null}, \"memory_after_mib\": ${after:-null}}"
}

least() { printf '%s\n' "$@" | sort -g | head -1; }

# The worker's own numbers with a visible and with a hidden GPU: on the CPU nothing may change.
cpu_worker() {
  [ -x "$BIN/tune-worker" ] || { answer not-run "tune-worker was not built"; return; }
  local seen hidden ratio verdict=fail
  probe() { within "$item_seconds" "$@" "$BIN/tune-worker" "--probe-quick=$work/probe.json" >/dev/null 2>&1 && operator_ns; }
  operator_ns() {
    local i=0 id
    while id=$("$BIN/json_value" "/numbers/$i/id" <"$work/probe.json" 2>/dev/null); do
      if [ "$id" = '"operator_time"' ]; then
        "$BIN/json_value" "/numbers/$i/value" <"$work/probe.json"
        return
      fi
      i=$((i + 1))
    done
  }
  local i times_seen='' times_hidden=''
  for i in 1 2 3 4 5; do  # alternating: a processor that has just woken up is slow
    times_seen+=" $(probe env)" times_hidden+=" $(probe env CUDA_VISIBLE_DEVICES=)"
  done
  seen=$(least $times_seen) hidden=$(least $times_hidden)
  [ -n "$seen" ] && [ -n "$hidden" ] || { answer fail "the worker's probe gave no operator_time"; return; }
  ratio=$(awk -v a="$seen" -v b="$hidden" 'BEGIN {print (b > 0 ? a / b : 0)}')
  awk -v r="$ratio" 'BEGIN {exit !(r > 0.8 && r < 1.25)}' && verdict=pass
  answer "$verdict" "" "{\"operator_s\": $seen, \"operator_s_without_gpu\": $hidden, \"ratio\": $ratio}"
}

driver= gpus= absent=
if [ -r "$system/proc/driver/nvidia/version" ]; then
  driver=$(head -1 "$system/proc/driver/nvidia/version")
elif [ -e "$system/dev/nvidiactl" ] || [ -e "$system/usr/lib/wsl/lib/libcuda.so.1" ]; then
  driver="present, version unknown"
else
  absent=no_driver
fi
if [ -z "$absent" ]; then
  [ -x "$BIN/json_value" ] || { echo "first_run.sh: $BIN/json_value: does not exist" >&2; exit 2; }
  gpus=$(nvidia-smi -L 2>/dev/null | paste -sd';' -)
  if [ -d "$here/bin" ] && [ -x "$here/start" ]; then  # a bundle
    "$here/start" ${torch:+--torch "$torch"} --link-only || exit 2
  fi
fi

gpu=$BIN/gpu_items
item 1 "start" "exec to first product in 1 to 4 s; with CUDA 13 cuDNN 91900, CUPTI 130001 or newer; all from the LibTorch" "$gpu" start
item 2 "worker on the CPU" "the same numbers as where no GPU is seen, within 20 %" cpu_worker
item 3 "late attach" "after 50 plain steps and after a captured graph: kernels, equal in each step, none dropped" "$gpu" late-attach
item 4 "clocks" "no kernel starts more than 5 us before its launch, by our clock and by CUPTI's own" "$gpu" clocks
item 5 "clock registered twice" "kernels with times; whether they are right then is noted" "$gpu" clock-twice
item 6 "two sessions" "the second one is refused; forced, it loses what launched the kernels of a graph" "$gpu" two-sessions
item 7 "cost of each kind of record" "GPU-bound step at most 1.02 times as long, launch-bound 1.5 times" "$gpu" dilation
item 8 "after the session" "launch-bound steps at most twice as long as before: nothing is measured after a session" "$gpu" after
item 9 "end of the session" "flush below 50 ms after 5 and after 200 steps, about 10 MB of device memory" "$gpu" flush
item 10 "thread of the backward pass" "one further thread, launches are inside its operators" "$gpu" backward-thread
item 11 "replayed graph" "kernels carry the graph's node and share the launch's correlation" "$gpu" graph
item 12 "TF32" "allowed by the flag and faster; setFloat32Precision alone makes a getter throw" "$gpu" tf32
item 13 "mixed precision" "loss within 5 % of float32 at step 16; fused float16 steps wait for nothing" amp_losses
item 14 "copies and memory" "pinned copies overlap kernels; retries near the limit are counted; out of memory has its own type" "$gpu" copies
item 15 "NVML" "a whole reading 10 ms in the median; each field has a value or its code" "$BIN/nvml_fields"
item 16 "hardware trace" "not supported before Blackwell" "$gpu" hardware-trace
item 17 "against torch's profiler" "the same kernels, total time within 3 %" same_kernels
item 18 "a hundred trials" "none hangs, crashes or is lost; device memory as before" hundred_trials
item 19 "calls that launch" "each kernel has the call that launched it, by the calls that a session records" "$gpu" launch-calls
item 20 "replayed steps" "losses within 1 % of those without cuda_graphs, faster steps, rows of the GPU in the profile" replayed_steps
[ "$ran" -gt 0 ] || [ -z "$only" ] || usage
write_report  # when no item was left to run

echo "$passed passed, $failed failed, $not_run not run: $output"
if [ -n "$absent" ]; then exit 75; fi
if [ "$failed" -gt 0 ]; then exit 1; fi
if [ "$not_run" -gt 0 ]; then exit 3; fi
exit 0

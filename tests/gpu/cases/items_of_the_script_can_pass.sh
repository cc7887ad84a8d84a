# The script computes items 2, 13, 17, 18 and 20: with programs that answer as on a good machine they
# pass, with others they fail. Item 15 is the real program behind a stand-in for NVML.
mkdir -p system/proc/driver/nvidia programs
echo 'NVRM version: "580"' >system/proc/driver/nvidia/version
cp "$BIN/json_value" programs/
ln -s "$BIN/nvml_fields" programs/  # its libraries are next to the real one
mkdir host
# $GOOD: nothing differs. Otherwise the worker is slow with a hidden GPU, a loss differs, kernels
# take longer, replayed steps are slower, one of a hundred trials loses its trace and all of them
# leave memory behind.
cat >programs/tune-worker <<'SCRIPT'
#!/bin/bash
seconds=0.000002
[ -n "${GOOD:-}" ] || [ -n "${CUDA_VISIBLE_DEVICES-seen}" ] || seconds=0.000004
echo "{\"numbers\": [{\"id\": \"other\", \"value\": 7}, {\"id\": \"operator_time\", \"value\": $seconds}]}" >"${1#--probe-quick=}"
SCRIPT
cat >programs/gpu_items <<'SCRIPT'
#!/bin/bash
case $1 in
  kernels) echo "{\"measured\": {\"kernels\": 40, \"kernel_ns\": ${GOOD:-2}000}}" ;;
  torch-profile) echo '{}' >"$2" ;;
esac
SCRIPT
cat >programs/tune <<'SCRIPT'
#!/bin/bash
command=$1
while [ $# -gt 1 ]; do
  if [ "$1" = -o ]; then folder=$2; fi
  shift
done
if [ "$command" = analyze ]; then
  mkdir -p "$folder"
  echo '{"trace": {"partition": {"rows": {"kernel": 40}, "exposed_ns": {"kernel": 600}, "overlapped_ns": {"kernel": 400}}},
    "metrics": [{"id": "small_d2h_count", "value": 0}]}' >"$folder/result.json"
  exit
fi
if [[ $folder == */hundred/run ]]; then
  mkdir -p "$folder"
  for ((i = 1; i <= 102; ++i)); do
    mkdir -p "$folder/trials/r1-c$i"
    echo '{"profile": {"active": 3}}' >"$folder/trials/r1-c$i/spec.json"
    echo '{}' >"$folder/trials/r1-c$i/reply.json"
    [ -z "${GOOD:-}" ] && [ $i = 50 ] || cp "${folder%/found.work/*}/empty.gz" "$folder/trials/r1-c$i/trace.json.gz"
    echo '{"event":"trial","id":"r1-c'$i'","outcome":"completed"}'
  done >"$folder/ledger.jsonl"
  exit
fi
if [[ $folder == */graphs ]]; then
  wall=400
  for cell in baseline c01; do
    mkdir -p "$folder/trials/r1-$cell"
    echo '{"losses": [{}, {}, {}, {}, {"value": 2.0}, {"value": 1.5}], "slices": [{"wall_ns": '"$wall"', "steps": 4}],
      "profile": {"device_events": 70}}' >"$folder/trials/r1-$cell/reply.json"
    [ -n "${GOOD:-}" ] && wall=100 || wall=500
  done
  exit
fi
loss=2.0
for cell in baseline:none c01:bf16 c02:fp16; do
  trial=$folder/trials/r1-${cell%:*}
  mkdir -p "$trial"
  echo "{\"knobs\": {\"amp\": \"${cell#*:}\"}}" >"$trial/spec.json"
  echo '{"losses": [{}, {}, {}, {}, {"value": '"$loss"'}]}' >"$trial/reply.json"
  : >"$trial/trace.json.gz"
  [ -n "${GOOD:-}" ] && loss=2.02 || loss=2.5
done
SCRIPT
# Without options it lists nothing; it is asked before and after the hundred trials.
cat >programs/nvidia-smi <<'SCRIPT'
#!/bin/bash
case $1 in --query-gpu=memory.used) [ -z "${GOOD:-}" ] && [ -e found.work/hundred ] && echo 77 || echo 0 ;; esac
SCRIPT
gzip -c </dev/null >empty.gz
chmod +x programs/*
first_run() { 
  rm -rf found.work
  run "$here/stand_in/show" host env PATH="$work/programs:$PATH" SYSTEM_ROOT="$work/system" BIN="$work/programs" GOOD="$1" \
    "$here/first_run.sh" -o found.json --only 2,13,15,17,18,20
}
values() { "$BIN/json_value" "$@" <found.json | paste -sd' ' -; }

printf '%s\n' 'driver 580.65.06' 'watts 350' 'gpu NVIDIA L4' >host/answers
first_run 1
[[ $(values /items/0/measured/ratio /items/1/measured/largest_difference_ratio /items/3/measured/kernel_time_ratio \
  /items/4/measured/memory_after_mib /items/5/measured/times_as_fast) == '1 0.01 1 0 4' ]] ||
  broken "measured: $(values /items/0 /items/1 /items/3 /items/4 /items/5)"
[[ $(values /items/2/number /items/2/measured/fields/util) == '15 0' ]] || broken "fields: $(values /items/2)"
awk -v joules="$(values /items/2/measured/fields/energy)" 'BEGIN {exit !(joules > 0)}' || broken "energy: $(values /items/2)"
[[ $(values /items/4/measured/said) == '"trials 102, 102 of them with a profile'* ]] || broken "trials: $(values /items/4)"
[[ $(values /pass /fail /not_run) == '6 0 0' ]] || broken "counts: $(values /pass /fail /not_run)"
expect_status 0
[ "$(find found.work/hundred -name trace.json.gz | wc -l)" = 102 ] || broken "the traces of item 18 are not kept"

printf '%s\n' 'driver 580.65.06' >host/answers  # names no GPU
first_run ''
[[ $(values /pass /fail /not_run) == '0 5 1' ]] || broken "counts of a bad machine: $(values /pass /fail /not_run)"
[[ $(values /items/2/reason) == '"no GPU by NVML"' ]] || broken "without a GPU: $(values /items/2)"
[[ $(values /items/4/measured/said) == *'without their trace 1,'* ]] || broken "trials: $(values /items/4)"
[[ $(values /items/4/measured/memory_after_mib) == 77 ]] || broken "memory: $(values /items/4)"
expect_status 1

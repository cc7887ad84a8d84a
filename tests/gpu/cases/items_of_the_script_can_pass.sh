# The script computes items 2, 13, 17 and 20: with programs that answer as on a good machine they pass,
# with others they fail.
mkdir -p system/proc/driver/nvidia programs
echo 'NVRM version: "580"' >system/proc/driver/nvidia/version
cp "$BIN/json_value" programs/
# $GOOD: nothing differs. Otherwise the worker is slow with a hidden GPU, a loss differs, kernels
# take longer, and replayed steps are slower.
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
chmod +x programs/*
first_run() { run env SYSTEM_ROOT="$work/system" BIN="$work/programs" GOOD="$1" "$here/first_run.sh" -o found.json --only 2,13,17,20; }
values() { "$BIN/json_value" "$@" <found.json | paste -sd' ' -; }

first_run 1
[[ $(values /items/0/measured/ratio /items/1/measured/largest_difference_ratio /items/2/measured/kernel_time_ratio \
  /items/3/measured/times_as_fast) == '1 0.01 1 4' ]] ||
  broken "measured: $(values /items/0 /items/1 /items/2 /items/3)"
[[ $(values /pass /fail /not_run) == '4 0 0' ]] || broken "counts: $(values /pass /fail /not_run)"
expect_status 0
first_run ''
[[ $(values /pass /fail /not_run) == '0 4 0' ]] || broken "counts of a bad machine: $(values /pass /fail /not_run)"
expect_status 1

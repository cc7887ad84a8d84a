# What a user of a GPU may have, behind stand-ins for the driver's libraries and with the real worker:
# each reaches its sentence, and trials on the CPU.
cat >small.yaml <<'YAML'
tune: 1
name: small
workload: {model: mlp, task: train, image_size: 32, classes: 10}
data: {source: synthetic, samples: 64}
baseline: {batch_size: 8}
grid: {batch_size: [8, 16]}
measure: {warmup: 1, rounds: 3, slices: 3, slice: 10ms}
profile: {cells: none}
search: {strategy: grid, confirm: 1, confirm_rounds: 6}
YAML
# driver_of <name> <line...>: the answers of a machine, in a folder
driver_of() { mkdir -p "$1" && printf '%s\n' "${@:2}" >"$1/answers"; }
plan_on() { run "$here/stand_in/show" "$1" "$BIN/tune" plan small.yaml "${@:2}"; }

# R535 and R570: too old for the CUDA 13 that this worker was built with.
driver_of old 'driver 535.104.05' 'cuda 12020' 'gpu NVIDIA A100-SXM4-80GB'
plan_on old
expect_status 0
expect_out "note            trials run on the CPU: the driver supports CUDA 12.2, LibTorch needs 13.0 (driver R580 or newer)"
driver_of newer 'driver 570.124.06' 'cuda 12080' 'gpu NVIDIA L4'
plan_on newer
expect_out "the driver supports CUDA 12.8, LibTorch needs 13.0"
plan_on old --set device=cpu
! grep -q '^note' out || broken "a note although the CPU was asked for"

# The driver answers, and fails: an update without a restart, a container without the devices.
driver_of broken 'driver 580.65.06' 'code cuInit 803' 'code nvmlInit_v2 18' 'gpu NVIDIA L4'
plan_on broken
expect_status 0
expect_out "trials run on the CPU: cuInit says system has unsupported display driver / cuda driver combination (803)"
driver_of shut 'driver 580.65.06' 'code cuInit 100' 'code nvmlInit_v2 9'
plan_on shut
expect_out "trials run on the CPU: cuInit says no CUDA-capable device is detected (100)"

# A library without its functions, as images for building have it; one that cannot say its version.
for name in cuInit cuDriverGetVersion; do
  driver_of "no_$name" 'driver 580.65.06' "lacks $name" 'gpu NVIDIA L4'
  plan_on "no_$name"
  expect_status 0
  expect_out "is not an NVIDIA driver (it has no cuInit)"
done

# By name it is refused, with what to do.
run "$here/stand_in/show" old "$BIN/tune" run small.yaml --set device=cuda -o none
expect_status 75
expect_said "(the driver supports CUDA 12.2, LibTorch needs 13.0 (driver R580 or newer)) --set device=cpu?"

# A run says it in its first words and in its report; doctor names the ways out.
run "$here/stand_in/show" old "$BIN/tune" run small.yaml --set grid=none --set rounds=1 -o run
expect_status 0
expect_said "note: trials run on the CPU: the driver supports CUDA 12.2"
for file in out run/report.md run/report.html run/result.json; do
  tr -s '\n ' ' ' <"$file" | grep -q 'On the CPU: the driver supports CUDA 12.2' || broken "not in $file"
done
# doctor_says <machine> <words...>
doctor_says() {
  local words
  run "$here/stand_in/show" "$1" "$BIN/tune" doctor -q --for 1ms
  tr -s '\n ' ' ' <out >one_line
  for words in "${@:2}"; do
    grep -qF -- "$words" one_line || broken "doctor does not say '$words'"
  done
}
doctor_says old 'the worker computes on the CPU: the driver supports CUDA 12.2' './tune run builds it with a LibTorch for CUDA 12'
driver_of ancient 'driver 470.256.02' 'cuda 11040' 'gpu NVIDIA L4'
doctor_says ancient 'driver 470.256.02, for CUDA up to 11.4: too old for LibTorch, which needs CUDA 12.0' \
  'install driver 525 or newer' 'cuda-compat-12-8' 'tune run -- python train.py'

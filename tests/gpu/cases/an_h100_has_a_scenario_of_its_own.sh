# What ships for a GPU fits its budget; workers are those that this machine has cores for. On a GPU
# `NAME-gpu.yaml` takes the place of NAME.yaml, in a plan and a new run.
mkdir host
printf '%s\n' 'driver 580.65.06' 'gpu NVIDIA H100 80GB HBM3' >host/answers
export TUNE_WORKER_PROGRAM=$BIN/fake-worker TUNE_FAKE_SCRIPT='{"gpu": "NVIDIA H100 80GB HBM3"}'
on_h100() { run "$here/stand_in/show" host "$BIN/tune" "$@"; }
not_said() { ! grep -qF -- "$1" err || broken "said: $1"; }
begins() { [[ $(head -1 out) == "$1: "* ]] || broken "not planned: $1"; }
cp "$here/../../scenarios/resnet18.yaml" "$here/../../scenarios/resnet18-gpu.yaml" .
for scenario in resnet18 resnet18-gpu; do
  on_h100 plan $scenario.yaml
  expect_status 0
  begins resnet18-gpu
  ! grep -q 'not enough' out || broken "$scenario does not fit its budget"
  grep -q '^budget ' out || broken "$scenario has no budget"
  ! grep -q 'trials run on the CPU' out || broken "$scenario is not planned for the GPU"
done
not_said 'a GPU can be used'
expect_out "amp=fp16"
expect_out "batch_size=64"

choice='a GPU can be used: resnet18-gpu.yaml instead; --set device=cpu keeps resnet18.yaml'
on_h100 plan resnet18.yaml
expect_said "$choice"
on_h100 run -n resnet18.yaml
begins resnet18-gpu
expect_said "$choice"
on_h100 -q plan resnet18.yaml
begins resnet18-gpu
not_said "$choice"
for kept in --set=device=cpu '--strategy=grid --shard=1/2'; do
  # shellcheck disable=SC2086
  on_h100 plan resnet18.yaml $kept
  expect_status 0
  begins resnet18
  not_said "$choice"
done
run "$BIN/tune" plan resnet18.yaml  # no GPU
begins resnet18

# The real command on a machine with 16 cores: sixteen workers are tried, and it fits its budget.
mkdir sixteen
printf '%s\n' 'driver 580.65.06' 'gpu NVIDIA H100 80GB HBM3' 'cores 16' >sixteen/answers
run "$here/stand_in/show" sixteen "$BIN/tune" plan resnet18.yaml
if [[ $status != 77 ]]; then  # where namespaces are not allowed, tests/scenario has it
  expect_status 0
  begins resnet18-gpu
  expect_out "num_workers=16"
  ! grep -q 'not enough' out || broken "resnet18 on 16 cores does not fit its budget"
  grep -qE '^budget ' out || broken "no budget on 16 cores"
fi

# A run keeps what it began with.
for name in small small-gpu; do
  cat >$name.yaml <<YAML
tune: 1
name: $name
workload: {model: mlp, task: train, image_size: 32, classes: 10}
data: {source: synthetic, samples: 64}
baseline: {batch_size: 8}
grid: {batch_size: [8, 16]}
measure: {warmup: 10ms, rounds: 3, slices: 3}
search: {strategy: grid, confirm: 1, confirm_rounds: 6}
YAML
done
name_of() { "$BIN/json_value" /scenario/name <"$1/result.json"; }
on_h100 run small.yaml --seed 1 -o fast
expect_status 0
expect_said 'a GPU can be used: small-gpu.yaml instead; --set device=cpu keeps small.yaml'
[[ $(name_of fast) == '"small-gpu"' ]] || broken "run: $(name_of fast)"
on_h100 run small.yaml --seed 1 -o plain --set device=cpu
[[ $(name_of plain) == '"small"' ]] || broken "run on the CPU: $(name_of plain)"
for folder in fast plain; do
  for arguments in "run small.yaml --resume $folder" "run --resume $folder" "report $folder"; do
    # shellcheck disable=SC2086
    on_h100 $arguments
    expect_status 0
    not_said 'a GPU can be used'
  done
done

# One GPU is used: plan, report and doctor say which, and a list that names none is wrong input.
cat >small.yaml <<'YAML'
tune: 1
name: small
workload: {model: mlp, task: train, image_size: 32, classes: 10}
data: {source: synthetic, samples: 64}
baseline: {batch_size: 8}
grid: {batch_size: [8, 16]}
measure: {warmup: 10ms, rounds: 3, slices: 3}
search: {strategy: grid, confirm: 1, confirm_rounds: 6}
YAML
mkdir host
printf '%s\n' 'driver 580.65.06' 'gpu NVIDIA L4' 'gpu NVIDIA H100 80GB HBM3' >host/answers
export TUNE_WORKER_PROGRAM=$BIN/fake-worker TUNE_FAKE_SCRIPT='{"gpu": "NVIDIA H100 80GB HBM3"}'
on() { run env "$@"; }

on "$here/stand_in/show" host "$BIN/tune" plan small.yaml
expect_status 0
expect_out "note            trials use one GPU, GPU 0 of 2 (NVIDIA L4); CUDA_VISIBLE_DEVICES chooses another"
on CUDA_VISIBLE_DEVICES=1,0 "$here/stand_in/show" host "$BIN/tune" run small.yaml --seed 1 -o run
expect_status 0
expect_said "note: trials use one GPU, GPU 1 of 2 (NVIDIA H100 80GB HBM3); CUDA_VISIBLE_DEVICES chooses another"
[[ $("$BIN/json_value" /environment/used_gpu <run/result.json) == '"GPU 1 of 2 (NVIDIA H100 80GB HBM3)"' ]] || broken "result.json names another"
grep -q 'NVIDIA H100 80GB HBM3, NVIDIA L4; used: GPU 1 of 2' run/report.html || broken "the report does not say which"
on CUDA_VISIBLE_DEVICES=1 "$here/stand_in/show" host "$BIN/tune" doctor -q --for 1ms
tr -s '\n ' ' ' <out | grep -qF 'trials use one, GPU 1 (NVIDIA H100 80GB HBM3)' || broken "doctor does not say which"

for command in plan run gate; do
  on CUDA_VISIBLE_DEVICES=7 "$here/stand_in/show" host "$BIN/tune" $command small.yaml
  expect_status 2
  expect_said "CUDA_VISIBLE_DEVICES=7: names none of the GPUs of this machine (it has those from 0 to 1) CUDA_VISIBLE_DEVICES=0, or --set device=cpu?"
done
on CUDA_VISIBLE_DEVICES=7 "$here/stand_in/show" host "$BIN/tune" plan small.yaml --set device=cpu
expect_status 0
on CUDA_VISIBLE_DEVICES= "$here/stand_in/show" host "$BIN/tune" plan small.yaml  # hides them all
expect_status 0

# With one there is nothing to choose: a line names it, where trials use it.
printf '%s\n' 'driver 580.65.06' 'gpu NVIDIA L4' >host/answers
on "$here/stand_in/show" host "$BIN/tune" plan small.yaml
! grep -q 'trials use one GPU' out || broken "it tells what goes without saying"
expect_out "device          GPU 0 (NVIDIA L4)"
on "$here/stand_in/show" host "$BIN/tune" plan small.yaml --set device=cpu
! grep -q '^device ' out || broken "a GPU that is not used is named"

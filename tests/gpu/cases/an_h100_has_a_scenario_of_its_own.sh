# What ships for a GPU fits its budget; workers are those that this machine has cores for.
mkdir host
printf '%s\n' 'driver 580.65.06' 'gpu NVIDIA H100 80GB HBM3' >host/answers
export TUNE_WORKER_PROGRAM=$BIN/fake-worker TUNE_FAKE_SCRIPT='{"gpu": "NVIDIA H100 80GB HBM3"}'
for scenario in resnet18 resnet18-gpu; do
  run "$here/stand_in/show" host "$BIN/tune" plan "$here/../../scenarios/$scenario.yaml"
  expect_status 0
  ! grep -q 'not enough' out || broken "$scenario does not fit its budget"
  grep -q '^budget ' out || broken "$scenario has no budget"
  ! grep -q 'trials run on the CPU' out || broken "$scenario is not planned for the GPU"
done
expect_out "amp=fp16"
expect_out "batch_size=512"

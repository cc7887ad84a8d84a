# A container on a host with a GPU sees /proc/driver/nvidia, but neither libcuda nor the devices.
cat >small.yaml <<'YAML'
tune: 1
name: small
workload: {model: mlp, task: train, image_size: 32, classes: 10}
data: {source: synthetic, samples: 64}
grid: {batch_size: [8, 16]}
YAML
mkdir host
printf '%s\n' proc 'without libcuda.so.1' 'without libnvidia-ml.so.1' 'driver 580.65.06' 'gpu NVIDIA L4' >host/answers
run "$here/stand_in/show" host "$BIN/tune" plan small.yaml
[[ $status != 77 ]] || { cat err && exit 77; }
expect_status 0
expect_out "note            trials run on the CPU: no NVIDIA driver (libcuda.so.1: cannot open shared object file"
run "$here/stand_in/show" host "$BIN/tune" doctor -q --for 1ms
tr -s '\n ' ' ' <out | grep -qF "the kernel shows NVIDIA L4, but the driver's library does not" || broken "doctor does not say it"
tr -s '\n ' ' ' <out | grep -qF "docker run --gpus all" || broken "doctor does not say what to do"

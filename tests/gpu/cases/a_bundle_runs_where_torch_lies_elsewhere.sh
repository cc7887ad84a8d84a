# The bundle is moved, LibTorch is in a folder unknown at build time, and the environment is another
# user's.
mkdir built
cp "$BIN/tune" "$BIN/json_value" built/
cp "$BIN/fake-worker" built/tune-worker
mkdir -p 'some where/torch/lib' 'some where/nvidia/cu13/lib' && : >'some where/torch/lib/libtorch_cpu.so'
cat >fake.yaml <<'YAML'
tune: 1
name: fake
workload: {model: mlp, task: train, image_size: 32, classes: 10}
data: {source: synthetic, samples: 64}
baseline: {batch_size: 8}
grid: {batch_size: [8, 16]}
measure: {warmup: 10ms, rounds: 3, slices: 3}
search: {strategy: grid, confirm: 1, confirm_rounds: 6}
YAML
run env TUNE_BUNDLE_LIMIT_MIB=4000 "$here/bundle" --bin built -o bundle.tar.gz --without-plugin
expect_status 0
expect_said "NOT IN THE BUNDLE: libtune_cuda.so"
mkdir elsewhere && tar -C elsewhere -xzf bundle.tar.gz && mv elsewhere/tune-bundle moved && rm -rf built elsewhere
mkdir tools && printf "#!/bin/sh\nexit 1\n" >tools/python3 && chmod +x tools/python3  # a Python of the machine may have a LibTorch
in_somebody_elses_shell() { run env -i PATH="$work/tools:/usr/bin:/bin" HOME="$work/other" TUNE_FAKE_SCRIPT="$script" "$@"; }
script='{"samples_per_s": 1000, "effects": {"batch_size": {"16": 2}}}'
mkdir other

in_somebody_elses_shell moved/start --version
expect_status 2
expect_said "LibTorch"
in_somebody_elses_shell moved/start --torch "$work/nowhere" --version
expect_status 2
expect_said "no LibTorch"
in_somebody_elses_shell moved/start --torch "$work/some where/torch" run fake.yaml -o run -q
expect_status 0
[ -s run/report.md ] || broken "no report"
[[ $(readlink moved/torch-home/torch) == "$(realpath "$work")/some where/torch" ]] || broken "torch-home: $(readlink moved/torch-home/torch)"
[[ $(readlink moved/torch-home/nvidia) == "$(realpath "$work")/some where/nvidia" ]] || broken "nvidia: $(readlink moved/torch-home/nvidia)"
in_somebody_elses_shell moved/start --version  # it remembers
expect_status 0
# The GPU part of a bundle is for one CUDA.
printf 'libcupti.so.12' >moved/bin/libtune_cuda.so
in_somebody_elses_shell moved/start --torch "$work/some where" --link-only
expect_status 0
expect_said "some where: not a LibTorch for CUDA 12, for which the GPU part of this bundle is"
mkdir -p 'some where/nvidia/cuda_cupti/lib'
in_somebody_elses_shell moved/start --torch "$work/some where" --link-only
expect_status 0
[ ! -s err ] || broken "$(cat err)"
rm moved/bin/libtune_cuda.so
# The libraries of the bundle, not those of the machine.
for library in moved/lib/*; do
  LC_ALL=C ldd moved/bin/tune | grep -F "$(basename "$library") =>" >used || continue
  grep -qF "/moved/" used || broken "not from the bundle: $(cat used)"
done
ls moved/lib | grep -q yaml-cpp || broken "no yaml-cpp in the bundle"
! ls moved/lib | grep -qE '^(libc|libm|libtorch_cpu|libgomp)\.so' || broken "libraries of the machine are in the bundle"
(cd moved && sed -n '2,$p' MANIFEST | sha256sum -c --quiet) || broken "MANIFEST"
[ -e moved/scenarios/smoke.yaml ] && [ -x moved/first_run.sh ] || broken "the rest is missing"

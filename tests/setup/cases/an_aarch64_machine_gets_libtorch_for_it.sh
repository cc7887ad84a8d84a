# Wheels for aarch64 have pins, files and a folder in the cache of their own.
for pins in "$source_tree"/harness/setup/wheels-*-aarch64.txt; do  # the same releases as on x86_64
  diff <(sed -n 's/ --hash=.*//p' "$pins") <(sed -n 's/ --hash=.*//p' "${pins/-aarch64/}") || broken "$pins: other packages"
  ! grep -qxFf <(grep -o 'sha256:.*' "${pins/-aarch64/}") <(grep -o 'sha256:.*' "$pins") || broken "$pins: a wheel for x86_64"
done

everything_installed
echo aarch64 >"$BOX/machine"
pins=$CLONE/harness/setup
wheels torch_arm torch/lib/libtorch_cpu.so blas_arm torch/lib/libnvpl_blas_core.so.0 convolutions_arm torch/lib/libarm_compute.so \
  fortran_arm torch/lib/libgfortran.so.5 more_arm torch/lib/libshm.so >"$pins/wheels-cpu-aarch64.txt"
tune run a.yaml
expect_status 0
expect_said "LibTorch 2.11.0 (cpu): 432 MB to download, 338 MB on disk"
expect_called 'pip .*--platform=manylinux_2_28_aarch64 .*--platform=manylinux2014_aarch64'
! grep -q 'pip .*x86_64' "$BOX/calls" || broken "wheels for x86_64 are asked for"
torch=$BOX/home/.cache/tune/torch-2.11.0-cpu-aarch64
for library in libtorch_cpu.so libnvpl_blas_core.so.0 libarm_compute.so libgfortran.so.5; do
  [[ -s $torch/torch/lib/$library ]] || broken "$library is not unpacked"
done
[[ ! -e $torch/torch/lib/libshm.so ]] || broken "more than what libtorch_cpu loads is unpacked"
expect_called "cmake .*-DTUNE_WORKER=cpu .*-DTUNE_TORCH_DIR=$torch"
forget_calls
tune run a.yaml
expect_silence

# A server with a GPU, such as a Grace Hopper.
wheels torch_gpu torch/lib/libtorch_cpu.so torch_cuda torch/lib/libtorch_cuda.so cupti nvidia/cu13/lib/libcupti.so.13 \
  crt_gpu nvidia/cu13/include/crt/host_defines.h blas_gpu torch/lib/libnvpl_blas_core.so.0 >"$pins/wheels-cuda-aarch64.txt"
proc=$BOX/system/proc/driver/nvidia
mkdir -p "$proc"
driver() { echo "NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  $1  Release Build" >"$proc/version"; }
again() { rm -rf "$BOX/home/.cache" "$BOX/clone/build" && forget_calls && tune run a.yaml; }
driver 580.65.06
again
expect_status 0
expect_said "LibTorch 2.11.0 (cuda): 2634 MB to download, 3698 MB on disk"
torch=$BOX/home/.cache/tune/torch-2.11.0-cuda-aarch64
expect_called "cmake .*-DTUNE_WORKER=cuda .*-DTUNE_TORCH_DIR=$torch"
[[ -s $torch/torch/lib/libnvpl_blas_core.so.0 ]] || broken "its BLAS is not unpacked"

# No registry has LibTorch for CUDA 12 on aarch64.
driver 550.54.15
again
expect_status 0
expect_said "LibTorch 2.11.0 (cpu): 432 MB to download"
expect_said_once "NVIDIA's driver 550.54.15 is too old for CUDA 13 (580 or newer), and PyPI has no LibTorch for CUDA 12 on aarch64: LibTorch is installed without its GPU part, and trials run on the CPU."
expect_called 'cmake .*-DTUNE_WORKER=cpu'
with=(TUNE_TORCH=cuda12)
again
expect_status 2
expect_said "TUNE_TORCH=cuda12: no pinned LibTorch for CUDA 12 on aarch64 (PyPI's is for CPUs there)"

# A Jetson has a GPU that these wheels do not drive.
echo '# R36 (release), REVISION: 4.0' >"$BOX/system/etc/nv_tegra_release"
with=()
driver 580.65.06
again
expect_status 0
expect_said "LibTorch 2.11.0 (cpu): 432 MB to download"
expect_said_once "this is a Jetson: LibTorch is installed without its GPU part, and trials run on the CPU (no pinned package drives its GPU). Name NVIDIA's PyTorch for L4T with TUNE_TORCH_DIR?"
expect_called 'cmake .*-DTUNE_WORKER=cpu'
with=(TUNE_TORCH=cuda)
again
expect_status 2
expect_said "TUNE_TORCH=cuda: no pinned LibTorch for the GPU of a Jetson"

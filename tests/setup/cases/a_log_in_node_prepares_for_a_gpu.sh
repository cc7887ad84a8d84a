# Log-in nodes of clusters have a network and no driver: TUNE_TORCH=cuda prepares for the compute nodes.
everything_installed
wheels torch_gpu torch/lib/libtorch_cpu.so torch_cuda torch/lib/libtorch_cuda.so cupti nvidia/cu13/lib/libcupti.so.13 \
  crt_gpu nvidia/cu13/include/crt/host_defines.h >"$CLONE/harness/setup/wheels-cuda.txt"
with=(TUNE_TORCH=cuda)
tune run a.yaml
expect_status 0
expect_said "LibTorch 2.11.0 (cuda): 2516 MB to download, 3860 MB on disk"
expect_called "cmake .*-DTUNE_WORKER=cuda .*-DTUNE_TORCH_DIR=$BOX/home/.cache/tune/torch-2.11.0-cuda"
expect_not_said "too old"

# The compute nodes' driver is too old for CUDA 13.
wheels torch12 torch/lib/libtorch_cpu.so torch_cuda12 torch/lib/libtorch_cuda.so cupti12 nvidia/cuda_cupti/lib/libcupti.so.12 \
  nvcc nvidia/cuda_nvcc/include/crt/host_defines.h >"$CLONE/harness/setup/wheels-cuda12.txt"
with=(TUNE_TORCH=cuda12)
rm -rf "$BOX/clone/build"
tune run a.yaml
expect_status 0
expect_said "LibTorch 2.10.0 (cuda12): 3961 MB to download"
expect_called "cmake .*-DTUNE_WORKER=cuda .*-DTUNE_TORCH_DIR=$BOX/home/.cache/tune/torch-2.10.0-cuda12"

# A GPU machine whose trials are to run on the CPU downloads a fifth of it.
mkdir -p "$BOX/system/proc/driver/nvidia"
echo 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Release Build' >"$BOX/system/proc/driver/nvidia/version"
with=(TUNE_TORCH=cpu)
rm -rf "$BOX/clone/build"
tune run a.yaml
expect_status 0
expect_said "LibTorch 2.11.0 (cpu): 544 MB to download"
expect_called 'cmake .*-DTUNE_WORKER=cpu'

with=(TUNE_TORCH=gpu)
rm -rf "$BOX/clone/build"
tune run a.yaml
expect_status 2
expect_said "TUNE_TORCH=gpu: no such LibTorch (cpu, cuda or cuda12, which are for GPUs)"

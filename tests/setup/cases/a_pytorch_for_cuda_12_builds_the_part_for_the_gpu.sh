# The PyTorch of a driver for CUDA 12: its own CUPTI, and headers that it lacks from the packages of CUDA 12.
everything_installed
own=$BOX/own
mkdir -p "$own"/torch/lib "$own"/torch/include/torch/csrc/api/include/torch "$own"/nvidia/cuda_{cupti/lib,runtime/include} "$BOX/system/proc/driver/nvidia"
printf '#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 8\n' >"$own/torch/include/torch/csrc/api/include/torch/version.h"  # where 2.8 has it
touch "$own"/torch/lib/libtorch_{cpu,cuda}.so "$own"/nvidia/cuda_cupti/lib/libcupti.so.12
wheels nvcc nvidia/cuda_nvcc/include/crt/host_defines.h >"$CLONE/harness/setup/wheels-cuda12-headers.txt"
echo 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023' >"$BOX/system/proc/driver/nvidia/version"
with=(TUNE_TORCH_DIR="$own")
headers=$BOX/home/.cache/tune/cuda-12.8-headers/nvidia/cuda_nvcc/include
for says in '' "cuda: Optional[str] = '12.6'"; do  # by the wheels next to it, or by what it says itself
  rm -rf "$BOX/home/.cache" "$BOX/clone/build"
  [[ -z $says ]] || printf '%s\n' "__version__ = '2.8.0+cu126'" "$says" >"$own/torch/version.py"
  tune run a.yaml
  expect_status 0
  expect_said "CUDA's headers, for the part for GPUs (once): 43 MB to download"
  expect_called "cmake .*-DTUNE_WORKER=cuda .*-DTUNE_CUDA_INCLUDE=$headers -DTUNE_TORCH_DIR=$own"
  forget_calls
  tune run a.yaml
  expect_silence
done

# One for CUDA 13 cannot run with this driver, and one for CUDA 11 has another CUPTI.
rm -rf "$BOX/clone/build"
echo "cuda: Optional[str] = '13.0'" >"$own/torch/version.py"
forget_calls
tune run a.yaml
expect_status 0
expect_called 'cmake .*-DTUNE_WORKER=cpu'
echo "cuda: Optional[str] = '11.8'" >"$own/torch/version.py"
tune run a.yaml
expect_status 2
expect_said "TUNE_TORCH_DIR=$own: LibTorch for CUDA 11 (tune records with CUPTI of CUDA 12.6 or newer). Name one for CUDA 12.6 to 13, or set TUNE_TORCH=cpu?"
with+=(TUNE_TORCH=cpu)
tune run a.yaml
expect_status 0

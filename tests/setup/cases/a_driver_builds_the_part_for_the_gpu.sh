everything_installed
own=$BOX/own
mkdir -p "$own"/torch/lib "$own"/torch/include/torch/headeronly "$own"/nvidia/cu13/{lib,include/crt} "$BOX/system/proc/driver/nvidia"
printf '#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 11\n' >"$own/torch/include/torch/headeronly/version.h"
touch "$own"/torch/lib/libtorch_{cpu,cuda}.so "$own"/nvidia/cu13/lib/libcupti.so.13
with=(TUNE_TORCH_DIR="$own")
tune run a.yaml
expect_called 'cmake .*-DTUNE_WORKER=cpu'  # without a driver it could not run
touch "$BOX/system/proc/driver/nvidia/version"
forget_calls
tune run a.yaml
expect_status 0
headers=$BOX/home/.cache/tune/cuda-13.0-headers/nvidia/cu13/include
expect_said "CUDA's headers, for the part for GPUs (once): 16 MB to download"  # a user's PyTorch lacks some
expect_called "cmake .*-DTUNE_WORKER=cuda .*-DTUNE_CUDA_INCLUDE=$headers"
forget_calls
tune run a.yaml
expect_silence

# Without a network, a toolkit's do; without one of them the CPU does.
rm -rf "$BOX/home/.cache" "$BOX/clone/build"
echo down >"$BOX/network"
tune run a.yaml
expect_status 0
expect_said "the GPU part is not built: no headers of CUDA 13"
expect_called 'cmake .*-DTUNE_WORKER=cpu'
mkdir -p "$BOX/toolkit/include"
echo '#define CUDART_VERSION  13000' >"$BOX/toolkit/include/cuda_runtime_api.h"
forget_calls
with+=(CUDA_HOME="$BOX/toolkit")
tune run a.yaml
expect_called 'cmake .*-DTUNE_WORKER=cuda'
mkdir -p "$BOX/toolkit/extras/CUPTI/lib64"  # conda and NGC have CUPTI there, not beside LibTorch
mv "$own/nvidia/cu13/lib/libcupti.so.13" "$BOX/toolkit/extras/CUPTI/lib64"
rm -rf "$BOX/clone/build"
forget_calls
tune run a.yaml
expect_called 'cmake .*-DTUNE_WORKER=cuda'
with=(TUNE_TORCH_DIR="$own")
forget_calls
tune run a.yaml
expect_said "the GPU part is not built: $own has no nvidia/cu13/lib/libcupti.so.13"
mv "$BOX/toolkit/extras/CUPTI/lib64/libcupti.so.13" "$own/nvidia/cu13/lib"
rm "$BOX/network"
touch "$own/nvidia/cu13/include/crt/host_defines.h"
forget_calls
tune run a.yaml
expect_status 0
expect_called "cmake .*-DTUNE_WORKER=cuda .*-DTUNE_CUDA_INCLUDE=$own/nvidia/cu13/include"
expect_called 'ninja .* tune tune-script tune-worker tune_cuda$'
forget_calls
tune validate a.yaml
expect_status 0
expect_not_called cmake
# If /proc does not show it: in some containers, and under WSL 2.
rm -rf "$BOX/system/proc"
for sign in dev/nvidiactl usr/lib/wsl/lib/libcuda.so.1; do
  rm -rf "$BOX/clone/build"
  mkdir -p "$BOX/system/$(dirname "$sign")" && touch "$BOX/system/$sign"
  forget_calls
  tune run a.yaml
  expect_status 0
  expect_called 'cmake .*-DTUNE_WORKER=cuda'
  rm "$BOX/system/$sign"
done

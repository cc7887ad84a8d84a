# A driver below 580 cannot run CUDA 13, and one below 525 not even CUDA 12: its version is read before
# gigabytes are fetched for it.
everything_installed
proc=$BOX/system/proc/driver/nvidia
wheels torch12 torch/lib/libtorch_cpu.so torch_cuda12 torch/lib/libtorch_cuda.so cupti12 nvidia/cuda_cupti/lib/libcupti.so.12 \
  nvcc nvidia/cuda_nvcc/include/crt/host_defines.h ptxas nvidia/cuda_nvcc/bin/ptxas >"$CLONE/harness/setup/wheels-cuda12.txt"
# takes <cpu, cuda12 or cuda> [version]
takes() {
  rm -rf "$BOX/home/.cache" "$BOX/clone/build"
  tune run a.yaml
  case $1 in
    cpu)
      expect_status 0
      expect_said "LibTorch 2.11.0 (cpu): 544 MB to download"
      expect_said_once "NVIDIA's driver $2 is too old for CUDA 12 (525 or newer): LibTorch is installed without its GPU part, and trials run on the CPU."
      expect_said "Install driver 580 or newer, put cuda-compat-12-8 into LD_LIBRARY_PATH (data-centre GPUs), or tune a script with its own PyTorch"
      ;;
    cuda12)
      expect_status 0
      expect_said "LibTorch 2.10.0 (cuda12): 3961 MB to download"
      expect_said_once "NVIDIA's driver ${2:-535.104.05} is too old for CUDA 13 (580 or newer): LibTorch 2.10 for CUDA 12.8 is taken in place of 2.11. TUNE_TORCH=cpu leaves the GPU out."
      ;;
    cuda)
      expect_said "LibTorch 2.11.0 (cuda)"
      expect_not_said "too old"
      ;;
  esac
}
mkdir -p "$proc"
echo 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023' >"$proc/version"
takes cuda12
torch=$BOX/home/.cache/tune/torch-2.10.0-cuda12
expect_called "cmake .*-DTUNE_WORKER=cuda .*-DTUNE_CUDA_INCLUDE=$torch/nvidia/cuda_nvcc/include -DTUNE_TORCH_DIR=$torch"
[[ ! -e $torch/nvidia/cuda_nvcc/bin/ptxas ]] || broken "the compiler is unpacked, too"
forget_calls
tune run a.yaml
expect_silence  # once
echo 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.256.02  Thu May  2 14:37:44 UTC 2024' >"$proc/version"
takes cpu 470.256.02
expect_called 'cmake .*-DTUNE_WORKER=cpu'
forget_calls
tune run a.yaml
expect_silence  # the run itself says why it is on the CPU
echo 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.124.06  Wed Feb 26 02:03:48 UTC 2025' >"$proc/version"
takes cuda12 570.124.06
echo 'NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build  (dvs-builder)' >"$proc/version"
takes cuda
# cuda-compat brings a newer one than the kernel's.
echo 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023' >"$proc/version"
mkdir -p "$BOX/compat"
touch "$BOX/compat/libcuda.so.580.65.06"
ln -s libcuda.so.580.65.06 "$BOX/compat/libcuda.so.1"
with=(LD_LIBRARY_PATH="/nowhere:$BOX/compat")
takes cuda
with=()

# If /proc does not show it: the name of the library, else nvidia-smi, else unknown.
rm -rf "$BOX/system/proc"
lib=$BOX/system/usr/lib/x86_64-linux-gnu
mkdir -p "$BOX/system/dev" "$lib" "$BOX/system/usr/lib/wsl/lib"
touch "$BOX/system/dev/nvidiactl" "$lib/libcuda.so.535.104.05"
ln -s libcuda.so.535.104.05 "$lib/libcuda.so.1"
takes cuda12
rm -r "$lib" "$BOX/system/dev"
touch "$BOX/system/usr/lib/wsl/lib/libcuda.so.1"
takes cuda
smi=$BOX/system/usr/lib/wsl/lib/nvidia-smi
printf '#!/usr/bin/env bash\necho 535.104.05\n' >"$smi"
chmod +x "$smi"
takes cuda12
printf '#!/usr/bin/env bash\necho "NVIDIA-SMI has failed because it could not communicate with the driver"\nexit 9\n' >"$smi"
takes cuda

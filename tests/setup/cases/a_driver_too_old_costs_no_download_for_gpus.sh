# A driver below 580 cannot run LibTorch's CUDA 13: its version is read before 2.5 GB are fetched for it.
everything_installed
proc=$BOX/system/proc/driver/nvidia
# takes <cpu or cuda> [version]
takes() {
  rm -rf "$BOX/home/.cache" "$BOX/clone/build"
  tune run a.yaml
  expect_said "LibTorch 2.11.0 ($1)"
  if [[ $1 == cpu ]]; then
    expect_status 0
    expect_said_once "NVIDIA's driver ${2:-535.104.05} is too old for CUDA 13 (580 or newer): LibTorch is installed without its GPU part, and trials run on the CPU."
    expect_said "Install driver 580 or newer, put cuda-compat-13-0 into LD_LIBRARY_PATH (data-centre GPUs), or tune a script with its own PyTorch"
  else
    expect_not_said "too old"
  fi
}
mkdir -p "$proc"
echo 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023' >"$proc/version"
takes cpu
expect_called 'cmake .*-DTUNE_WORKER=cpu'
forget_calls
tune run a.yaml
expect_silence  # once; the run itself says why it is on the CPU
echo 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.124.06  Wed Feb 26 02:03:48 UTC 2025' >"$proc/version"
takes cpu 570.124.06
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
takes cpu
rm -r "$lib" "$BOX/system/dev"
touch "$BOX/system/usr/lib/wsl/lib/libcuda.so.1"
takes cuda
smi=$BOX/system/usr/lib/wsl/lib/nvidia-smi
printf '#!/usr/bin/env bash\necho 535.104.05\n' >"$smi"
chmod +x "$smi"
takes cpu
printf '#!/usr/bin/env bash\necho "NVIDIA-SMI has failed because it could not communicate with the driver"\nexit 9\n' >"$smi"
takes cuda

# shellcheck shell=bash
# LibTorch: the user's own (TUNE_TORCH_DIR), or pinned wheels unpacked into the cache.

# Only the CPU part: libtorch_cpu loads libcupti and libcudart when it starts, and nothing else from
# CUDA.
readonly kCpuFiles=('torch/include/*' torch/lib/libtorch_cpu.so torch/lib/libc10.so 'torch/lib/libgomp*'
  nvidia/cu13/lib/libcudart.so.13 nvidia/cu13/lib/libcupti.so.13 '*.dist-info/licenses/*')
readonly kCudaFiles=('torch/include/*' 'torch/lib/libtorch_c*' torch/lib/libtorch_nvshmem.so 'torch/lib/libc10*' 'torch/lib/libgomp*'
  'nvidia/*' '*.dist-info/licenses/*')

readonly kOldestDriver=580  # the first release for CUDA 13, as in harness/machine/gpu_driver.h

# find_torch: sets torch_dir, torch_kind (cpu, cuda or yours) and torch_pins; false when it must be
# fetched
find_torch() {
  if [[ -n ${TUNE_TORCH_DIR:-} ]]; then
    check_own_torch
    return 0
  fi
  torch_kind=cpu
  ! wants_cuda || torch_kind=cuda
  torch_dir=$cache/torch-2.11.0-$torch_kind
  torch_pins=$root/harness/setup/wheels-$torch_kind.txt
  is_complete "$torch_dir" "$torch_pins" && [[ -s $torch_dir/torch/lib/libtorch_cpu.so ]]
}

# TUNE_TORCH=cuda prepares for a GPU where there is none: log-in nodes of clusters have a network
# and no driver, their compute nodes the reverse.
wants_cuda() {
  case ${TUNE_TORCH:-} in
    cuda) ;;
    cpu) return 1 ;;
    '') has_driver ;;
    *) wrong_here "TUNE_TORCH=$TUNE_TORCH: no such LibTorch (cpu, or cuda, which is for GPUs). Unset it to have the machine's own?" ;;
  esac
}

# In some containers and under WSL 2 /proc does not show the driver.
shows_driver() {
  [[ -e $system/proc/driver/nvidia/version || -e $system/dev/nvidiactl || -e $system/usr/lib/wsl/lib/libcuda.so.1 ]]
}

# Whether LibTorch's GPU part can run with this driver. If its version is unknown, the worker will
# find out.
has_driver() {
  shows_driver || return 1
  read_driver_version
  [[ -z $driver_version ]] || ((${driver_version%%.*} >= kOldestDriver))
}

tell_old_driver() {
  [[ -z ${TUNE_TORCH:-} ]] || return 0
  ! shows_driver || has_driver ||
    say "NVIDIA's driver $driver_version is too old for CUDA 13 ($kOldestDriver or newer): LibTorch is installed without its GPU part, and trials run on the CPU." \
      "Install driver $kOldestDriver or newer, put cuda-compat-13-0 into LD_LIBRARY_PATH (data-centre GPUs), or tune a script with its own PyTorch (./tune run -- python train.py)?"
}

# read_driver_version: sets driver_version, once: 580.65.06; "" when unknown. A libcuda.so.1 found
# through LD_LIBRARY_PATH (cuda-compat) is the one that will be loaded, and may be newer than the
# kernel's part.
read_driver_version() {
  [[ -z ${driver_version+known} ]] || return 0
  driver_version=$(version_of_libcuda "${LD_LIBRARY_PATH:-}")
  [[ -n $driver_version ]] ||
    driver_version=$(first_version < <(head -n 1 "$system/proc/driver/nvidia/version" 2>/dev/null))
  [[ -n $driver_version ]] || driver_version=$(version_of_libcuda \
    "$system/usr/lib/x86_64-linux-gnu:$system/usr/lib64:$system/usr/local/nvidia/lib64:$system/run/opengl-driver/lib")
  [[ -n $driver_version ]] || driver_version=$(first_version < <(PATH=$PATH:$system/usr/lib/wsl/lib \
    timeout 10 nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null))
}

first_version() { grep -oE '[0-9]{3,}(\.[0-9]+)+' | head -n 1 || true; }

# version_of_libcuda <folder:folder...>: from the first folder that contains it, by the name of the
# file behind libcuda.so.1
version_of_libcuda() {
  local folders folder
  IFS=: read -ra folders <<<"$1"
  for folder in "${folders[@]}"; do
    if [[ -e $folder/libcuda.so.1 ]]; then
      readlink -f "$folder/libcuda.so.1" | sed 's/.*libcuda\.so//' | first_version
      return
    fi
  done
}

check_own_torch() {
  local folder=$TUNE_TORCH_DIR version
  torch_kind=yours torch_dir=$(realpath -m "$TUNE_TORCH_DIR") torch_pins=
  [[ ! -e $folder/torch/lib/libtorch_cpu.so ]] || folder=$folder/torch
  if [[ ! -e $folder/lib/libtorch_cpu.so ]]; then
    wrong_here "TUNE_TORCH_DIR=$TUNE_TORCH_DIR: no LibTorch (neither lib/libtorch_cpu.so nor torch/lib/libtorch_cpu.so). Name the folder of LibTorch $kTorchVersion?"
  fi
  version=$(sed -nE 's/^#define TORCH_VERSION_(MAJOR|MINOR) ([0-9]+).*/\2/p' \
    "$folder/include/torch/headeronly/version.h" 2>/dev/null | paste -sd.)
  if [[ $version != "$kTorchVersion" ]]; then
    wrong_here "TUNE_TORCH_DIR=$TUNE_TORCH_DIR: LibTorch ${version:-of an unknown version} (tune is built for $kTorchVersion). Unset TUNE_TORCH_DIR to have $kTorchVersion fetched?"
  fi
}

# Whether the worker's GPU plug-in can be built with it: where GPUs are wanted, against the libraries
# that LibTorch loads and the headers of the same release. The user's own LibTorch may lack them.
torch_has_cuda() {
  wants_cuda || return 1
  local folder=$torch_dir lacks=
  [[ -e $folder/torch/lib/libtorch_cpu.so ]] || folder=$(dirname "$folder")
  [[ -e $folder/torch/lib/libtorch_cuda.so ]] || lacks=torch/lib/libtorch_cuda.so
  [[ -e $folder/nvidia/cu13/lib/libcupti.so.13 ]] || toolkit_has_cupti || lacks=nvidia/cu13/lib/libcupti.so.13
  [[ -z $lacks ]] || say "the GPU part is not built: $torch_dir has no $lacks. Trials run on the CPU; unset TUNE_TORCH_DIR to have a LibTorch with it fetched?"
  [[ -z $lacks ]]
}

# find_toolkits: sets toolkits, the folders in which NVIDIA's toolkit may be installed
find_toolkits() { toolkits=(${CUDA_HOME:+"$CUDA_HOME"} "$system"/usr/local/cuda{,-13,-13.0}); }

# CUPTI of conda, of NGC's containers, and of a LibTorch built by hand
toolkit_has_cupti() {
  local folder toolkits
  find_toolkits
  for folder in "${toolkits[@]}"; do
    [[ ! -e $folder/lib64/libcupti.so.13 && ! -e $folder/extras/CUPTI/lib64/libcupti.so.13 ]] || return 0
  done
  return 1
}

# torch_sizes: MB to download, MB on disk, MB needed at the same time
torch_sizes() {
  case $torch_kind in
    cpu) echo 544 530 1100 ;;
    cuda) echo 2513 3845 7000 ;;
  esac
}

can_fetch_torch() { [[ $(uname -m) == x86_64 && $(uname -s) == Linux ]]; }

get_torch() {
  local wheels=$cache/wheels-$torch_kind partial=$torch_dir.partial files=("${kCpuFiles[@]}")
  [[ $torch_kind == cpu ]] || files=("${kCudaFiles[@]}")
  fetch_wheels "$wheels" "$torch_pins" LibTorch
  unpack_wheels "$partial" LibTorch "$wheels" "$torch_pins" "${files[@]}"
  finish_unpacking "$partial" "$torch_pins" "$torch_dir"
  remove "$wheels"
}

# shellcheck shell=bash
# LibTorch: the user's own (TUNE_TORCH_DIR), or pinned wheels unpacked into the cache.

# What libtorch_cpu loads on aarch64 besides: its BLAS and its convolutions.
readonly kAarch64Files=('torch/lib/libarm_compute*' 'torch/lib/libnvpl_*' 'torch/lib/libgfortran*')

# Only the CPU part: libtorch_cpu loads libcupti and libcudart when it starts, and nothing else from
# CUDA.
readonly kCpuFiles=('torch/include/*' torch/lib/libtorch_cpu.so torch/lib/libc10.so 'torch/lib/libgomp*'
  nvidia/cu13/lib/libcudart.so.13 nvidia/cu13/lib/libcupti.so.13 '*.dist-info/licenses/*')
readonly kCudaFiles=('torch/include/*' 'torch/lib/libtorch_c*' torch/lib/libtorch_nvshmem.so 'torch/lib/libc10*' 'torch/lib/libgomp*'
  'nvidia/*' '*.dist-info/licenses/*')

# The headers of its CUDA, and not the compiler that nvidia-cuda-nvcc-cu12 has beside those it is
# fetched for.
readonly kCuda12Files=('torch/include/*' 'torch/lib/libtorch_c*' torch/lib/libtorch_nvshmem.so 'torch/lib/libc10*' 'torch/lib/libgomp*'
  'nvidia/*/lib/*' 'nvidia/cuda_*/include/*' 'nvidia/cu[bs]*/include/*' 'nvidia/nccl/include/*' '*.dist-info/licenses/*')

# The first releases of the driver for CUDA 12 and for CUDA 13, as in harness/machine/gpu_driver.h.
readonly -A kOldestDriver=([12]=525 [13]=580)

# find_torch: sets torch_dir, torch_kind (cpu, cuda, cuda12 or yours), torch_cuda (the CUDA that it is
# for, 12 or 13), torch_release and torch_pins; false when it must be fetched
find_torch() {
  if [[ -n ${TUNE_TORCH_DIR:-} ]]; then
    check_own_torch
    return 0
  fi
  choose_torch
  torch_dir=$cache/torch-$torch_release-$torch_kind$(of_processor)
  torch_pins=$(pins_of "$torch_kind")
  is_complete "$torch_dir" "$torch_pins" && [[ -s $torch_dir/torch/lib/libtorch_cpu.so ]]
}

# of_processor: "-aarch64", in the names of what differs from x86_64, whose files have the short names.
# Clusters share a home folder between both.
of_processor() { [[ $processor == x86_64 ]] || printf -- '-%s' "$processor"; }

# pins_of <kind>: the file
pins_of() { printf '%s' "$root/harness/setup/wheels-$1$(of_processor).txt"; }

# TUNE_TORCH=cuda prepares for a GPU where there is none: log-in nodes of clusters have a network
# and no driver, their compute nodes the reverse. A driver for CUDA 12 gets the newest LibTorch that
# PyPI has for CUDA 12.
choose_torch() {
  torch_kind=cpu torch_cuda=13 torch_release=2.11.0
  check_wish
  check_wish_here
  case ${TUNE_TORCH:-} in
    cpu) return ;;
    cuda12) torch_kind=cuda12 ;;
    *)
      if [[ -z ${TUNE_TORCH:-} ]] && { ! shows_driver || is_jetson; }; then return; fi
      if ! shows_driver || driver_runs 13; then
        torch_kind=cuda
      elif driver_runs 12 && has_cuda12; then
        torch_kind=cuda12
      fi
      ;;
  esac
  if [[ $torch_kind == cuda12 ]]; then torch_cuda=12 torch_release=2.10.0; fi
}

check_wish() {
  [[ ${TUNE_TORCH:-} =~ ^(cpu|cuda|cuda12|)$ ]] ||
    wrong_here "TUNE_TORCH=$TUNE_TORCH: no such LibTorch (cpu, cuda or cuda12, which are for GPUs). Unset it to have the machine's own?"
}

# PyPI's LibTorch of that release is one for CPUs on aarch64.
has_cuda12() { [[ $processor == x86_64 ]]; }

# NVIDIA's modules with a GPU of their own (L4T): wheels for servers do not drive it.
is_jetson() { [[ -e $system/etc/nv_tegra_release ]]; }

check_wish_here() {
  if [[ ${TUNE_TORCH:-} == cuda* ]] && is_jetson; then
    wrong_here "TUNE_TORCH=$TUNE_TORCH: no pinned LibTorch for the GPU of a Jetson (the packages are for servers, NVIDIA's PyTorch for L4T is not among them). Name NVIDIA's with TUNE_TORCH_DIR, or set TUNE_TORCH=cpu?"
  fi
  if [[ ${TUNE_TORCH:-} == cuda12 ]] && ! has_cuda12; then
    wrong_here "TUNE_TORCH=cuda12: no pinned LibTorch for CUDA 12 on $processor (PyPI's is for CPUs there). Take cuda with driver ${kOldestDriver[13]} or newer, or name a LibTorch of your own with TUNE_TORCH_DIR?"
  fi
}

# Whether trials are to have a GPU part for this LibTorch's CUDA. If the driver's version is unknown,
# the worker will find out.
wants_cuda() {
  check_wish
  case ${TUNE_TORCH:-} in
    cpu) return 1 ;;
    '') shows_driver && driver_runs "$torch_cuda" && ! { is_jetson && [[ $torch_kind != yours ]]; } ;;
  esac
}

# In some containers and under WSL 2 /proc does not show the driver.
shows_driver() {
  [[ -e $system/proc/driver/nvidia/version || -e $system/dev/nvidiactl || -e $system/usr/lib/wsl/lib/libcuda.so.1 ]]
}

# driver_runs <12 or 13>: a driver runs every CUDA of the major version that it is for, and older ones
driver_runs() {
  read_driver_version
  [[ -z $driver_version ]] || ((${driver_version%%.*} >= kOldestDriver[$1]))
}

# What an old driver, or the GPU of a Jetson, means for the LibTorch that is fetched.
tell_old_driver() {
  if [[ -z ${TUNE_TORCH:-} ]] && is_jetson; then
    say "this is a Jetson: LibTorch is installed without its GPU part, and trials run on the CPU (no pinned package drives its GPU). Name NVIDIA's PyTorch for L4T with TUNE_TORCH_DIR?"
    return
  fi
  if [[ -n ${TUNE_TORCH:-} ]] || ! shows_driver || driver_runs 13; then return; fi
  local old="NVIDIA's driver $driver_version is too old for CUDA"
  if driver_runs 12 && ! has_cuda12; then
    say "$old 13 (${kOldestDriver[13]} or newer), and PyPI has no LibTorch for CUDA 12 on $processor: LibTorch is installed without its GPU part, and trials run on the CPU." \
      "Install driver ${kOldestDriver[13]} or newer, put cuda-compat-13-0 into LD_LIBRARY_PATH (data-centre GPUs), or tune a script with its own PyTorch (./tune run -- python train.py)?"
  elif driver_runs 12; then
    say "$old 13 (${kOldestDriver[13]} or newer): LibTorch 2.10 for CUDA 12.8 is taken in place of 2.11. TUNE_TORCH=cpu leaves the GPU out."
  else
    say "$old 12 (${kOldestDriver[12]} or newer): LibTorch is installed without its GPU part, and trials run on the CPU." \
      "Install driver ${kOldestDriver[13]} or newer, put cuda-compat-12-8 into LD_LIBRARY_PATH (data-centre GPUs), or tune a script with its own PyTorch (./tune run -- python train.py)?"
  fi
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
    "$system/$libraries:$system/usr/lib64:$system/usr/local/nvidia/lib64:$system/run/opengl-driver/lib")
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
  local folder=$TUNE_TORCH_DIR version='' header
  torch_kind=yours torch_dir=$(realpath -m "$TUNE_TORCH_DIR") torch_pins=
  [[ ! -e $folder/torch/lib/libtorch_cpu.so ]] || folder=$folder/torch
  if [[ ! -e $folder/lib/libtorch_cpu.so ]]; then
    wrong_here "TUNE_TORCH_DIR=$TUNE_TORCH_DIR: no LibTorch (neither lib/libtorch_cpu.so nor torch/lib/libtorch_cpu.so). Name the folder of LibTorch $kTorchVersion?"
  fi
  for header in include/torch/headeronly/version.h include/torch/csrc/api/include/torch/version.h; do
    [[ -n $version ]] || version=$(sed -nE 's/^#define TORCH_VERSION_(MAJOR|MINOR) ([0-9]+).*/\2/p' "$folder/$header" 2>/dev/null | paste -sd.)
  done
  if ! [[ $version =~ ^2\.([0-9]+)$ ]] || ((BASH_REMATCH[1] < ${kOldestTorchVersion#2.} || BASH_REMATCH[1] > ${kTorchVersion#2.})); then
    wrong_here "TUNE_TORCH_DIR=$TUNE_TORCH_DIR: LibTorch ${version:-of an unknown version} (tune is built with $kOldestTorchVersion to $kTorchVersion). Unset TUNE_TORCH_DIR to have $kTorchVersion fetched?"
  fi
  read_own_cuda "$folder"
}

# read_own_cuda <LibTorch>: sets torch_cuda by what a Python's torch says, else by the wheels next to it
read_own_cuda() {
  torch_cuda=$(sed -nE "s/^cuda.* = '([0-9]+)\..*/\1/p" "$1/version.py" 2>/dev/null) || true
  if [[ -z $torch_cuda ]]; then
    torch_cuda=13
    [[ ! -e $1/../nvidia/cuda_cupti/lib/libcupti.so.12 ]] || torch_cuda=12
  fi
  [[ $torch_cuda == 1[23] || ${TUNE_TORCH:-} == cpu ]] || wrong_here "TUNE_TORCH_DIR=$TUNE_TORCH_DIR: LibTorch for CUDA $torch_cuda (tune records with CUPTI of CUDA 12.6 or newer). Name one for CUDA 12.6 to 13, or set TUNE_TORCH=cpu?"
}

# Whether the worker's GPU plug-in can be built with it: where GPUs are wanted, against the libraries
# that LibTorch loads and the headers of the same release. The user's own LibTorch may lack them.
torch_has_cuda() {
  wants_cuda || return 1
  local folder=$torch_dir lacks='' cupti=nvidia/cu13/lib/libcupti.so.13
  [[ $torch_cuda == 13 ]] || cupti=nvidia/cuda_cupti/lib/libcupti.so.12
  [[ -e $folder/torch/lib/libtorch_cpu.so ]] || folder=$(dirname "$folder")
  [[ -e $folder/torch/lib/libtorch_cuda.so ]] || lacks=torch/lib/libtorch_cuda.so
  [[ -e $folder/$cupti ]] || toolkit_has_cupti || lacks=$cupti
  [[ -z $lacks ]] || say "the GPU part is not built: $torch_dir has no $lacks. Trials run on the CPU; unset TUNE_TORCH_DIR to have a LibTorch with it fetched?"
  [[ -z $lacks ]]
}

# find_toolkits: sets toolkits, the folders in which NVIDIA's toolkit of that CUDA may be installed
find_toolkits() {
  local versions=(13 13.0)
  [[ $torch_cuda == 13 ]] || versions=(12 12.9 12.8 12.6)
  toolkits=(${CUDA_HOME:+"$CUDA_HOME"} "$system"/usr/local/cuda "${versions[@]/#/$system/usr/local/cuda-}")
}

# CUPTI of conda, of NGC's containers, and of a LibTorch built by hand
toolkit_has_cupti() {
  local folder toolkits
  find_toolkits
  for folder in "${toolkits[@]}"; do
    [[ ! -e $folder/lib64/libcupti.so.$torch_cuda && ! -e $folder/extras/CUPTI/lib64/libcupti.so.$torch_cuda ]] || return 0
  done
  return 1
}

# torch_sizes: MB to download, MB on disk, MB needed at the same time
torch_sizes() {
  case $torch_kind$(of_processor) in
    cpu) echo 544 530 1100 ;;
    cpu-aarch64) echo 432 338 800 ;;
    cuda) echo 2516 3860 7000 ;;
    cuda-aarch64) echo 2634 3698 7000 ;;
    cuda12) echo 3961 6297 11000 ;;
  esac
}

# A kernel of 64 bits may run programs of 32 bits alone, as Raspberry Pi OS once did.
can_fetch_torch() {
  [[ $processor == x86_64 || $processor == aarch64 ]] && [[ $(uname -s) == Linux && $(getconf LONG_BIT 2>/dev/null || echo 64) == 64 ]]
}

get_torch() {
  local wheels=$cache/wheels-$torch_kind$(of_processor) partial=$torch_dir.partial files=("${kCpuFiles[@]}")
  [[ $torch_kind != cuda ]] || files=("${kCudaFiles[@]}")
  [[ $torch_kind != cuda12 ]] || files=("${kCuda12Files[@]}")
  [[ $processor != aarch64 ]] || files+=("${kAarch64Files[@]}")
  fetch_wheels "$wheels" "$torch_pins" LibTorch
  unpack_wheels "$partial" LibTorch "$wheels" "$torch_pins" "${files[@]}"
  finish_unpacking "$partial" "$torch_pins" "$torch_dir"
  remove "$wheels"
}

# shellcheck shell=bash
# CUDA's headers: with them the worker's GPU part is compiled and linked without a driver, for the
# tests, and with the user's own PyTorch, whose packages lack those of nvidia-cuda-crt. A separate
# folder, so that an already unpacked LibTorch, or the user's own, stays unchanged.

cuda_include=

# choose_cuda_headers: sets which are fetched, for the CUDA of LibTorch. For CUDA 12 those of
# nvidia-cuda-nvcc-cu12 alone: PyTorch's packages have the others, of the release that it loads.
choose_cuda_headers() {
  cuda_headers=$cache/cuda-13.0-headers$(of_processor) cuda_headers_in=nvidia/cu13/include headers_download=16 headers_disk=22
  cuda_headers_pins=$(pins_of cuda-headers)
  [[ ${torch_cuda:-13} == 12 ]] || return 0
  cuda_headers=$cache/cuda-12.8-headers$(of_processor) cuda_headers_in=nvidia/cuda_nvcc/include headers_download=43 headers_disk=2
  cuda_headers_pins=$(pins_of cuda12-headers)
}

# find_cuda_headers: sets cuda_include; false when they must be fetched. LibTorch for a driver
# includes them.
find_cuda_headers() {
  choose_cuda_headers
  for cuda_include in "${torch_dir:-}"/{,../}"$cuda_headers_in"; do
    [[ ! -e $cuda_include/crt/host_defines.h ]] || return 0
  done
  cuda_include=$cuda_headers/$cuda_headers_in
  ! { is_complete "$cuda_headers" "$cuda_headers_pins" && [[ -e $cuda_include/crt/host_defines.h ]]; } || return 0
  cuda_include=
  return 1
}

# The wheels stay where LibTorch's are stored: wheels that both need are fetched once.
get_cuda_headers() {
  local wheels=$cache/wheels-$1$(of_processor) partial=$cuda_headers.partial
  fetch_wheels "$wheels" "$cuda_headers_pins" "CUDA's headers"
  unpack_wheels "$partial" "CUDA's headers" "$wheels" "$cuda_headers_pins" "$cuda_headers_in/*" 'nvidia/cuda_cccl/include/nv/*' '*.dist-info/licenses/*'
  finish_unpacking "$partial" "$cuda_headers_pins" "$cuda_headers"
}

# prepare_cuda_headers <what for>: for when nothing else is missing. A failure ends the shell with
# its reason.
prepare_cuda_headers() {
  ! find_cuda_headers || return 0
  can_fetch_torch || return 0
  make_folder "$cache" "Name another folder with TUNE_CACHE_DIR"
  make_folder "$root/build" "Copy the clone to a folder of your own"
  lock "$cache/setup.lock" "$cache"
  if ! find_cuda_headers; then
    : >"$log"
    say "CUDA's headers, $1 (once): $headers_download MB to download, $headers_disk MB on disk in $cache"
    room_for $((2 * headers_download)) "$cache"
    get_cuda_headers headers
    remove "$cache/wheels-headers$(of_processor)"
  fi
  unlock
}

# shellcheck shell=bash
# CUDA's headers, for the tests: with them the worker's part for GPUs is compiled and linked where no driver is. A folder of its own,
# so that a LibTorch that was unpacked before, or the user's own, stays as it is.

cuda_include=
cuda_headers=$cache/cuda-13.0-headers
cuda_headers_pins=$root/harness/setup/wheels-cuda-headers.txt

# find_cuda_headers: sets cuda_include; false when they have to be fetched. LibTorch for a driver brings them along.
find_cuda_headers() {
  cuda_include=${torch_dir:-}/nvidia/cu13/include
  [[ ! -e $cuda_include/crt/host_defines.h ]] || return 0
  cuda_include=$cuda_headers/nvidia/cu13/include
  ! { is_complete "$cuda_headers" "$cuda_headers_pins" && [[ -e $cuda_include/crt/host_defines.h ]]; } || return 0
  cuda_include=
  return 1
}

# The wheels stay where LibTorch's come next: of those that both need each is fetched once.
get_cuda_headers() {
  local wheels=$cache/wheels-$1 partial=$cuda_headers.partial
  fetch_wheels "$wheels" "$cuda_headers_pins" "CUDA's headers"
  unpack_wheels "$partial" "CUDA's headers" "$wheels" "$cuda_headers_pins" 'nvidia/cu13/include/*' '*.dist-info/licenses/*'
  finish_unpacking "$partial" "$cuda_headers_pins" "$cuda_headers"
}

# prepare_cuda_headers: where nothing else is missing. What fails ends the shell with its reason.
prepare_cuda_headers() {
  ! find_cuda_headers || return 0
  can_fetch_torch || return 0
  make_folder "$cache" "Name another folder with TUNE_CACHE_DIR"
  make_folder "$root/build" "Copy the clone to a folder of your own"
  lock "$cache/setup.lock" "$cache"
  if ! find_cuda_headers; then
    : >"$log"
    say "CUDA's headers, for the tests of the part for GPUs (once): 13 MB to download, 7 MB on disk in $cache"
    room_for 30 "$cache"
    get_cuda_headers headers
    remove "$cache/wheels-headers"
  fi
  unlock
}

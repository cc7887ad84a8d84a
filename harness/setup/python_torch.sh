# shellcheck shell=bash
# torch for Python, for the tests of the agent: the wheel that LibTorch comes from, with the packages
# that it imports. The libraries of CUDA that it also loads have two gigabytes, and without a driver
# nothing in them is called: empty ones take their place, and functions are looked up when they are called.

python_torch=$cache/torch-2.11.0-python
python_torch_pins=$root/harness/setup/wheels-python.txt
readonly kPythonFiles=('torch/*.py' 'torch/*.jinja' 'torch/_inductor/*.cpp' 'torch/include/*' 'torch/_C.*' 'torch/lib/lib*' 'torch/bin/torch_shm*' 'torch-*/*' 'torchgen/*' 'functorch/*'
  'typing*' '[!t]*')

# find_python_torch: whether the tests have a Python with torch, the user's own (TUNE_PYTHON) or ours
find_python_torch() {
  [[ -z ${TUNE_PYTHON:-} ]] || return 0
  is_complete "$python_torch" "$python_torch_pins" && [[ -x $python_torch/bin/python ]]
}

# Its large download is for those who ask for it, as CI does; it is pinned for x86_64 alone.
wants_python_torch() { [[ ${TUNE_PYTHON_TESTS:-} == 1 && $processor == x86_64 ]] && ! find_python_torch && can_fetch_torch; }

# get_python_torch <kind>: the wheels stay where LibTorch's are stored: those that both need are
# fetched once
get_python_torch() {
  local wheels=$cache/wheels-$1 partial=$python_torch.partial packages
  python3 -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' ||
    wrong_here "torch for Python: the pinned wheels are for Python 3.11, and python3 is another one. Name a Python with torch with TUNE_PYTHON?"
  fetch_wheels "$wheels" "$python_torch_pins" "torch for Python"
  packages=$partial/lib/python3.11/site-packages
  unpack_wheels "$packages" "torch for Python" "$wheels" "$python_torch_pins" "${kPythonFiles[@]}"
  python3 -m venv --without-pip "$partial"
  stand_in_for_cuda "$packages"
  printf 'import os, sys; sys.setdlopenflags(os.RTLD_LAZY)\n' >"$packages/lazily.pth"
  "$partial/bin/python" -m compileall -q "$packages" >>"$log" 2>&1 || true  # the tests write nothing there
  "$partial/bin/python" -c 'import torch' ||
    wrong_here "torch for Python: it cannot be imported (see the lines above). Name a Python with torch with TUNE_PYTHON?"
  finish_unpacking "$partial" "$python_torch_pins" "$python_torch"
}

# stand_in_for_cuda <folder>: empty libraries for those that torch's own name and nobody brings
stand_in_for_cuda() {
  local library folder=$1/nvidia/cu13/lib
  readelf -d "$1"/torch/lib/*.so | sed -nE 's/.*\(NEEDED\).*\[(lib(cu|nccl|nv)[^]]*)\]/\1/p' | sort -u | while read -r library; do
    [[ -e $folder/$library ]] ||
      g++ -shared -x c++ /dev/null -o "$folder/$library" -Wl,-soname,"$library"
  done
}

# prepare_python_torch: for when nothing else is missing. A failure ends the shell with its reason.
prepare_python_torch() {
  wants_python_torch || return 0
  make_folder "$cache" "Name another folder with TUNE_CACHE_DIR"
  make_folder "$root/build" "Copy the clone to a folder of your own"
  lock "$cache/setup.lock" "$cache"
  if wants_python_torch; then
    : >"$log"
    say "torch for Python, for the tests of the agent (once): 570 MB to download, 1312 MB on disk in $cache (1962 MB while it is unpacked)"
    room_for 1962 "$cache"
    get_python_torch python
    remove "$cache/wheels-python"
  fi
  unlock
}

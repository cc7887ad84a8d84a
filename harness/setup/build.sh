# shellcheck shell=bash
# Configure and build. One tree, build/release, for the launcher and for ./tests/run: parts once
# configured in (the worker, the tests) stay, so that switching between commands rebuilds nothing.

# read_configured: sets configured_{worker,torch,valijson,tests,home,cuda}, all empty in a new clone
read_configured() {
  local line
  configured_worker='' configured_torch='' configured_valijson='' configured_tests='' configured_home='' configured_cuda=''
  [[ -e $build/build.ninja && -e $build/CMakeCache.txt ]] || return 0
  while read -r line; do
    case $line in
      TUNE_WORKER:*) configured_worker=${line#*=} ;;
      TUNE_TORCH_DIR:*) configured_torch=${line#*=} ;;
      TUNE_VALIJSON_DIR:*) configured_valijson=${line#*=} ;;
      TUNE_BUILD_TESTS:*) configured_tests=${line#*=} ;;
      TUNE_CUDA_INCLUDE:*) configured_cuda=${line#*=} ;;
      CMAKE_HOME_DIRECTORY:*) configured_home=${line#*=} ;;
    esac
  done < <(grep -E '^(TUNE_(WORKER|TORCH_DIR|VALIJSON_DIR|BUILD_TESTS|CUDA_INCLUDE)|CMAKE_HOME_DIRECTORY):' "$build/CMakeCache.txt")
}

# build_programs <worker: none or cpu> <tests: ON or OFF> <target...>
build_programs() {
  local worker=$1 tests=$2
  shift 2
  make_folder "$build" "Copy the clone to a folder of your own"
  lock "$root/build/setup.lock" "$root/build"
  read_configured
  if [[ $worker == none && $configured_worker =~ ^(cpu|cuda)$ && -e $configured_torch && -z $fetch_job ]]; then
    worker=$configured_worker torch_dir=$configured_torch
  elif [[ $worker == cpu ]] && torch_has_cuda && has_cuda_headers; then
    worker=cuda
    [[ " $* " != *" tune-worker "* ]] || set -- "$@" tune_cuda
  fi
  [[ $configured_tests != ON || $tests == ON ]] || ! tests_can_stay || tests=ON
  cuda_include=
  [[ $tests == OFF && $worker != cuda ]] || find_cuda_headers || true
  : >"$log"
  if [[ $configured_home != "$root" || $configured_worker != "$worker" || $configured_tests != "$tests" ||
    $configured_valijson != "$valijson" || (-n $cuda_include && $configured_cuda != "$cuda_include") || ($worker != none && $configured_torch != "$torch_dir") ]]; then
    configure "$worker" "$tests"
  elif is_up_to_date "$@"; then
    unlock
    return
  fi
  note_slow_path
  local stamp jobs
  local -x NINJA_STATUS='[%f/%t] '  # the form that time_left.sh reads
  stamp=$(stamp_of "$@")
  jobs=$(jobs_that_fit)
  # Files changed during the build are newer.
  touch "$stamp.begun" 2>/dev/null || build_failed "$build: cannot be written" 1 "$jobs"
  plan_build "$worker" "$@"
  with_progress "$(what_is_built "$@")" build_so_far with_overlay ninja -C "$build" -j "$jobs" "$@" ||
    build_failed "the build failed" "$job_status" "$jobs"
  end_reading_steps
  mv "$stamp.begun" "$stamp"
  unlock
}

# has_cuda_headers: fetches them where neither LibTorch nor a toolkit has them
has_cuda_headers() {
  find_cuda_headers || toolkit_has_headers || (set -e && prepare_cuda_headers "for the part for GPUs") ||
    say "the GPU part is not built: no headers of CUDA $torch_cuda (the reason is above). Trials run on the CPU"
  find_cuda_headers || toolkit_has_headers
}

toolkit_has_headers() {
  local folder toolkits
  find_toolkits
  for folder in "${toolkits[@]}"; do
    ! grep -qsE 'define CUDART_VERSION +'"$torch_cuda" "$folder/include/cuda_runtime_api.h" || return 0
  done
  return 1
}

what_is_built() {
  case $* in
    tune | "tune tune-script") echo "building tune" ;;
    *tune-worker*) if ((build_seconds)); then echo "building the worker"; else echo "building tune and its worker"; fi ;;
    *) echo "building" ;;
  esac
}

stamp_of() { local IFS=- && printf '%s/built-%s' "$build" "$*"; }

# Whether nothing has changed since these programs were built. Asking ninja would take longer than
# most commands. Ninja also tracks system headers, but those change with packages, whose files are
# older than the programs anyway.
is_up_to_date() {
  local target stamp changed
  stamp=$(stamp_of "$@")
  for target in "$@"; do
    [[ -x $build/bin/$target ]] || return 1
  done
  local made_of=("$root"/{CMakeLists.txt,CMakePresets.json,harness,reports,rules})
  [[ ! -e $root/.git/logs/HEAD ]] || made_of+=("$root/.git/logs/HEAD")  # the version names the commit
  changed=$(find "${made_of[@]}" -newer "$stamp" -print -quit 2>/dev/null) && [[ -z $changed ]]
}

tests_can_stay() { is_there header:gtest/gtest.h; }

configure() {
  local worker=$1 tests=$2 options=()
  [[ -z $cuda_include ]] || options+=(-DTUNE_CUDA_INCLUDE="$cuda_include")
  [[ $worker == none ]] || options+=(-DTUNE_TORCH_DIR="$torch_dir")
  # A half-written tree, or one copied from elsewhere, is configured from scratch.
  [[ -n $configured_home && $configured_home == "$root" ]] || options+=(--fresh)
  if [[ -d $overlay/usr ]]; then
    options+=(-DCMAKE_PREFIX_PATH="$overlay/usr" -DCMAKE_BUILD_RPATH="$overlay/$libraries"
      -DCMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES="$overlay/usr/include/$processor-linux-gnu")
  fi
  # With our own compiler warnings are errors; with other compilers they are not.
  is_our_compiler || options+=(-DTUNE_WERROR=OFF)
  with_progress configuring nothing_to_add with_overlay cmake -S "$root" --preset release -DTUNE_WORKER="$worker" \
    -DTUNE_BUILD_TESTS="$tests" -UTUNE_VALIJSON_INCLUDE -DTUNE_VALIJSON_DIR="$valijson" "${options[@]}" ||
    build_failed "the build cannot be configured" "$job_status" 1
}

is_our_compiler() { [[ $("${CXX:-g++}" -dumpfullversion -dumpversion 2>/dev/null) == 12.* ]]; }

# A file with LibTorch's headers takes the compiler about 1.2 GB. CMake's own variable wins: a
# container may have less memory than is free.
jobs_that_fit() {
  local processors megabytes
  if [[ ${CMAKE_BUILD_PARALLEL_LEVEL:-} =~ ^0*[1-9][0-9]{0,3}$ ]]; then
    echo "$((10#$CMAKE_BUILD_PARALLEL_LEVEL))"
    return
  fi
  processors=$(nproc)
  megabytes=$(awk '/^MemAvailable:/ {print int($2 / 1024)}' /proc/meminfo 2>/dev/null) || true
  [[ -n $megabytes ]] || megabytes=4096
  local fit=$((megabytes / 1500))
  ((fit >= 1)) || fit=1
  echo $((fit < processors ? fit : processors))
}

# shellcheck shell=bash
# From a clone to everything that a command needs: Debian packages, valijson, LibTorch, the build.
# Checks first, announces, then acts.

set -euo pipefail
setup=${BASH_SOURCE[0]%/*}
# shellcheck source=harness/setup/say.sh
source "$setup/say.sh"
# shellcheck source=harness/setup/places.sh
source "$setup/places.sh"
# shellcheck source=harness/setup/progress.sh
source "$setup/progress.sh"
# shellcheck source=harness/setup/jobs.sh
source "$setup/jobs.sh"
# shellcheck source=harness/setup/probe.sh
source "$setup/probe.sh"
# shellcheck source=harness/setup/network.sh
source "$setup/network.sh"
# shellcheck source=harness/setup/disk.sh
source "$setup/disk.sh"
# shellcheck source=harness/setup/lock.sh
source "$setup/lock.sh"
# shellcheck source=harness/setup/debian_packages.sh
source "$setup/debian_packages.sh"
# shellcheck source=harness/setup/valijson.sh
source "$setup/valijson.sh"
# shellcheck source=harness/setup/wheels.sh
source "$setup/wheels.sh"
# shellcheck source=harness/setup/torch.sh
source "$setup/torch.sh"
# shellcheck source=harness/setup/cuda_headers.sh
source "$setup/cuda_headers.sh"
# shellcheck source=harness/setup/python_torch.sh
source "$setup/python_torch.sh"
# shellcheck source=harness/setup/optional_tests.sh
source "$setup/optional_tests.sh"
# shellcheck source=harness/setup/fetch.sh
source "$setup/fetch.sh"
# shellcheck source=harness/setup/time_left.sh
source "$setup/time_left.sh"
# shellcheck source=harness/setup/build_failure.sh
source "$setup/build_failure.sh"
# shellcheck source=harness/setup/build.sh
source "$setup/build.sh"

was_missing=

# Hooks that the launcher redefines. Before anything is announced or fetched:
check_at_once() { :; }
# While LibTorch is fetched, without a lock and with everything that builds the rest:
meanwhile() { :; }

# prepare <worker: none or cpu> <tests: ON or OFF> <package group...>: everything but the build
prepare() {
  local worker=$1 tests=$2
  shift 2
  local groups=("$@")
  wants_headers=
  [[ $tests == OFF || $worker == none ]] || wants_headers=yes
  what_is_missing "$worker" "${groups[@]}"
  is_anything_missing || return 0
  was_missing=yes
  check_at_once
  make_folder "$cache" "Name another folder with TUNE_CACHE_DIR"
  make_folder "$root/build" "Copy the clone to a folder of your own"
  announced='' announced_build=$tests
  ((${#missing[@]} + need_valijson == 0)) || prepare_to_build "$worker" "${groups[@]}"
  if ((need_torch)); then
    begin_fetch
    meanwhile
    finish_fetch
  fi
  say "nothing is missing; building"
}

is_anything_missing() { ((${#missing[@]} + need_valijson + need_torch)); }

prepare_to_build() {
  lock "$cache/setup.lock" "$cache"
  what_is_missing "$@"  # the set-up that we waited for may have fetched it
  if is_anything_missing; then
    : >"$log"
    ((${#missing[@]} == 0)) || how_to_get_packages
    announce
    ((${#missing[@]} == 0)) || get_packages
    ((need_valijson == 0)) || get_valijson
  fi
  unlock
}

# Sets missing, need_valijson, need_torch.
what_is_missing() {
  local worker=$1
  shift
  need_valijson=0 need_torch=0
  find_valijson || need_valijson=1
  if [[ $worker != none ]] && ! find_torch; then
    need_torch=1
    can_fetch_torch || wrong_here "LibTorch: no pinned package for $(uname -sm) (only for Linux x86_64 and aarch64, of 64 bits). Name a LibTorch $kTorchVersion of your own with TUNE_TORCH_DIR?"
    set -- "$@" wheels
  fi
  missing_packages "$@"
}

# What will be installed, its size and place; then whether there is room for it.
announce() {
  local build_megabytes=$kBuildMegabytes download keep at_once needs=()
  [[ $announced_build == OFF ]] || build_megabytes=$kTestsMegabytes
  announced=yes
  say "missing here; this will be done (once):"
  if ((${#missing[@]})); then
    say "  Debian packages: about $missing_download MB to download, $missing_disk MB on disk in $packages_go_to: ${missing[*]}"
    needs+=("$((missing_disk + missing_download))" "$packages_go_to")
  fi
  ((need_valijson == 0)) || say "  valijson's headers: 0.1 MB to download, into $cache"
  if ((need_torch)); then
    read -r download keep at_once < <(torch_sizes)
    say "  LibTorch $torch_release ($torch_kind): $download MB to download, $keep MB on disk in $cache ($at_once MB while it is unpacked)"
    tell_old_driver
    needs+=("$at_once" "$cache")
    [[ -z $wants_headers || $torch_kind != cpu ]] || find_cuda_headers ||
      say "  CUDA's headers, for the tests of the part for GPUs: 3 MB more to download, 22 MB on disk in $cache"
  fi
  say "  the build: up to $build_megabytes MB on disk in $root/build"
  room_for "${needs[@]}" "$build_megabytes" "$root/build"
}

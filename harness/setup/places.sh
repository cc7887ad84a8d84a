# shellcheck shell=bash
# Where things are. $root is the clone; the cache is outside of it and shared by all clones of this user.

root=$(readlink -f -- "${BASH_SOURCE[0]}")
root=${root%/*/*/*}
build=$root/build/release
log=$root/build/setup.log
cache=~/.cache/tune               # as in harness/machine/user_folders.cpp
[[ ${XDG_CACHE_HOME:-} != /* ]] || cache=$XDG_CACHE_HOME/tune
cache=${TUNE_CACHE_DIR:-$cache}
overlay=$cache/debian            # packages that were unpacked because they could not be installed
system=${TUNE_SETUP_SYSTEM:-}    # tests put a folder here that replaces /

[[ $cache == /* ]] || cache=$PWD/$cache

processor=$(uname -m)                   # x86_64, aarch64
libraries=usr/lib/$processor-linux-gnu  # Debian's folder of them

readonly kTorchVersion=2.11 kOldestTorchVersion=2.8
readonly kLibraries='g++ 12 or newer, CMake 3.25, ninja, yaml-cpp, nlohmann-json, CLI11, libjpeg-turbo, OpenSSL 3, cpp-httplib, SQLiteCpp with SQLite 3.35, valijson'

# Last in the search path, so that installed files win.
use_overlay() {
  if [[ -d $overlay/usr/bin && :$PATH: != *":$overlay/usr/bin:"* ]]; then
    PATH=$PATH:$overlay/usr/bin
  fi
}
use_overlay

# can_build_with <path> <what to do about it>: ends when CMake, ninja or ccache would read a part of
# the path as their own syntax
can_build_with() {
  [[ $1 != *[[:cntrl:]\"\#\$\*\;\<\>\?\[\]\\\|]* ]] ||
    wrong_here "${1@Q}: nothing can be built there (CMake and ninja treat control characters and each of \" # \$ * ; < > ? [ ] \\ | as syntax). $2?"
}
can_build_with "$root" "Move the clone"
can_build_with "$cache" "Name another folder with TUNE_CACHE_DIR"
can_build_with "${TUNE_TORCH_DIR:-}" "Name LibTorch by another path"
can_build_with "${TUNE_VALIJSON_DIR:-}" "Name valijson by another path"
[[ $cache != *:* ]] || wrong_here "${cache@Q}: libraries cannot be found there (a colon separates folders). Name another folder with TUNE_CACHE_DIR?"

# note_slow_path: once, when ninja cannot read back which headers a file includes
note_slow_path() {
  [[ $root$cache == *[\'\&\^\`]* && -z ${slow_path_is_noted:-} ]] || return 0
  slow_path_is_noted=yes
  say "${root@Q}: everything is recompiled there after a change (ninja takes each of ' & ^ \` for the end of a path). Move the clone or the cache to another folder?"
}

# remove <path...>: removes what the set-up made, which is all in the cache; an empty name removes
# nothing
remove() {
  local path below
  for path in "$@"; do
    below=/${path#"$cache"/}/
    [[ $path == "$cache"/* && $below != *//* && $below != */../* && $below != */./* ]] ||
      our_bug "'$path' is not removed (the set-up did not make it)"
    rm -rf -- "$path" 2>/dev/null || wrong_here "$path: cannot be removed (does it belong to another user?). Remove it, or name another folder with TUNE_CACHE_DIR?"
  done
}

# make_folder <folder> <what to do about it>
make_folder() {
  [[ ! -d $1 ]] || return 0
  local above=$1
  while [[ ! -e $above && $above == */* ]]; do above=${above%/*}; done
  [[ -d ${above:-/} ]] || wrong_here "$above: is a file, so $1 cannot be made. Move it away? $2?"
  mkdir -p "$1" 2>/dev/null || wrong_here "$1: cannot be made (no permission, or a full disk). $2?"
}

# Programs and modules from the overlay find their libraries; without an overlay this changes nothing.
with_overlay() {
  if [[ -d $overlay/usr ]]; then
    LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$overlay/$libraries \
    PYTHONPATH=${PYTHONPATH:+$PYTHONPATH:}$overlay/usr/lib/python3/dist-packages "$@"
  else
    "$@"
  fi
}

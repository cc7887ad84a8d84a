# shellcheck shell=bash
# Why did the build fail? A full disk and too little memory are this machine's problems, and the
# next call continues from there.

# build_failed <what happened> <status> <jobs>: ends with the reason
build_failed() {
  local folder
  if folder=$(damaged_folder); then
    remove "$folder"
    not_now "$folder: headers are missing (files were removed, or the disk failed). Call again: they are fetched again?"
  elif full_folder; then
    not_now "$folder: not enough room on the disk ($full_megabytes MB free; the build needs about $(megabytes_to_free "$folder") MB more). Free some space and call again: it continues where it stopped?"
  elif (($2 == 128 + 9)) || grep -qE "$kKilledForMemory" "$log" 2>/dev/null; then
    not_now "$1: the compiler was killed (too little memory$(how_many "$3")). $(how_to_need_less "$3"), and call again: it continues where it stopped?"
  fi
  last_lines_of_log 30
  our_bug "$1"
}

# Matches messages of compilers and linkers, not source lines that they quote.
readonly kKilledForMemory='^[^ |]*(\+\+|cc1plus|collect2|ld|ninja): .*(Killed|signal 9|out of memory|memory exhausted|annot allocate memory)'
readonly kFullDisk='^[^|]*(No space left on device|Disk quota exceeded)'

how_many() { if (($1 > 1)); then echo " for $1 at once; each takes up to 1.5 GB"; else echo "; it takes up to 1.5 GB"; fi; }

how_to_need_less() {
  if (($1 > 1)); then
    echo "Close other programs or set CMAKE_BUILD_PARALLEL_LEVEL=$(($1 / 2))"
  else
    echo "Close other programs"
  fi
}

# full_folder: sets folder and full_megabytes: the folder without room, for the build or for the
# compilers, which write into the folder for temporary files first. The log is on that disk, too, so
# it may be truncated.
full_folder() {
  local place free
  full_megabytes=
  for place in "$build" "${TMPDIR:-/tmp}"; do
    free=$(free_megabytes "$place") || continue
    if [[ -z $full_megabytes ]] || ((free < full_megabytes)); then
      folder=$place full_megabytes=$free
    fi
  done
  [[ -n $full_megabytes ]] || return
  ((full_megabytes < 2)) || grep -qE "$kFullDisk" "$log" 2>/dev/null
}

megabytes_to_free() {
  local there=0 all=200  # temporary files of the compilers
  if [[ $1 == "$build" ]]; then
    [[ $configured_tests == ON ]] && all=$kTestsMegabytes || all=$kBuildMegabytes
    there=$(du -sm "$build" 2>/dev/null) || true
    there=${there%%[!0-9]*}
  fi
  local lacks=$((all - ${there:-0} - full_megabytes))
  echo $((lacks < 50 ? 50 : lacks))
}

# damaged_folder: prints the folder in the cache whose header the compiler misses, when it has fewer
# headers than were unpacked. Otherwise a source of ours names a header that never existed.
damaged_folder() {
  local header folder unpacked
  header=$(sed -nE 's/.*fatal error: ([^:]+): No such file or directory.*/\1/p' "$log" 2>/dev/null | head -n 1)
  case $header in
    torch/* | ATen/* | c10/* | caffe2/*) folder=${torch_dir:-} ;;
    valijson/*) folder=$cache/valijson ;;
    *) return 1 ;;
  esac
  [[ $folder == "$cache"/* ]] && unpacked=$(cat "$folder/headers" 2>/dev/null) && (($(count_headers "$folder") < unpacked)) && echo "$folder"
}

# shellcheck shell=bash
# Pinned wheels: fetched, unpacked into a folder, stamped.

# is_complete <folder> <pins>: unpacked completely from these pins, and its libraries have the same
# sizes as then. The stamp is a copy of the pins, written last: with other pins, or after an
# interrupted unpacking, it is done again.
is_complete() {
  local stamp='' pins='' length name expected='' paths=()
  { read -r -d '' stamp <"$1/complete" || true; } 2>/dev/null  # this shell's own read: every command asks
  read -r -d '' pins <"$2" || true
  [[ -n $stamp && $stamp == "$pins" ]] || return
  [[ -e $1/lengths ]] || return 0  # unpacked by an older tune
  while read -r length name; do
    paths+=("$1/$name") expected+="$length $1/$name"$'\n'
  done 2>/dev/null <"$1/lengths" || return
  ((${#paths[@]} == 0)) || [[ $(find "${paths[@]}" -maxdepth 0 -type f -printf '%s %p\n' 2>/dev/null)$'\n' == "$expected" ]]
}

lengths_in() { (cd "$1" && find ./*/lib ./*/*/lib -type f -printf '%s %p\n' 2>/dev/null) || true; }

# Thousands of headers, so they are counted only when the compiler misses one.
count_headers() { find "$1" -path '*/include/*' -type f | wc -l; }

# unpack_wheels <folder> <what> <folder of wheels> <pins> <pattern...>
unpack_wheels() {
  local partial=$1 what=$2 wheels=$3 pins=$4
  shift 4
  remove "$partial"
  mkdir -p "$partial"
  mark_log
  with_progress "unpacking $what" nothing_to_add \
    with_overlay python3 "$root/harness/setup/unpack_wheels.py" "$partial" "$wheels" "$pins" "$@" ||
    cannot_unpack "$what" "$partial"
}

# cannot_unpack <what> <folder>
cannot_unpack() {
  [[ $(why_no_download) != disk ]] || full_cache "$1: cannot be unpacked"
  last_lines_of_log 5
  not_now "$2: $1 cannot be unpacked (see the lines above). Call again?"
}

# finish_unpacking <partial folder> <pins> <folder>: stamps it and moves it into place
finish_unpacking() {
  lengths_in "$1" >"$1/lengths"
  count_headers "$1" >"$1/headers"
  sync -f "$1"  # the stamp must not survive a power cut when the files did not
  cp "$2" "$1/complete"
  remove "$3"
  mv "$1" "$3"
}

# fetch_wheels <folder> <pins> <what>: one after the other. Existing wheels with the right hash are
# not fetched again.
fetch_wheels() {
  local pin have
  [[ -d $1 ]] || remove "$1"
  mkdir -p "$1"
  have=$(sha256sum "$1"/*.whl 2>/dev/null) || true
  remove "$1/in-transit"
  while read -r pin; do
    [[ -n $pin && $pin != \#* ]] || continue
    [[ $have != *"${pin##*sha256:}"* ]] || continue
    fetch_wheel "$1" "$pin" "$3" || no_download "$3 (${pin%% *})"
  done <"$2"
}

# fetch_wheel <folder> <pin> <what>
fetch_wheel() {
  mkdir -p "$1/in-transit"  # on the file system that has the room; pip would take /tmp
  printf '%s\n' "$2" >"$1/in-transit/pin.txt"
  mark_log
  if [[ ! -e /etc/ssl/certs/ca-certificates.crt && -e $overlay/etc/ssl/certs/ca-certificates.crt ]]; then
    export PIP_CERT=${PIP_CERT:-$overlay/etc/ssl/certs/ca-certificates.crt}
  fi
  local tag platforms=()
  for tag in 2_28 2_27 2_25 2_18 2014 2010 1; do  # pip takes no older one for granted
    [[ $tag != 2_* ]] || tag=_$tag
    platforms+=("--platform=manylinux${tag}_$processor")
  done
  TMPDIR=$1/in-transit with_progress "downloading $3" nothing_to_add \
    with_overlay python3 -m pip download --no-deps --require-hashes --only-binary=:all: --no-cache-dir --disable-pip-version-check --progress-bar=off \
    --python-version=3.11 --implementation=cp --abi=cp311 --abi=none \
    "${platforms[@]}" \
    --dest "$1" --requirement "$1/in-transit/pin.txt" || return
  remove "$1/in-transit"
}

# shellcheck shell=bash
# valijson is header-only, but installing its package pulls in Qt and MariaDB, so only this package
# is downloaded and unpacked.

# find_valijson: sets valijson; false when there is none
find_valijson() {
  for valijson in "${TUNE_VALIJSON_DIR:-}" "$cache/valijson/usr" "$system/usr" "$system/usr/local"; do
    [[ -z $valijson ]] || ! has_valijson "$valijson/include" || return 0
    [[ -z $valijson ]] || ! has_valijson "$valijson/usr/include" || return 0
  done
  valijson=
  return 1
}

# The headers that tune includes; a power cut may leave them empty.
has_valijson() {
  local header
  for header in validator validation_results schema schema_parser adapters/nlohmann_json_adapter; do
    [[ -s $1/valijson/$header.hpp ]] || return
  done
}

get_valijson() {
  local partial=$cache/valijson.partial
  if ! type -P apt-get >/dev/null; then
    wrong_here "valijson: not found (its headers check scenarios against their schema). Unpack it anywhere and name the folder that contains include/valijson with TUNE_VALIJSON_DIR?"
  fi
  mark_log
  remove "$partial"
  mkdir -p "$partial/package"
  download_valijson "$partial/package" || no_download "valijson's headers"
  dpkg-deb -x "$partial"/package/*.deb "$partial" ||
    not_now "valijson's package cannot be unpacked (see $log). Call again?"
  count_headers "$partial" >"$partial/headers"
  remove "$partial/package" "$cache/valijson"
  mv "$partial" "$cache/valijson"
  find_valijson
}

# With the system's package lists if they are usable, else with our own lists, which need no root.
download_valijson() {
  with_progress "downloading valijson's headers" nothing_to_add in_folder "$1" apt-get download libvalijson-dev && return
  with_progress "refreshing the package lists" nothing_to_add own_apt_get update || true
  with_progress "downloading valijson's headers" nothing_to_add in_folder "$1" own_apt_get download libvalijson-dev
}

in_folder() {
  local folder=$1
  shift
  (cd "$folder" && "$@")
}

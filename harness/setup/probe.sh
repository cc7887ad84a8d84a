# shellcheck shell=bash
# What is missing here? Only file tests, so that checking costs nothing and works on every
# distribution.

include_folders=("$system"/usr/include "$system"/usr/include/*-linux-gnu "$system"/usr/local/include "$overlay"/usr/include)
IFS=: read -ra more_folders <<<"${CPATH:-}:${CPLUS_INCLUDE_PATH:-}:${CONDA_PREFIX:+$CONDA_PREFIX/include}"
include_folders+=("${more_folders[@]}")
IFS=':;' read -ra more_folders <<<"${CMAKE_PREFIX_PATH:-}"
include_folders+=("${more_folders[@]/%//include}")

# missing_packages <group...>: sets missing (names), missing_download and missing_disk (MB)
missing_packages() {
  local package probe groups download disk group wanted name needed=0 comes_along=()
  missing=() missing_download=0 missing_disk=0
  while read -r package probe groups download disk; do
    [[ -n $package && $package != \#* ]] || continue
    wanted=
    for group in "$@" faster; do
      for name in ${groups//,/ }; do
        [[ $name != "$group" ]] || wanted=${wanted:-$group}
      done
    done
    if [[ -z $wanted ]] || is_there "$probe"; then
      continue
    fi
    missing_download=$((missing_download + download)) missing_disk=$((missing_disk + disk))
    if [[ $wanted == faster ]]; then
      comes_along+=("$package")
    else
      missing+=("$package") needed=1
    fi
  done <"$root/harness/setup/packages.txt"
  if ((needed)); then
    missing+=("${comes_along[@]}")
  else
    missing_download=0 missing_disk=0
  fi
}

# is_there command:<name> | header:<path> | file:<path or glob>
is_there() {
  local place=${1#*:} folder
  case $1 in
    command:*) type -P "$place" >/dev/null ;;
    header:*)
      for folder in "${include_folders[@]}"; do
        [[ ! -e $folder/$place ]] || return 0
      done
      return 1
      ;;
    file:*) compgen -G "$system$place" >/dev/null || compgen -G "$overlay$place" >/dev/null ;;
  esac
}

# Sets distribution: "debian 12" or the like.
which_distribution() {
  # shellcheck disable=SC1091
  distribution=$(. "$system/etc/os-release" 2>/dev/null && echo "${ID:-unknown} ${VERSION_ID:-}") || distribution=unknown
}

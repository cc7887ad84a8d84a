# shellcheck shell=bash
# Is there room? Asked before the first byte is downloaded.

# room_for <MB> <folder> [<MB> <folder>...]: needs on the same file system add up
room_for() {
  local folder free file_system
  local -A needed=() available=() where=()
  while (($#)); do
    folder=$2
    while [[ ! -d $folder ]]; do folder=$(dirname "$folder"); done
    read -r file_system free < <(df -Pk "$folder" | awk 'NR == 2 {print $6, int($4 / 1024)}')
    needed[$file_system]=$((${needed[$file_system]:-0} + $1))
    available[$file_system]=$free
    where[$file_system]+="${where[$file_system]:+ and }$2"
    shift 2
  done
  for file_system in "${!needed[@]}"; do
    if ((available[$file_system] < needed[$file_system])); then
      not_now "${where[$file_system]}: ${available[$file_system]} MB free, ${needed[$file_system]} MB needed (nothing was downloaded). Free some space, or name another folder with TUNE_CACHE_DIR?"
    fi
  done
}

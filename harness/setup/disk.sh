# shellcheck shell=bash
# Is there room? Checked before the first byte is downloaded.

# room_for <MB> <folder> [<MB> <folder>...]: needs on the same file system add up
room_for() {
  local file_system free
  local -A needed=() available=() where=()
  while (($#)); do
    read -r file_system free < <(disk_of "$2")
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

# disk_of <folder, which need not exist yet>: prints the file system and its free megabytes
disk_of() {
  local folder=$1
  while [[ ! -d $folder ]]; do
    [[ $folder == */* ]] && folder=${folder%/*} || folder=.
    folder=${folder:-/}
  done
  df -Pk "$folder" | awk 'NR == 2 {print $6, int($4 / 1024)}'
}

free_megabytes() { disk_of "$1" | sed 's/.* //'; }

readonly kBuildMegabytes=600 kTestsMegabytes=1000

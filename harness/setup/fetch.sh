# shellcheck shell=bash
# A background job fetches LibTorch, so that everything that does not need it is built meanwhile.

fetch_job='' fetch_phase='' fetching='' fetch_left=''
fetch_began=0 fetch_megabytes=0 megabytes_before=''

# begin_fetch: returns at once. A failed download ends the program with its reason at once.
begin_fetch() {
  fetch_phase='' fetch_began=$SECONDS megabytes_before=''
  read -r fetch_megabytes _ < <(torch_sizes)
  start_job telling_us fetch_torch
  fetch_job=$job
  running[$fetch_job]=LibTorch
}

finish_fetch() {
  begin_line "waiting for LibTorch" waiting_so_far
  wait_for_job "$fetch_job"
  erase_line
  fetch_job=
}

telling_us() { "$@" 2>&"$news_fd"; }

# The job. The user sees its output at once.
fetch_torch() {
  log=$root/build/download.log
  lock "$cache/setup.lock" "$cache"
  ! find_torch || return 0  # somebody has fetched it meanwhile
  : >"$log"
  [[ -n $announced ]] || announce
  if [[ -n $wants_headers && $torch_kind == cpu ]] && ! find_cuda_headers; then
    set +e  # without them only the GPU part is not tested
    (set -e && get_cuda_headers "$torch_kind")
    set -e
  fi
  if wants_python_torch; then
    set +e  # without it only the agent is not tested with torch
    (set -e && get_python_torch "$torch_kind")
    set -e
  fi
  get_torch
}

is_fetching() { [[ -n $fetch_job && -z ${ended[$fetch_job]:-} && -n $fetch_phase ]]; }

# Sets fetching, "downloading LibTorch 212 of 544 MB", and fetch_left, the seconds left or "".
look_at_fetch() {
  fetching='' fetch_left=''
  is_fetching || return 0
  fetching=$fetch_phase
  [[ $fetch_phase == "downloading LibTorch" ]] || return 0
  local megabytes new all=$fetch_megabytes seconds=$((SECONDS - fetch_began))
  megabytes=$(du -sm "$cache/wheels-$torch_kind$(of_processor)" 2>/dev/null) || return 0
  megabytes=${megabytes%%[!0-9]*}
  ((megabytes < all)) || megabytes=$all  # pip has two copies of a wheel while it moves it
  fetching+=" $megabytes of $all MB"
  [[ -n $megabytes_before ]] || megabytes_before=$megabytes  # an earlier call's
  new=$((megabytes - megabytes_before))
  ((seconds < 10 || new < 1)) || fetch_left=$(((all - megabytes) * seconds / new))
}

# Later build steps count, too.
waiting_so_far() {
  look_at_fetch
  [[ -z $fetching ]] || line_what=$fetching
  [[ -n $fetch_left ]] || return 0
  know_later || return 0
  spell_roughly $((fetch_left + later_seconds))
  progress_after=", about $spelled left"
}

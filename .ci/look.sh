# shellcheck shell=bash
# Checks sources and headers one by one, and only those that changed: clang-tidy, and headers
# compiled alone.

# A change of hundreds of files must not keep CI from an answer: after this many seconds no further
# header or source is started.
look_seconds=60
[[ -z $full ]] || look_seconds=1000000

sources=()  # for clang-tidy
headers=()  # the objects that contain only one of them

find_what_to_look_at() {
  local all
  mapfile -t all < <(find harness -name '*.cpp' | sort)
  mapfile -t sources < <(sources_to_look_at "${all[@]}")
  leave_out clang-tidy "${#sources[@]}" "${#all[@]}"
  mapfile -t all < <(ninja -C "$build" -t targets all | grep -oE '^[^:]*/alone/[^:/]*_h\.cpp\.o' | sort -u)
  ((${#all[@]})) || our_bug "no header can be compiled alone ($build has no target for one)"
  mapfile -t headers < <(headers_to_look_at "${all[@]}")
  leave_out headers "${#headers[@]}" "${#all[@]}"
}

# leave_out <step> <how many files it checks> <of how many>
leave_out() {
  local rest=$(($3 - $2))
  [[ -n $base ]] && ((rest > 0)) || return 0
  if (($2 == 0)); then left_out+=("$1"); else left_out+=("$1 ($rest of $3 files)"); fi
}

# sources_to_look_at <source...>: with a new .clang-tidy unchanged sources count, too
sources_to_look_at() {
  local header
  if [[ -z $base || " ${changed[*]} " == *" .clang-tidy "* ]]; then
    printf '%s\n' "$@" | newest_first
    return
  fi
  {
    printf '%s\n' "${changed[@]}"
    for header in "${changed[@]}"; do  # a changed header is checked through the files that include it
      [[ $header != harness/*.h ]] || grep -rlF --include='*.cpp' "#include \"${header#harness/}\"" harness || true
    done
  } | sort -u | comm -12 <(printf '%s\n' "$@") - | newest_first
}

# headers_to_look_at <object...>: those that contain only a changed header
headers_to_look_at() {
  local header object
  local -A object_of=()
  for object in "$@"; do object_of[${object##*/}]=$object; done
  if [[ -n $base ]]; then printf '%s\n' "${changed[@]}"; else find harness -name '*.h' | sort; fi | newest_first | while read -r header; do
    object=${header#harness/}
    object=${object_of[${object//[^A-Za-z0-9]/_}.cpp.o]:-}
    [[ $header != harness/*.h || -z $object ]] || printf '%s\n' "$object"
  done
}

# newest_first: the files of its input, first those that the work tree or the latest commits
# changed: if there are too many to check, these are the most likely to be wrong.
newest_first() {
  awk 'part == "history" {if (!($0 in rank)) rank[$0] = NR; next} {print ($0 in rank) ? rank[$0] : 1000000, $0}' \
    part=history <(git diff --name-only HEAD -- && git ls-files --others --exclude-standard &&
      git log -n 200 --format= --name-only) part=files - 2>/dev/null | sort -s -n -k 1,1 | sed 's/^[0-9]* //'
}

# Sources are compiled together, which hides a header that depends on earlier ones.
headers_alone() {
  local end seconds done_in_time=0 status=0 some
  end=$(($(date +%s) + look_seconds))
  echo "${#headers[@]} headers"
  while ((done_in_time < ${#headers[@]})); do
    seconds=$((end - $(date +%s)))
    ((seconds > 0)) || break
    some=("${headers[@]:done_in_time:20}")
    timeout "$seconds" ninja -C "$build" -j "$(jobs_that_fit)" "${some[@]}" >build/headers.log 2>&1 || status=$?
    if ((status == 124)); then
      done_in_time=$((done_in_time + $(grep -cE '^\[[0-9]+/[0-9]+\]' build/headers.log)))
      break
    elif ((status != 0)); then
      tail -n 40 build/headers.log
      return 1
    fi
    done_in_time=$((done_in_time + ${#some[@]}))
  done
  not_looked_at $((${#headers[@]} - done_in_time)) headers
}

tidy() {
  local end options=()
  end=$(($(date +%s) + look_seconds))
  echo "${#sources[@]} files"
  : >build/tidy.left
  # A separate tree, because clang cannot read the precompiled headers of g++ and needs every source
  # separately.
  read_configured
  # With its tests, the part for GPUs is compiled without a GPU.
  ! find_cuda_headers || options=(-DTUNE_BUILD_TESTS=ON -DTUNE_CUDA_INCLUDE="$cuda_include")
  cmake --preset tidy -DTUNE_TIDY=OFF -DTUNE_WORKER=cpu -DTUNE_TORCH_DIR="$configured_torch" \
    -DTUNE_VALIJSON_DIR="$configured_valijson" "${options[@]}" >build/tidy.log 2>&1 || { cat build/tidy.log && return 1; }
  # shellcheck disable=SC2016  # the inner shell's arguments
  printf '%s\n' "${sources[@]}" | xargs --no-run-if-empty -P "$(jobs_that_fit)" -n 1 bash -c '
    if (($(date +%s) >= $1)); then echo "$3" >>build/tidy.left; exit 0; fi
    exec clang-tidy --quiet -p "$2" --extra-arg=-Wno-unknown-warning-option "$3"' tidy "$end" build/tidy 2>build/tidy.log ||
    { grep -v 'warnings generated' build/tidy.log; return 1; }
  not_looked_at "$(wc -l <build/tidy.left)" files
}

# not_looked_at <how many> <of what>
not_looked_at() { (($1 <= 0)) || printf 'NOT LOOKED AT for time: %d %s (TUNE_CI=full looks at all)\n' "$1" "$2"; }

# shellcheck shell=bash
# What changed since the last known good commit, and which steps that affects.

base=        # that commit; empty if unknown, and then everything counts as changed
changed=()   # files
left_out=()  # steps that need not run
left_for_time=()  # steps that only TUNE_CI=full runs
labels_left_out='unit|minutes'  # of tests that the g++ build does not run, a pattern of ctest
tests_left_out=       # of unit tests that need not run again, another one

# find_base: tries TUNE_CI_BASE, the last commit that passed here, and the remote's main branch, in
# this order. Not HEAD~1: a series of commits may come at once. On the main branch of a fresh clone
# it is unknown.
find_base() {
  local head passed files
  [[ -z $full ]] || return 0
  if head=$(git rev-parse --quiet --verify HEAD 2>/dev/null); then
    if [[ ${TUNE_CI_BASE:-} == *[^0]* ]] && ! branched_from "$TUNE_CI_BASE" "$head"; then  # CI systems name a new branch's base 000…
      say "TUNE_CI_BASE=$TUNE_CI_BASE: not compared with (it is this commit, or has none in common with it in this clone). Name an earlier one, and fetch it?"
    fi
    passed=$(cat "$cache/last-green-commit" 2>/dev/null) || true
    [[ -n $base || $passed != "$head" ]] || base=$head
    [[ -n $base ]] || branched_from "$passed" "$head" || branched_from origin/HEAD "$head" || branched_from origin/main "$head" || true
  fi
  if [[ -n $base ]] && files=$(changed_files); then
    [[ -z $files ]] || mapfile -t changed <<<"$files"
    printf '\nChanged since %s: %d files\n' "${base:0:7}" "${#changed[@]}"
  else
    base=
    printf '\nThe last good commit is unknown: everything counts as changed (TUNE_CI_BASE can name it)\n'
  fi
}

# branched_from <commit> <head>: sets base to the point where head branched off, unless that is head
# itself
branched_from() {
  local commit
  [[ -n $1 ]] && commit=$(git merge-base "$1" HEAD 2>/dev/null) && [[ $commit != "$2" ]] && base=$commit
}

# Includes the work tree's changes, and the names of deleted and moved files.
changed_files() {
  git -c core.quotePath=off diff --name-only --no-renames --relative "$base" -- &&
    git -c core.quotePath=off ls-files --others --exclude-standard
}

# folders_of <preset> <target>: the folders of all sources that it is built and linked from, as the
# build knows them
folders_of() {
  local object source
  ninja -C "build/$1" -t inputs "$2" 2>/dev/null | grep '\.o$' | while read -r object; do
    if [[ $object == */together/* ]]; then  # a unit of several sources
      sed -nE 's#^\#include "(\.\./)*(.*\.cpp)"$#\2#p' "build/$1/together/$(basename "$object" .o)"
    else
      printf '%s\n' "${object%%CMakeFiles/*}${object#*.dir/}"
    fi
  done | while read -r source; do
    source=${source#"$root/"}
    printf '%s\n' "${source%/*}"
  done | sort -u
}

# is_concerned <preset> <target>: whether a changed file may affect the target. True if that is
# unknown.
is_concerned() {
  local file folder folders module
  [[ -n $base ]] || return 0
  ((${#changed[@]})) || return 1
  mapfile -t folders < <(folders_of "$1" "$2")
  ((${#folders[@]})) || return 0
  for file in "${changed[@]}"; do
    case $file in
      .ci/budget.tsv) continue ;;
      .ci/* | CMakeLists.txt | CMakePresets.json | harness/CMakeLists.txt | harness/cmake/* | tests/CMakeLists.txt) return 0 ;;
    esac
    for folder in "${folders[@]}"; do
      [[ ${file%/*} != "$folder" ]] || return 0
      case $folder in
        tests/*)  # a test has data below its sources, and may include headers of other tests
          [[ $file != "$folder"/* ]] || return 0
          [[ $file != tests/*.h ]] || ! grep -qsF "${file##*/}\"" "$folder"/*.{cpp,h} || return 0
          ;;
        harness/*)  # a sub-folder may include the headers of its whole module
          module=${folder#harness/} module=${module%%/*}
          [[ $file != harness/"$module"/*.h ]] || return 0
          ;;
      esac
    done
  done
  return 1
}

# any_may_read: whether a shared data file changed (a rule, a scenario, a template, a recording), which any test may read
any_may_read() {
  local file
  for file in "${changed[@]}"; do
    case $file in
      scenarios/*) return 0 ;;
      *.cpp | *.h | *.md | tune | .ci/* | harness/setup/* | tests/run) ;;
      tests/python/*) ;;  # the agent, used by trials of fake_script/, may affect any of them
      tests/browser/* | tests/cli/* | tests/consumers/* | tests/gpu/* | tests/package/* | tests/setup/* | tests/shells/* | tests/slurm/*) ;;
      *) return 0 ;;
    esac
  done
  return 1
}

is_set_up_otherwise() {
  local file
  for file in "${changed[@]}"; do
    case $file in
      .ci/budget.tsv) ;;
      tune | .ci/* | harness/setup/* | tests/run | tests/setup/*) return 0 ;;
    esac
  done
  return 1
}

# find_tests_of_programs, find_unit_tests: tests with the same result as for the good commit are not
# run
find_tests_of_programs() {
  [[ -n $base ]] && ! any_may_read || return 0
  is_set_up_otherwise || leave_out_label setup
  [[ " ${changed[*]}" == *" harness/worker/"* ]] || is_concerned release tune-worker || is_concerned release worker_test ||
    leave_out_label worker  # the first: the worker opens its GPU part at run time
  is_set_up_otherwise || [[ " ${changed[*]}" == *" harness/worker/"* || " ${changed[*]}" == *" tests/python/"* ]] ||
    leave_out_label python agent
}

# leave_out_label <label> [<of what>]
leave_out_label() {
  labels_left_out+="|$1"
  left_out+=("tests of the ${2:-$1}")
}

find_unit_tests() {
  local program all same=()
  [[ -n $base ]] && ! any_may_read || return 0
  mapfile -t all < <(ctest --test-dir build/asan-clang -N -L unit | sed -nE 's|.*: unit/([a-z_]+).*|\1|p' | sort -u)
  for program in "${all[@]}"; do
    is_concerned asan-clang "${program}_test" || same+=("$program")
  done
  ((${#same[@]})) || return 0
  tests_left_out=$(IFS='|' && printf '^unit/(%s)(-|$)' "${same[*]}")
  left_out+=("${#same[@]} of ${#all[@]} unit test programs")
}

print_left_out() {
  ((${#left_out[@]} == 0)) ||
    printf '\nLEFT OUT (nothing they check changed since %s): %s; TUNE_CI=full runs everything\n' "${base:0:7}" "$(list "${left_out[@]}")"
  ((${#left_for_time[@]} == 0)) ||
    printf '\nLEFT OUT for time: %s; TUNE_CI=full runs everything\n' "$(list "${left_for_time[@]}")"
}

# The next run compares with a green run. Not if the work tree differs from the commit: then
# something else was checked.
remember_green() {
  local state
  ! state=$(git status --porcelain 2>/dev/null) || [[ -n $state ]] || git rev-parse HEAD >"$cache/last-green-commit" || true
}

type -P git >/dev/null || { echo "no git: skipped" && exit 77; }
source "$here/ci_clone.sh"
ci_clone harness/{CMakeLists.txt,runner/a.cpp,runner/deep/b.cpp,metric/c.cpp,report/CMakeLists.txt} harness/cmake/A.cmake CMakePresets.json \
  tests/{CMakeLists.txt,runner/a_test.cpp,runner/sub/data.json,report/page.h,report/own.h,report/page_test.cpp,fuzz/corpus/rule/x} rules/y.yaml
echo '#include "page.h"' >"$CLONE/tests/runner/a_test.cpp"
everything_installed
cp "$BOX/bin/fake-ninja" "$BOX/bin/ninja"
mkdir -p "$CLONE/build/asan-clang/together"
printf '#include "../../../%s"\n' harness/runner/a.h harness/runner/a.cpp >"$CLONE/build/asan-clang/together/tune_runner_1.cpp"
printf '%s\n' harness/runner/CMakeFiles/tune_runner.dir/__/__/together/tune_runner_1.cpp.o tests/CMakeFiles/{runner_test.dir/runner/a_test.cpp.o,tune_test_main.dir/gtest_pch.cpp.o} >"$BOX/ninja/tests_with_threads"
printf '%s\n' harness/metric/CMakeFiles/tune_metric.dir/c.cpp.o tests/fuzz/CMakeFiles/rule_fuzzer.dir/rule_fuzzer.cpp.o >"$BOX/ninja/rule_fuzzer"

# ask <command>: what .ci/run would conclude
ask() {
  # shellcheck disable=SC2016  # for the shell in the box
  in_box "${with[@]}" bash -c 'set -e; source "$CLONE/harness/setup/prepare.sh"; cd "$CLONE"; full=
    source .ci/clock.sh; source .ci/changed.sh; find_base; eval "$1"' ask "$1" >"$BOX/out" 2>"$BOX/err"
}
concerns_threads() { ask 'is_concerned asan-clang tests_with_threads'; }
not_run() {  # <file...>: the tests left out of the g++ build and the sanitized one if these changed
  touched "$@"
  ask 'find_tests_of_programs; find_unit_tests; echo "$labels_left_out $tests_left_out"' || broken "no answer"
  tail -n 1 "$BOX/out"
}
concerns_rules() { ask 'is_concerned fuzz rule_fuzzer'; }

committed first
mkdir -p "$BOX/home/.cache/tune"
echo "$commit" >"$BOX/home/.cache/tune/last-green-commit"
! concerns_threads || broken "nothing changed"

# touched <file...>: only these differ from the good commit
touched() {
  git -C "$CLONE" checkout -q . && git -C "$CLONE" clean -qfd
  for file in "$@"; do echo "// changed" >>"$CLONE/$file"; done
}
for file in harness/runner/a.cpp harness/runner/new.txt harness/runner/deep/b.h tests/runner/a_test.cpp tests/runner/sub/data.json tests/report/page.h \
  tests/gtest_pch.cpp tests/CMakeLists.txt harness/CMakeLists.txt harness/cmake/A.cmake CMakePresets.json CMakeLists.txt .ci/run; do
  touched "$file"
  concerns_threads || broken "$file concerns the tests with threads"
done
for file in harness/runner/deep/b.cpp harness/metric/c.cpp harness/report/CMakeLists.txt tests/report/page_test.cpp tests/report/own.h rules/y.yaml README.md .ci/budget.tsv; do
  touched "$file"
  ! concerns_threads || broken "$file does not concern the tests with threads"
done
touched harness/metric/c.cpp
concerns_rules || broken "the fuzzer is linked from it"
touched tests/fuzz/corpus/rule/x
concerns_rules || broken "its corpus"
touched harness/runner/a.cpp
! concerns_rules || broken "the fuzzer does not contain it"

# Deleted and moved files have changed.
touched
rm "$CLONE/tests/runner/sub/data.json"
concerns_threads || broken "a deleted file"
touched
git -C "$CLONE" mv harness/runner/a.cpp harness/report/a.cpp
concerns_threads || broken "a moved file"
git -C "$CLONE" reset -q --hard

# A target that the build does not know is built, to be safe.
touched rules/y.yaml
ask 'is_concerned fuzz unheard_of' || broken "its sources are unknown"

# Tests that a change can't reach are left out; a change of shared data reaches all of them.
printf '%s\n' harness/metric/CMakeFiles/tune_metric.dir/c.cpp.o >"$BOX/ninja/metric_test"
printf '%s\n' harness/runner/CMakeFiles/tune_runner.dir/a.cpp.o >"$BOX/ninja/tune-worker"
printf '%s\n' tests/worker/CMakeFiles/worker_test.dir/a_test.cpp.o >"$BOX/ninja/worker_test"
cp "$BOX/ninja/tests_with_threads" "$BOX/ninja/runner_test"
rm -f "$BOX/bin/ctest"
printf '#!/bin/sh\nprintf "%%s\\n" "  Test #1: unit/metric" "  Test #2: unit/runner-1-of-2" "  Test #3: unit/runner-2-of-2"\n' >"$BOX/bin/ctest"
chmod +x "$BOX/bin/ctest"
while read -r file expected; do
  [[ $(not_run "$file") == "${expected//_/ }" ]] || broken "after a change of $file is not run: $(not_run "$file"), not $expected"
done <<'CHANGES'
harness/metric/c.cpp unit|minutes|setup|worker|python_^unit/(runner)(-|$)
harness/runner/a.cpp unit|minutes|setup|python_^unit/(metric)(-|$)
README.md unit|minutes|setup|worker|python_^unit/(metric|runner)(-|$)
rules/y.yaml unit|minutes_
.ci/run unit|minutes_
.ci/budget.tsv unit|minutes|setup|worker|python_^unit/(metric|runner)(-|$)
CHANGES

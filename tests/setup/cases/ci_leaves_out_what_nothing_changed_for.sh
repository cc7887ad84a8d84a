type -P git >/dev/null || { echo "no git: skipped" && exit 77; }
source "$here/ci_clone.sh"
ci_clone harness/{runner/a.cpp,runner/deep/b.cpp,metric/c.cpp,rule/d.cpp,report/e.cpp,report/e.h} tests/{runner/a_test.cpp,runner/data.json,fuzz/rule_fuzzer.cpp}

# What the build would say about its targets: sources compiled together, and
# separately.
mkdir -p "$CLONE/build/asan-clang/together"
printf '#include "../../../%s"\n' harness/runner/a.h harness/runner/a.cpp >"$CLONE/build/asan-clang/together/tune_runner_1.cpp"
printf '%s\n' harness/runner/CMakeFiles/tune_runner.dir/__/__/together/tune_runner_1.cpp.o tests/CMakeFiles/runner_test.dir/runner/a_test.cpp.o /usr/lib/libz.so >"$BOX/ninja/tests_with_threads"
echo harness/metric/CMakeFiles/tune_metric.dir/c.cpp.o >"$BOX/ninja/trace_fuzzer"
printf '%s\n' harness/{metric/CMakeFiles/tune_metric.dir/c.cpp.o,rule/CMakeFiles/tune_rule.dir/d.cpp.o} >"$BOX/ninja/rule_fuzzer"
printf 'harness/report/alone/report_e_h.cpp.o: CXX_COMPILER\nharness/base/alone/base_f_h.cpp.o: CXX_COMPILER\n' >"$BOX/ninja/all"

# No good commit is known: everything runs.
committed first
launch .ci/run
expect_status 0
expect_printed '^The last good commit is unknown'
expect_not_printed 'LEFT OUT .nothing'
expect_printed '^LEFT OUT for time: unit tests of optimised code, .*; TUNE_CI=full runs everything$'
expect_called 'build/tsan'
expect_called 'trace_fuzzer 60'
expect_called 'rule_fuzzer 60'
expect_called 'clang-tidy .*harness/metric/c.cpp'
expect_called 'ninja .* harness/report/alone/report_e_h.cpp.o$'
expect_count "10 passed, 0 failed"

# The run passed, so the next one compares with it.
good=$commit
echo "// second" >"$CLONE/harness/report/e.h"
committed second
printf '#include "report/e.h"\n' >"$CLONE/harness/runner/deep/b.cpp"  # not committed
forget_calls
launch .ci/run
expect_status 0
expect_not_called 'build/tsan'
expect_not_called 'run-fuzzer'
expect_called 'clang-tidy .*harness/runner/deep/b.cpp'
expect_not_called 'clang-tidy .*harness/report/e.cpp'
expect_printed "^LEFT OUT \(nothing they check changed since ${good:0:7}\): clang-tidy \([0-9]+ of [0-9]+ files\), headers \(1 of 2 files\), tests of the setup, tests of the agent, thread sanitizer, fuzz trace, fuzz rule; TUNE_CI=full runs everything$"
expect_count "8 passed, 0 failed"
[[ $(<"$BOX/home/.cache/tune/last-green-commit") == "$good" ]] || broken "a commit counts as good although something else ran"

# At the good commit itself there is nothing to check.
committed third
echo "$commit" >"$BOX/home/.cache/tune/last-green-commit"
forget_calls
launch .ci/run
expect_status 0
expect_not_called 'cmake .*tidy'
expect_printed ': clang-tidy, headers, tests of the setup, tests of the worker, tests of the agent, thread sanitizer, fuzz trace, fuzz rule; TUNE_CI'
expect_called "ctest .*-LE unit\|minutes\|setup\|worker\|python"
expect_count "6 passed, 0 failed"

# TUNE_CI=full ignores all of that.
forget_calls
with+=(TUNE_CI=full)
launch .ci/run
expect_status 0
expect_not_printed 'LEFT OUT'
expect_called 'cmake --build --preset tsan --target all'
expect_called 'clang-tidy .*harness/metric/c.cpp'
expect_called 'run-fuzzer .*reply_fuzzer 60'
expect_count "12 passed, 0 failed"

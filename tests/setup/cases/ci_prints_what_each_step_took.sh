source "$here/ci_clone.sh"
ci_clone harness/base/a.cpp
own_clock
budgets fuzz 1000
takes 100 ctest
launch .ci/run
expect_status 0
expect_printed '^step +seconds +share +budget$'
expect_printed '^set-up +0 +0 % +1000$'
expect_printed '^g\+\+ tests +100 +33 % +1000$'
expect_printed '^tsan +100 +33 % +1000$'
expect_printed '^in all +300$'
# A failing step: the table of what ran so far.
touch "$BOX/untidy"
launch .ci/run
expect_status 1
expect_printed '^=== clang-tidy: FAILED after 0 s \(0 s since the start\)$'
expect_printed '^g\+\+ build +0 +0 % +1000$'
expect_printed '^clang-tidy +0 +0 % +1000  FAILED$'
expect_not_printed '^smoke '
# The set-up keeps its exit code.
rm -rf "$BOX/system/usr" "$BOX/bin/ninja"
echo down >"$BOX/network"
launch .ci/run
expect_status 75
expect_said "cannot be downloaded (no answer from the network)"
expect_printed '^set-up +0 +0 % +1000  FAILED$'
expect_count "0 passed, 1 failed"

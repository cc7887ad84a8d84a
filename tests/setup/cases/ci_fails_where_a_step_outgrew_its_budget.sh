type -P git >/dev/null || { echo "no git: skipped" && exit 77; }
source "$here/ci_clone.sh"
ci_clone harness/base/a.cpp
budgets "g++ tests" 449
committed first
own_clock
takes 900 ctest
launch .ci/run
expect_status 1
expect_printed '^g\+\+ tests: took 900 s, more than twice its budget of 449 s \(\.ci/budget\.tsv\)\. .*\?$'
[[ $(grep -c 'more than twice' "$BOX/out") == 1 ]] || broken "not one step"
expect_printed '^ran in .*: run scenarios/smoke.yaml'  # it continued to the end
expect_count "9 passed, 1 failed"
[[ ! -e $BOX/home/.cache/tune/last-green-commit ]] || broken "was taken for a good commit"
# TUNE_CI=full does more per step than was measured.
budgets "g++ tests" 1
with+=(TUNE_CI=full)
launch .ci/run
expect_status 0
expect_printed '^g\+\+ tests +900 +25 % +-$'
# A machine that compiles the fixed file in twice the time gets twice the budget; a quick one keeps all of it.
with=(ANSWER=$'0\n6')
budgets "g++ tests" 225
takes 2 g++
launch .ci/run
expect_status 0
budgets "g++ tests" 224
launch .ci/run
expect_status 1
expect_printed 'its budget of 224 s \(\.ci/budget\.tsv, of which 200 % count on this machine\)'
# Twice the budget is allowed.
takes 0 g++
budgets "g++ tests" 450
launch .ci/run
expect_status 0

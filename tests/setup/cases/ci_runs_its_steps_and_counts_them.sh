source "$here/ci_clone.sh"
ci_clone harness/base/{a.cpp,alone.h}
launch .ci/run
expect_status 0
expect_called 'apt-get .*install .*clang-tidy'
expect_called 'cmake --preset asan-clang'
expect_called 'cmake --build --preset tsan --target tests_with_threads'
expect_called 'ctest .*build/release'
expect_called 'ctest .*build/asan-clang'
expect_called 'ctest .*build/tsan .*-L threads'
expect_called 'run-fuzzer .*trace_fuzzer 60'
expect_called 'run-fuzzer .*rule_fuzzer 60'
expect_called 'ninja .*/base_alone_h.cpp.o$'
expect_called 'clang-tidy .*harness/base/a.cpp'  # without git every file
expect_printed '^ran in .*: run scenarios/smoke.yaml'
expect_count "10 passed, 0 failed"
touch "$BOX/untidy"
launch .ci/run
expect_status 1
expect_printed 'a.cpp: a complaint'
expect_count "3 passed, 1 failed"
rm "$BOX/untidy"
with=(ANSWER=$'3\n6')
launch .ci/run
expect_status 1
expect_count "9 passed, 1 failed"  # a run with failed trials is not accepted
# A build without targets for headers is not mistaken for one without headers.
rm "$BOX/ninja/all"
launch .ci/run
expect_status 70
expect_said "tune: no header can be compiled alone ($CLONE/build/release has no target for one)"
expect_count "2 passed, 1 failed"

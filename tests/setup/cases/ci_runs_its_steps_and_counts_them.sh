mkdir -p "$BOX/clone/.ci" "$BOX/clone/harness/base" "$BOX/clone/tests/fuzz"
printf '#!/bin/sh\necho "run-fuzzer $*" >>"$BOX/calls"\n' >"$BOX/clone/tests/fuzz/run-fuzzer"
chmod +x "$BOX/clone/tests/fuzz/run-fuzzer"
cp "$source_tree/.ci/run" "$BOX/clone/.ci/"
touch "$BOX/clone/harness/base/a.cpp"
with=(ANSWER=$'0\n6')  # no trial failed, six pairs
launch .ci/run
expect_status 0
expect_called 'apt-get .*install .*clang-tidy'
expect_called 'cmake --preset asan-clang'
expect_called 'cmake --build --preset tsan --target tests_with_threads'
expect_called 'ctest .*build/tsan .*-L threads'
expect_called 'run-fuzzer .*trace_fuzzer 60'
expect_called 'run-fuzzer .*rule_fuzzer 60'
expect_called 'clang-tidy .*harness/base/a.cpp'  # without git every file
grep -q '^ran in .*: run scenarios/smoke.yaml' "$BOX/out" || broken "no real run"
[[ $(tail -n 1 "$BOX/out") == "7 passed, 0 failed" ]] || broken "no count"
touch "$BOX/untidy"
launch .ci/run
expect_status 1
grep -q 'a.cpp: a complaint' "$BOX/out" || broken "no complaint"
[[ $(tail -n 1 "$BOX/out") == "5 passed, 1 failed" ]] || broken "no count"
rm "$BOX/untidy"
with=(ANSWER=$'3\n6')
launch .ci/run
expect_status 1
[[ $(tail -n 1 "$BOX/out") == "6 passed, 1 failed" ]] || broken "a run with failed trials was taken"

everything_installed
launch tests/run -L unit
expect_status 0
expect_out "100% tests passed, 0 tests failed out of 3"
expect_called 'cmake .*-DTUNE_WORKER=cpu -DTUNE_BUILD_TESTS=ON'
expect_called 'ctest .* -L unit$'
expect_not_said "NOT RUN"
rm -rf "$BOX/home" "$BOX/clone/build"
echo down >"$BOX/network"
forget_calls
launch tests/run
expect_status 0
expect_called 'cmake .*-DTUNE_WORKER=none -DTUNE_BUILD_TESTS=ON'
expect_called ctest
expect_said "no answer from the network"
expect_said "NOT RUN: the worker's tests"

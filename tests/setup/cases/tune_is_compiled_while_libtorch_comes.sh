# Each of the two waits for the other to start.
everything_installed
touch "$BOX/meet"
for request in "run a.yaml" "gate a.yaml"; do
  rm -rf "$BOX/clone/build" "$BOX/home/.cache"
  forget_calls
  # shellcheck disable=SC2086
  tune $request
  expect_status 0
  expect_out "ran in $BOX/user: $request"
  expect_called 'ninja .* tune$'
done
# Also the programs of the tests.
rm -rf "$BOX/clone/build" "$BOX/home/.cache"
forget_calls
launch tests/run
expect_status 0
expect_called 'ninja .* tune$'
expect_called 'ninja .* all unit_tests$'

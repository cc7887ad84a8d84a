everything_installed
for command in run verify gate calibrate probe; do
  rm -rf "$BOX/clone/build"
  forget_calls
  tune "$command" a.yaml
  expect_called 'cmake .*-DTUNE_WORKER=cpu'
  expect_called 'ninja .* tune tune-worker$'
done
rm -rf "$BOX/clone/build"
forget_calls
tune gate a.yaml --plan
expect_status 0
expect_called 'cmake .*-DTUNE_WORKER=none'

everything_installed
mkdir -p "$BOX/user/tune-runs/latest"
echo '{"event":"header"}' >"$BOX/user/tune-runs/latest/ledger.jsonl"  # for verify
for command in run verify gate calibrate probe; do
  rm -rf "$BOX/clone/build"
  forget_calls
  tune "$command" a.yaml
  expect_called 'cmake .*-DTUNE_WORKER=cpu'
  expect_called 'ninja .* tune tune-script tune-worker$'
done
rm -rf "$BOX/clone/build"
forget_calls
tune gate a.yaml --plan
expect_status 0
expect_called 'cmake .*-DTUNE_WORKER=none'

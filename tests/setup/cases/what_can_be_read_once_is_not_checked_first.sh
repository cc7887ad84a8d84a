everything_installed
mkdir -p "$BOX/user/tune-runs/latest"
echo '{"event":"header"}' >"$BOX/user/tune-runs/latest/ledger.jsonl"
for request in "run --resume tune-runs/latest" "run /dev/stdin" "verify R1 tune-runs/latest"; do
  # shellcheck disable=SC2086
  tune $request
  expect_status 0
  expect_out "ran in $BOX/user: $request"
done
expect_called 'ninja .* tune tune-script tune-worker'
expect_not_called '^tune .*--dry-run'
tune run a.yaml  # the worker exists: the run itself reads it
expect_not_called '^tune .*--dry-run'
rm "$BOX/clone/build/release/bin/tune-worker"
tune run a.yaml
expect_called '^tune run a.yaml --dry-run'

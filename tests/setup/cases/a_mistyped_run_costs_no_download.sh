everything_installed
mkdir -p "$BOX/user/"{empty,there/mine,slurm-run/slurm}
for request in "run --resume nope" "run --resume=nope" "run -q --resume empty" "-C there run --resume nope" "-C there run --resume slurm-run" \
  "verify R1" "verify R1 nope" "verify synchronous-loader R2 empty --time 2m"; do
  forget_calls
  # shellcheck disable=SC2086
  tune $request
  expect_status 0
  expect_out "ran in $BOX/user: $request"
  expect_not_called 'pip|DTUNE_WORKER=cpu|tune-worker'
  expect_not_said "LibTorch"
done
# What is a run directory, wherever -C leads, gets the worker that it needs.
echo '{"event":"header"}' >"$BOX/user/there/mine/ledger.jsonl"
for request in "run --resume there/mine" "run --resume=$BOX/user/there/mine" "-C there run --resume mine" "-Cthere run --resume=mine" \
  "run --resume slurm-run" "-C there verify R1 mine" "verify R1 there/mine -q"; do
  rm -rf "$BOX/clone/build"
  forget_calls
  # shellcheck disable=SC2086
  tune $request
  expect_status 0
  expect_called 'ninja .* tune-worker$'
done
# So does the latest run, which a verification takes by itself.
mkdir "$BOX/user/tune-runs"
ln -s ../there/mine "$BOX/user/tune-runs/latest"
rm -rf "$BOX/clone/build"
tune verify R1
expect_called 'cmake .*-DTUNE_WORKER=cpu'

everything_installed
mkdir -p "$BOX/user/R1"
printf 'name: block\nworkload:\n  # mine\n  command: [python, t.py]\n' >"$BOX/user/block.yaml"
printf 'name: flow\nworkload: {command: "python t.py"}\n' >"$BOX/user/flow.yaml"
printf '{"event":"header","scenario_text":"name: block\\nworkload:\\n  command: [python, \\"t.py\\"]\\n"}\n' >"$BOX/user/R1/ledger.jsonl"
for request in "run -- python train.py --epochs 3" "run block.yaml" "gate flow.yaml" "verify R2 R1" "run --resume R1"; do
  rm -rf "$BOX/clone/build"
  forget_calls
  # shellcheck disable=SC2086
  tune $request
  expect_status 0
  expect_called 'cmake .*-DTUNE_WORKER=none'
  expect_called 'ninja .* tune tune-script$'
done
# A command elsewhere in a scenario does not make it the scenario of a script.
printf 'name: other\nworkload: {model: mlp, build: "make command: x"}\n' >"$BOX/user/other.yaml"
rm -rf "$BOX/clone/build"
forget_calls
tune run other.yaml
expect_called 'ninja .* tune tune-script tune-worker$'

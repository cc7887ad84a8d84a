for words in "" -h --help; do
  # shellcheck disable=SC2086
  tune $words
  expect_status 0
  expect_silence
  grep -q '^  run FILE' "$BOX/out" || broken "no help"
done
tune --version
expect_status 0
[[ $(cat "$BOX/out") =~ ^tune\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || broken "no version"
tune help exit-codes
expect_status 0
grep -q '75' "$BOX/out" || broken "no exit codes"
expect_not_called .

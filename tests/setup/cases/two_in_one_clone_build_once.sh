# The second waits for the first, with one line.
everything_installed
mkdir "$BOX/clone/reports" "$BOX/clone/rules" && touch "$BOX/clone/CMakePresets.json"
touch "$BOX/ninja_hangs"
launch_beside tune validate a.yaml
until_there "$BOX/ninja_process"
(
  launch_beside tune validate b.yaml
  patiently grep -q "waiting for it" "$beside_output" || broken "the second does not wait"
  rm "$BOX/ninja_hangs"
  finish_beside
  expect_status 0
  [[ $(grep -c '^tune:' "$beside_output") == 1 ]] || broken "more than one line"
  expect_said "another set-up is using $BOX/clone/build; waiting for it"
)
wait "$beside" || broken "the first failed"
[[ $(grep -c '^ninja' "$BOX/calls") == 1 ]] || broken "built twice"

# They share only the cache: the second compiles while the first downloads, and both use what the
# first fetched.
everything_installed
cp -r "$BOX/clone" "$BOX/another"
touch "$BOX/pip_hangs"
launch_beside tune run first.yaml
until_there "$BOX/pip_process"
(
  CLONE=$BOX/another
  launch_beside tune run second.yaml
  patiently grep -q "ninja -C $BOX/another/build/release .* tune$" "$BOX/calls" || broken "the second compiles nothing meanwhile"
  rm "$BOX/pip_hangs"
  finish_beside
  expect_status 0
  expect_said_once "another set-up is using $BOX/home/.cache/tune; waiting for it"
)
finish_beside
expect_status 0
[[ $(grep -c '^pip ' "$BOX/calls") == 2 ]] || broken "the wheels were not fetched once"
expect_called 'ninja -C .*/clone/build/release .* tune tune-script tune-worker'
expect_called 'ninja -C .*/another/build/release .* tune tune-script tune-worker'

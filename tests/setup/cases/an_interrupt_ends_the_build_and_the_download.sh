everything_installed
cache=$BOX/home/.cache/tune
touch "$BOX/pip_hangs" "$BOX/ninja_hangs"
for signal in INT TERM HUP; do
  rm -f "$BOX"/{pip,ninja}_process
  launch_beside tune run a.yaml
  until_there "$BOX/pip_process"
  until_there "$BOX/ninja_process"
  if [[ $signal == INT ]]; then kill -INT -- "-$beside"; else signal_launcher "$signal"; fi  # a terminal's signal goes to all of them
  finish_beside
  expect_status $((128 + $(kill -l $signal)))
  expect_said_once "interrupted; the next call continues from here"
  not_running "$(<"$BOX/pip_process")" || broken "the download runs on"
  not_running "$(<"$BOX/ninja_process")" || broken "the build runs on"
  flock -n "$cache/setup.lock" true || broken "the cache is locked"
  flock -n "$BOX/clone/build/setup.lock" true || broken "the build is locked"
done
rm "$BOX/pip_hangs" "$BOX/ninja_hangs"
tune run a.yaml
expect_status 0

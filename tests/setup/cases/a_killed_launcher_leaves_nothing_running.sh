# kill -9: the launcher cannot clean up.
everything_installed
touch "$BOX/pip_hangs" "$BOX/ninja_hangs"
launch_beside tune run a.yaml
until_there "$BOX/pip_process"
until_there "$BOX/ninja_process"
signal_launcher KILL
expect_gone "$(<"$BOX/pip_process")" "the download"
expect_gone "$(<"$BOX/ninja_process")" "the build"
expect_unlocked "$BOX/home/.cache/tune/setup.lock"
expect_unlocked "$BOX/clone/build/setup.lock"
rm "$BOX/pip_hangs" "$BOX/ninja_hangs"
tune run a.yaml
expect_status 0

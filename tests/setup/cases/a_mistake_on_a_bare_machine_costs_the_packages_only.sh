touch "$BOX/pip_hangs" "$BOX/meet"
echo 'grdi: {}' >"$BOX/user/wrong.yaml"
tune run wrong.yaml
expect_status 2
expect_said "wrong.yaml:1:1: unknown key 'grdi'"
# Everything that would be installed is announced before the first download, once.
expect_said_once "this will be done (once)"
expect_called 'apt-get .*install'
not_running "$(<"$BOX/pip_process")" || broken "the download runs on"
[[ ! -e $BOX/home/.cache/tune/torch-2.11.0-cpu ]] || broken "LibTorch was fetched anyway"
# Two at once: the lock was released.
flock -n "$BOX/home/.cache/tune/setup.lock" true || broken "still locked"

echo 'grdi: {}' >"$BOX/user/wrong.yaml"
tune run wrong.yaml
expect_status 2
expect_said "wrong.yaml:1:1: unknown key 'grdi'"
# What is announced before the first download is all that would come, and it is announced once.
[[ $(grep -c "this is what will be done" "$BOX/err") == 1 ]] || broken "not announced once"
expect_called 'apt-get .*install'
expect_not_called '^pip'
# Two at once: the lock was given back.
flock -n "$BOX/home/.cache/tune/setup.lock" true || broken "still locked"

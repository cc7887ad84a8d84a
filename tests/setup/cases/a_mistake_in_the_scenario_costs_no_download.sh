everything_installed
echo 'grdi: {}' >"$BOX/user/wrong.yaml"
tune run wrong.yaml
expect_status 2
expect_said "wrong.yaml:1:1: unknown key 'grdi'"
expect_not_said "LibTorch"
expect_out ""
expect_not_called pip
expect_called 'cmake .*-DTUNE_WORKER=none'
# Mended, it goes on from there.
echo 'grid: {}' >"$BOX/user/wrong.yaml"
tune run wrong.yaml
expect_status 0
expect_called pip
expect_out "ran in $BOX/user: run wrong.yaml"
[[ $(grep -c "LibTorch 2.11.0" "$BOX/err") == 1 ]] || broken "LibTorch was not announced once"

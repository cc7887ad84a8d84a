# LibTorch is fetched while tune is compiled; the dry run comes right after that and stops the
# download.
everything_installed
mkdir "$BOX/clone/reports" "$BOX/clone/rules" && touch "$BOX/clone/CMakePresets.json"
cache=$BOX/home/.cache/tune
touch "$BOX/pip_hangs" "$BOX/meet"
echo 'grdi: {}' >"$BOX/user/wrong.yaml"
tune run wrong.yaml
expect_status 2
expect_said "wrong.yaml:1:1: unknown key 'grdi'"
expect_said "the download of LibTorch is stopped"
expect_out ""
expect_called 'cmake .*-DTUNE_WORKER=none'
expect_not_called 'DTUNE_WORKER=cpu'
not_running "$(<"$BOX/pip_process")" || broken "the download runs on"
flock -n "$cache/setup.lock" true || broken "still locked"
rm "$BOX/meet"
# If tune already exists, the download does not start.
forget_calls
tune run wrong.yaml
expect_status 2
expect_said "wrong.yaml:1:1: unknown key 'grdi'"
expect_not_said "LibTorch"
expect_not_called 'pip|cmake|ninja'
# After the fix, it continues from there.
rm "$BOX/pip_hangs"
echo 'grid: {}' >"$BOX/user/wrong.yaml"
tune run wrong.yaml
expect_status 0
expect_called pip
expect_out "ran in $BOX/user: run wrong.yaml"
expect_said_once "LibTorch 2.11.0"

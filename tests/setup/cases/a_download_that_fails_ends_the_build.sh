everything_installed
touch "$BOX/ninja_hangs" "$BOX/meet"
echo down >"$BOX/network"
tune run a.yaml
expect_status 75
expect_said "LibTorch (torch==1): cannot be downloaded (no answer from the network)"
not_running "$(<"$BOX/ninja_process")" || broken "the build runs on"
flock -n "$BOX/clone/build/setup.lock" true || broken "the build is locked"

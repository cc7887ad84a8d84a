everything_installed
tune run a.yaml
expect_status 0
forget_calls
echo "# bumped" >>"$BOX/clone/harness/setup/wheels-cpu.txt"
tune run a.yaml
expect_status 0
expect_called '^pip '

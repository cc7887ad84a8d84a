tune run a.yaml
expect_status 0
forget_calls
echo down >"$BOX/network"
tune run a.yaml
expect_status 0
expect_silence
expect_out "ran in $BOX/user: run a.yaml"
expect_not_called 'apt-get|pip|cmake'

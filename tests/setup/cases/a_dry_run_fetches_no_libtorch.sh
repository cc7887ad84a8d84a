everything_installed
tune run a.yaml -n
expect_status 0
expect_not_called pip
expect_called 'cmake .*-DTUNE_WORKER=none'
expect_out "ran in $BOX/user: run a.yaml -n"

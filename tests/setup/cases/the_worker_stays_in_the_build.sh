everything_installed
tune validate a.yaml
expect_called 'cmake .*-DTUNE_WORKER=none'
tune run a.yaml
expect_called 'cmake .*-DTUNE_WORKER=cpu'
forget_calls
tune validate a.yaml
expect_status 0
expect_not_called cmake
rm -rf "$BOX/home/.cache/tune/torch-2.11.0-cpu"  # the user cleared the cache
tune validate a.yaml
expect_status 0
expect_called 'cmake .*-DTUNE_WORKER=none'
expect_not_called pip

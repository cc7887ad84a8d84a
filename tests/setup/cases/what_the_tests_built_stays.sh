everything_installed
launch tests/run
expect_status 0
forget_calls
tune run a.yaml
expect_status 0
expect_silence
expect_not_called cmake

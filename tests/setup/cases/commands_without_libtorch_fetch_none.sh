tune validate a.yaml
expect_status 0
expect_not_called pip
expect_called 'cmake .*-DTUNE_WORKER=none'
expect_called 'ninja .* tune$'
forget_calls
tune run --help
expect_status 0
expect_not_called pip

touch "$BOX/plain_user" "$BOX/sudo"
tune validate a.yaml
expect_status 0
expect_called 'sudo apt-get .*install g\+\+'

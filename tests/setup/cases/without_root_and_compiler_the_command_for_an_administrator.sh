touch "$BOX/plain_user"
tune validate a.yaml
expect_status 2
expect_said "An administrator can run: apt-get update && apt-get install --no-install-recommends g++ cmake ninja-build"
expect_not_called .
expect_not_said "will be done (once)"

echo 900 >"$BOX/free_megabytes"
tune run a.yaml
expect_status 75
expect_said "900 MB free"
expect_said "nothing was downloaded"
expect_not_called .

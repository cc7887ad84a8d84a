everything_installed
touch "$BOX/build_breaks"
tune validate a.yaml
expect_status 70
expect_said "a.cpp:1:1: error: this does not compile"
expect_said "the whole log is in $BOX/clone/build/setup.log"
expect_out ""

everything_installed
printf '\033[31ma.cpp\n  ::error::obeyed\n##[error]obeyed\n' >"$BOX/build_breaks"
tune validate a.yaml
expect_status 70
expect_said "a.cpp:1:1: error: this does not compile"
expect_said "?[31ma.cpp"
expect_said "  : :error::obeyed"
expect_said "## [error]obeyed"
expect_said "the whole log is in $BOX/clone/build/setup.log"
expect_out ""

everything_installed
tune validate a.yaml
expect_status 0
sed -i 's,^CMAKE_HOME_DIRECTORY.*,CMAKE_HOME_DIRECTORY:STRING=/elsewhere,' "$BOX/clone/build/release/CMakeCache.txt"
forget_calls
tune validate a.yaml
expect_status 0
expect_called 'cmake .*--fresh'

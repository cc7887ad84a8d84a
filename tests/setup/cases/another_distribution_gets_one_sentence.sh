printf 'ID=fedora\nVERSION_ID=41\n' >"$BOX/system/etc/os-release"
tune run a.yaml
expect_status 2
expect_said "this is fedora 41"
expect_said "yaml-cpp, nlohmann-json, CLI11"
expect_said TUNE_TORCH_DIR
expect_not_called apt-get
everything_installed  # by hand
tune run a.yaml
expect_status 0
expect_not_called apt-get

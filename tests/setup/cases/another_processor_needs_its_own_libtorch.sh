everything_installed
echo aarch64 >"$BOX/machine"
tune run a.yaml
expect_status 2
expect_said "no pinned package for Linux aarch64"
expect_said TUNE_TORCH_DIR
tune validate a.yaml
expect_status 0

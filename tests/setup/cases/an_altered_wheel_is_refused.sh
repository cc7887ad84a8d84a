everything_installed
echo more >>"$BOX/index/nvidia-cuda-runtime.whl"
tune run a.yaml
expect_status 75
expect_said "LibTorch (nvidia-cuda-runtime==1)"
expect_said "pinned SHA-256"
expect_not_said "://"
[[ ! -e $BOX/home/.cache/tune/torch-2.11.0-cpu ]] || broken "unpacked anyway"

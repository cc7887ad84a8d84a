tune run 'scenarios/two words.yaml' --flag
expect_status 0
expect_out "ran in $BOX/user: run scenarios/two words.yaml --flag"
expect_called 'apt-get .*install g\+\+ cmake ninja-build .*python3-pip.*ccache'
expect_called 'apt-get download libvalijson-dev'
expect_called 'pip .*--require-hashes'
expect_called 'cmake .*-DTUNE_WORKER=cpu .*-DTUNE_TORCH_DIR='
expect_called 'ninja .* tune tune-script tune-worker'
# Sizes and places before the first download.
expect_said "MB to download"
expect_said "LibTorch 2.11.0 (cpu): 544 MB to download, 530 MB on disk in $BOX/home/.cache/tune"
[[ -e $BOX/home/.cache/tune/torch-2.11.0-cpu/torch/lib/libtorch_cpu.so ]] || broken "LibTorch is not unpacked"
[[ ! -e $BOX/home/.cache/tune/wheels-cpu ]] || broken "the wheels are left over"

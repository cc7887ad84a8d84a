# The tests build the worker's GPU part on every machine: CUDA's headers come with LibTorch, or
# after it.
everything_installed
cache=$BOX/home/.cache/tune
launch tests/run
expect_status 0
expect_said "LibTorch 2.11.0 (cpu): 544 MB to download"
expect_said "CUDA's headers, for the tests of the part for GPUs: 3 MB more to download"
expect_called "cmake .*-DTUNE_WORKER=cpu .*-DTUNE_CUDA_INCLUDE=$cache/cuda-13.0-headers/nvidia/cu13/include"
expect_not_said "NOT RUN"
[[ -e $cache/cuda-13.0-headers/nvidia/cu13/include/crt/host_defines.h ]] || broken "no headers"
[[ $(grep -c 'nvidia-cuda-runtime\|^pip' "$BOX/calls") == 3 ]] || broken "what both need was fetched twice"
[[ -z $(echo "$cache"/wheels-*) || ! -e $(echo "$cache"/wheels-*) ]] || broken "wheels are left over"
forget_calls
launch tests/run
expect_status 0
expect_not_called 'pip|cmake'

# An unpacked LibTorch stays; `./tune` fetches nothing.
rm -rf "$cache/cuda-13.0-headers" "$BOX/clone/build"
forget_calls
tune run a.yaml
expect_status 0
expect_not_called pip
expect_not_called TUNE_CUDA_INCLUDE
launch tests/run
expect_status 0
expect_said "CUDA's headers, for the tests of the part for GPUs (once): 16 MB to download"
expect_not_said "LibTorch 2.11.0"
[[ $(grep -c '^pip' "$BOX/calls") == 2 ]] || broken "not the two wheels of the headers"
expect_called 'cmake .*-DTUNE_CUDA_INCLUDE='

# Without a network the other tests run.
rm -rf "$cache/cuda-13.0-headers" "$BOX/clone/build"
echo down >"$BOX/network"
forget_calls
launch tests/run
expect_status 0
expect_called 'cmake .*-DTUNE_WORKER=cpu -DTUNE_BUILD_TESTS=ON'
expect_called ctest
expect_said "no answer from the network"
expect_said "NOT RUN: the tests of the worker's part for GPUs"
expect_not_said "NOT RUN: the worker's tests"

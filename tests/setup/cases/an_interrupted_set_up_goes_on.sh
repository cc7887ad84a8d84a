everything_installed
cache=$BOX/home/.cache/tune
# Killed while unpacking: the wheels exist, one of them truncated, and half of LibTorch.
mkdir -p "$cache/wheels-cpu/in-transit" "$cache/torch-2.11.0-cpu.partial/torch/lib" "$cache/torch-2.11.0-cpu/torch"
cp "$BOX/index/torch.whl" "$cache/wheels-cpu/"
head -c 20 "$BOX/index/nvidia-cuda-runtime.whl" >"$cache/wheels-cpu/nvidia-cuda-runtime.whl"
echo half >"$cache/torch-2.11.0-cpu.partial/torch/lib/libtorch_cpu.so"
tune run a.yaml
expect_status 0
[[ $(grep -c '^pip ' "$BOX/calls") == 1 ]] || broken "the good wheel was fetched again"
grep -q torch "$cache/torch-2.11.0-cpu/torch/lib/libtorch_cpu.so" || broken "half a file was accepted"
[[ -e $cache/torch-2.11.0-cpu/nvidia/cu13/lib/libcudart.so.13 ]] || broken "the second wheel is not unpacked"
# Killed while configuring: there is a cache, but no build file.
rm "$BOX/clone/build/release/build.ninja"
tune run a.yaml
expect_status 0
expect_called 'cmake .*--fresh'

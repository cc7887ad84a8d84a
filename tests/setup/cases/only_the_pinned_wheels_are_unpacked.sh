everything_installed
cache=$BOX/home/.cache/tune
# Left by an older tune, under a name that sorts after the pinned one, and by an interrupted call.
mkdir -p "$cache/wheels-cpu"
wheels torch_old torch/lib/libtorch_cpu.so another torch/include/another.h >/dev/null
mv "$BOX/index/torch_old.whl" "$BOX/index/another.whl" "$cache/wheels-cpu/"
tune run a.yaml
expect_status 0
[[ $(<"$cache/torch-2.11.0-cpu/torch/lib/libtorch_cpu.so") == torch ]] || broken "a wheel that no pin names was unpacked over the pinned one"
[[ ! -e $cache/torch-2.11.0-cpu/torch/include ]] || broken "a wheel that no pin names was unpacked"

# Without a wheel with the pinned hash nothing is unpacked, whatever happens after the download.
mkdir "$BOX/wheels" "$BOX/unpacked"
cp "$BOX/index/torch.whl" "$BOX/wheels/"
status=0
"$python" "$CLONE/harness/setup/unpack_wheels.py" "$BOX/unpacked" "$BOX/wheels" "$CLONE/harness/setup/wheels-cpu.txt" '*' 2>"$BOX/err" || status=$?
expect_status 1
expect_said "no wheel has the pinned SHA-256 of nvidia-cuda-runtime==1"

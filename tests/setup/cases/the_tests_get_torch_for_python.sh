# Who asks for it gets torch for Python with LibTorch, out of the same wheel, or after it.
"$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { echo "python3 is not 3.11: skipped" && exit 77; }
everything_installed
cache=$BOX/home/.cache/tune
printf '#!/bin/sh\necho " 0x01 (NEEDED) Shared library: [libcublas.so.13]"\n' >"$BOX/bin/readelf"
# shellcheck disable=SC2016
printf '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\ntouch "$2"\n' >"$BOX/bin/g++"
chmod +x "$BOX/bin/readelf" "$BOX/bin/g++"
with=(TUNE_PYTHON_TESTS=1)
launch tests/run
expect_status 0
expect_not_said "NOT RUN"
packages=$cache/torch-2.11.0-python/lib/python3.11/site-packages
[[ -e $packages/nvidia/cu13/lib/libcublas.so.13 ]] || broken "no library takes the place of CUDA"
"$cache/torch-2.11.0-python/bin/python" -c 'import torch' || broken "no torch"
[[ $(grep -c 'pip .*--requirement' "$BOX/calls") == 3 ]] || broken "what both need was fetched twice"
[[ ! -e $cache/wheels-cpu ]] || broken "wheels are left over"
forget_calls
launch tests/run
expect_status 0
expect_not_called pip

# Without a network the other tests run, and it is said.
rm -rf "$cache/torch-2.11.0-python"
echo down >"$BOX/network"
launch tests/run
expect_status 0
expect_called ctest
expect_said "NOT RUN: the tests of the agent in Python scripts with torch"

# Whoever names a Python needs no other one; whoever does not ask gets none.
with=(TUNE_PYTHON_TESTS=1 TUNE_PYTHON=/opt/python)
launch tests/run
expect_status 0
expect_not_said "NOT RUN"
with=()
rm "$BOX/network"
forget_calls
launch tests/run
expect_status 0
expect_not_called pip

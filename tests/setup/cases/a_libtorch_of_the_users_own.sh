everything_installed
mkdir -p "$BOX/own/lib" "$BOX/own/include/torch/headeronly"
with=(TUNE_TORCH_DIR="$BOX/own")
tune run a.yaml
expect_status 2
expect_said "no LibTorch"
touch "$BOX/own/lib/libtorch_cpu.so"
printf '#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 9\n' >"$BOX/own/include/torch/headeronly/version.h"
tune run a.yaml
expect_status 2
expect_said "LibTorch 2.9 (tune is built for 2.11)"
printf '#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 11\n' >"$BOX/own/include/torch/headeronly/version.h"
tune run a.yaml
expect_status 0
expect_called "cmake .*-DTUNE_TORCH_DIR=$BOX/own"
expect_not_called pip
with=()
forget_calls
tune validate a.yaml  # re-run without the variable: what is configured stays
expect_status 0
expect_not_called 'cmake|pip'

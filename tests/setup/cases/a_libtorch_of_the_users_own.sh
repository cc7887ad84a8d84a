everything_installed
mkdir -p "$BOX/own/lib" "$BOX/own/include/torch/headeronly"
with=(TUNE_TORCH_DIR="$BOX/own")
tune run a.yaml
expect_status 2
expect_said "no LibTorch"
touch "$BOX/own/lib/libtorch_cpu.so"
for minor in 7 12 110; do
  printf '#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR %s\n' "$minor" >"$BOX/own/include/torch/headeronly/version.h"
  tune run a.yaml
  expect_status 2
  expect_said "LibTorch 2.$minor (tune is built with 2.8 to 2.11)"
done
rm "$BOX/own/include/torch/headeronly/version.h"
tune run a.yaml
expect_status 2
expect_said "LibTorch of an unknown version"
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

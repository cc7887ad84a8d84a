everything_installed
for machine in armv7l riscv64; do
  echo $machine >"$BOX/machine"
  tune run a.yaml
  expect_status 2
  expect_said "no pinned package for Linux $machine (only for Linux x86_64 and aarch64, of 64 bits)"
  expect_said TUNE_TORCH_DIR
done
tune validate a.yaml
expect_status 0

# Programs of 32 bits under a kernel of 64.
echo aarch64 >"$BOX/machine"
printf '#!/usr/bin/env bash\n[[ $1 != LONG_BIT ]] || echo 32\n' >"$BOX/bin/getconf"
chmod +x "$BOX/bin/getconf"
tune run a.yaml
expect_status 2
expect_said "no pinned package for Linux aarch64 (only for Linux x86_64 and aarch64, of 64 bits)"

# The real libtune_cuda.so, on a machine without a driver: the loader names the library that LibTorch for CPUs does not have.
run "$BIN/open_plugin" libcuda.so.1 "$BIN/libtune_cuda.so"
[ "$status" != 0 ] || exit 0  # a GPU answers: first_run.sh is for that
PATH=$PATH:/sbin ldconfig -p >known 2>/dev/null || true
LC_ALL=C ldd "$BIN/libtune_cuda.so" >loaded
if ! grep -q 'libcuda\.so\.1' known; then
  expect_status 3
  expect_out "no_driver: no NVIDIA driver (libcuda.so.1: cannot open shared object file"
fi
run "$BIN/open_plugin" "$FAKE_DRIVER" "$BIN/libtune_cuda.so"
expect_status 3
if grep -q 'libtorch_cuda.so => not found' loaded; then
  expect_out "no_plugin: the CUDA part cannot be loaded (libtorch_cuda.so: cannot open shared object file"
else  # LibTorch for GPUs: it is opened, and CUDA's runtime finds no driver
  grep -qE '^(driver_too_old|no_device|no_plugin|driver_error): ' out || broken "no reason"
fi
# The stand-ins used at link time are not what it would load.
! grep -q stand_ins loaded || broken "it loads a stand-in"
LC_ALL=C readelf -d "$BIN/libtune_cuda.so" >dynamic || exit 0
for library in libtorch_cuda.so libc10_cuda.so libcudart.so.13 libcupti.so.13 libtorch_cpu.so; do
  grep -qF "[$library]" dynamic || broken "it does not name $library: $(grep NEEDED dynamic)"
done
# Each undefined name belongs to a library that it names: one of those here, or LibTorch's for CUDA.
sed -nE 's/.*=> (\/[^ ]+).*/\1/p' loaded >libraries
xargs nm -D --defined-only <libraries 2>/dev/null | sed -nE 's/.* [A-Za-z] ([^@]+).*/\1/p' | sort -u >defined
nm -D --undefined-only "$BIN/libtune_cuda.so" | sed -nE 's/^ +U ([^@]+).*/\1/p' | sort -u >needed
comm -23 needed defined | grep -vE 'c104cuda|_ZN2at4cuda|c10d16ProcessGroupNCCL' >missing || true
[ ! -s missing ] || broken "nobody defines $(paste -sd' ' missing)"
